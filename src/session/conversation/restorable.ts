// Clears conversations, and restores what was cleared or replaced in them last. Independent of runs.
import type { EditableDocument } from '../editing/editable-document';
import type { RemovedMessage } from '../editing/message-edits';
import { findCleared, toClearEdits, toRestoreEdits } from '../editing/message-edits';
import { appendLine } from '../journal/journal-lines';
import type { Journal } from '../ports';
import type { Lane } from './lane';
import type { Lanes } from './lanes';
import type { SentMessages } from './sent-messages';
import type { Item } from './transcript';

/** Conversations as they were before something in them was cleared or replaced. */
export interface Kept {
  /** Whether a conversation was emptied, or replies in it are asked for again. */
  kind: 'cleared' | 'replaced';
  /** By the id of the lane. */
  lanes: Map<string, Item[]>;
  /** The messages that were removed from the document. */
  messages: readonly RemovedMessage[];
}

export class Restorable {
  readonly #editable: EditableDocument;
  readonly #journal: Journal;
  readonly #lanes: Lanes;
  readonly #sent: SentMessages;
  #kept: Kept | undefined;
  /** Version of the document when replies were replaced. */
  #version: number | undefined;

  /** @param kept What an earlier session has left. */
  constructor(
    editable: EditableDocument,
    journal: Journal,
    lanes: { all: Lanes; sent: SentMessages },
    kept: Kept | undefined,
  ) {
    this.#editable = editable;
    this.#journal = journal;
    this.#lanes = lanes.all;
    this.#sent = lanes.sent;
    this.#kept = kept;
  }

  get kind(): Kept['kind'] | undefined {
    return this.#kept?.kind;
  }

  get laneIds(): string[] {
    return [...(this.#kept?.lanes.keys() ?? [])];
  }

  /** Whether replies were replaced, and the document is still as it was then. */
  get isNewest(): boolean {
    return this.kind === 'replaced' && this.#version === this.#editable.version;
  }

  /** Empties the lanes; messages that then no lane has are removed from the document. */
  async clear(lanes: readonly Lane[]): Promise<void> {
    const remaining = this.#lanes.open.filter((lane) => !lanes.includes(lane) && lane.items.length > 0);
    const isKept = remaining.length > 0 || !this.#editable.isWritable;
    const messages = isKept ? [] : findCleared(this.#editable.document, this.#sent.draft);
    // If nothing is cleared now, what was cleared before can still be restored.
    if (messages.length > 0 || lanes.some(({ items }) => items.length > 0)) {
      this.#kept = { kind: 'cleared', lanes: keepItems(lanes), messages };
      appendLine(this.#journal, { kind: 'clear', lanes: lanes.map(({ id }) => id), messages });
      for (const lane of lanes) lane.replaceItems([]);
      this.#sent.findDraft();
    }
    const edits = toClearEdits(this.#editable.document, messages);
    if (edits.length > 0) await this.#editable.edit(edits);
    this.#editable.forgetUndoSteps();
  }

  /** To be called before replies of the lanes are replaced. @param runId A run whose results are changed, too. */
  keepReplaced(lanes: readonly Lane[], runId = ''): void {
    this.#kept = { kind: 'replaced', lanes: keepItems(lanes, runId), messages: [] };
    this.#version = this.#editable.version;
    appendLine(this.#journal, { kind: 'keep', lanes: lanes.map(({ id }) => id), run: runId });
  }

  /** Replaces the conversation of a lane, which can be restored. @param fill Adds the new one to the empty lane. */
  async adopt(lane: Lane, fill: () => Promise<void>): Promise<void> {
    this.keepReplaced([lane]);
    const [first] = lane.items;
    if (first) lane.cutFrom(first.id);
    await fill();
    this.#sent.linkAfterEdit();
    this.#sent.followDocument();
  }

  /** To be called when something new begins in a lane, so that restoring cannot overwrite that. */
  forget(laneId: string): void {
    if (!this.#kept?.lanes.has(laneId)) return;
    this.#kept = undefined;
    appendLine(this.#journal, { kind: 'forget' });
  }

  /** To be called while nothing runs in its lanes. It can be restored once. */
  async restore(): Promise<void> {
    const kept = this.#kept;
    if (!kept) return;
    await this.#editable.flush();
    this.#kept = undefined;
    appendLine(this.#journal, { kind: 'restore' });
    const { lanes, messages } = kept;
    for (const [id, items] of lanes) this.#lanes.findAny(id)?.replaceItems(items);
    const edits = this.#editable.isWritable ? toRestoreEdits(this.#editable.document, messages) : [];
    this.#sent.linkAfterEdit();
    if (edits.length > 0) await this.#editable.edit(edits);
    else this.#sent.followDocument();
  }
}

const keepItems = (lanes: readonly Pick<Lane, 'id' | 'items'>[], runId?: string): Kept['lanes'] =>
  new Map(lanes.map(({ id, items }) => [id, withOwnResults(items, runId)]));

/** A copy of the conversation in which this run has results of its own, because all versions of a run share them. */
export const withOwnResults = (items: readonly Item[], runId?: string): Item[] =>
  items.map((item) =>
    item.kind === 'run' && item.id === runId ? { ...item, results: new Map(item.results) } : item,
  );
