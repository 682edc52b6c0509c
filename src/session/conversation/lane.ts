// One lane of an open playground: its conversation, its run in progress, and what changed since a view last read it. Every
// change goes through here, to the journal and the watcher. Independent of the document and other lanes.
import type {
  AgentEnding,
  LaneEntry,
  LaneSnapshot,
  LaneStanding,
  RunProgress,
  RunState,
} from '../../protocol';
import type { Message } from '../../types';
import { fitEntries } from './entry-budget';
import type { ReplyPiece } from '../journal/journal-lines';
import { appendLine } from '../journal/journal-lines';
import type { Journal } from '../ports';
import type { RunRecord } from '../run/record/run-record';
import type { BegunRun, ProgressSource, RunSink } from '../run/run-sink';
import type { RunWire } from '../run/record/wire-record';
import type { Setup } from '../run/setup';
import { appendEnding, appendRecord, appendSetup, appendWire } from '../journal/run-lines';
import type { Item, MessageItem, RunItem, ToolAnswer } from './transcript';
import { toEntry } from './transcript';

export interface LaneWatcher {
  /** Called when the lane's snapshot has changed. */
  onChange: () => void;
  /** Called when the run in progress has advanced. Frequent: once for each piece of a stream. */
  onProgressChange: () => void;
}

export class Lane implements RunSink {
  readonly id: string;
  readonly #journal: Journal;
  readonly #watcher: LaneWatcher;
  #items: Item[];
  #run: RunState | null = null;
  #version = 1;
  #orderVersion = 1;
  readonly #entryVersions = new Map<string, number>();
  readonly #entries = new Map<string, LaneEntry>();
  /** Ids of runs whose record was loaded only to be sent to a model: views do not show it until they ask for it. */
  readonly #filled = new Set<string>();
  /** Aborts the run in progress; undefined when there is none. */
  controller: AbortController | undefined;
  /** Id of the setup that was stored last: the steps of an agent run share one. */
  #setupId: string | undefined;
  #heldSetup: { runId: string; setup: Setup } | undefined;
  #progress: ProgressSource | undefined;
  #progressVersion = 0;

  constructor(id: string, items: Item[], journal: Journal, watcher: LaneWatcher) {
    this.id = id;
    this.#items = items;
    this.#journal = journal;
    this.#watcher = watcher;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get run(): RunState | null {
    return this.#run;
  }

  get isBusy(): boolean {
    return this.controller !== undefined;
  }

  get version(): number {
    return this.#version;
  }

  /** Increases with every change of the progress of the run. */
  get progressVersion(): number {
    return this.#progressVersion;
  }

  get progress(): RunProgress | undefined {
    return this.#progress?.view();
  }

  /** Stores what has arrived of the reply in progress. */
  keepProgress(): void {
    this.#progress?.keep();
  }

  setProgress(source: ProgressSource | undefined): void {
    this.#progress = source;
    this.progressChanged();
  }

  readonly progressChanged = (): void => {
    this.#progressVersion++;
    this.#watcher.onProgressChange();
  };

  setRun(run: RunState | null): void {
    this.#run = run;
    this.#changed();
  }

  changeRun(change: Partial<RunState>): void {
    if (this.#run) this.setRun({ ...this.#run, ...change });
  }

  addMessage(message: Message): MessageItem {
    const item: MessageItem = { kind: 'message', id: crypto.randomUUID(), message };
    const line = { kind: 'message' as const, lane: this.id, id: item.id, at: Date.now(), message };
    appendLine(this.#journal, line);
    this.#append(item);
    return item;
  }

  beginRun(runId: string, begun: BegunRun): void {
    appendLine(this.#journal, { kind: 'run', lane: this.id, id: runId, at: Date.now(), ...begun });
    this.#append({ kind: 'run', id: runId, step: begun.step, results: new Map(), asked: new Set() });
  }

  setSetup(runId: string, setup: Setup): void {
    appendSetup(this.#journal, runId, setup, setup.id === this.#setupId);
    this.#setupId = setup.id;
    this.holdSetup(runId, setup);
  }

  /** Keeps the setup of the last run, which was made just now or read from the store. */
  holdSetup(runId: string, setup: Setup): void {
    this.#heldSetup = { runId, setup };
    this.#changed();
  }

  /** The last run and, if it is held, its setup; undefined before the first run. */
  get lastRun(): { run: RunItem; setup: Setup | undefined } | undefined {
    const run = this.#items.findLast((item): item is RunItem => item.kind === 'run');
    const { runId, setup } = this.#heldSetup ?? {};
    // The steps of an agent run share their setup, which the next step has before it begins.
    const isOfRun = run && (run.id === runId || run.record?.setup === setup?.id);
    return run && { run, setup: isOfRun ? setup : undefined };
  }

  /** Stores a piece of a reply in progress, in case its end never arrives. */
  keepPartial(runId: string, piece: ReplyPiece): void {
    appendLine(this.#journal, { kind: 'partial', id: runId, ...piece });
  }

  setRecord(runId: string, record: RunRecord, wire?: Pick<RunWire, 'record'>): void {
    if (wire) appendWire(this.#journal, runId, wire.record());
    this.showRecord(record);
    appendRecord(this.#journal, record);
  }

  /** The same for an outcome that the journal already has. */
  showRecord(record: RunRecord): void {
    const { verdict } = record;
    this.#change(record.runId, (item) => ({ ...item, record, isStored: undefined, verdict }));
  }

  /** Sets a record that was loaded from the store. Views are not notified: they ask for the record when they need it. */
  fillRecord(runId: string, record: RunRecord): void {
    // Another call may have loaded it in the meantime.
    if (this.findRun(runId)?.record) return;
    this.#filled.add(runId);
    this.#replace(runId, (item) => ({ ...item, record, isStored: undefined }));
  }

  /** Shows the loaded records of these items from now on, in every view. */
  reveal(items: readonly Item[]): void {
    const shown = items.filter(({ id }) => this.#filled.delete(id));
    if (shown.length === 0) return;
    this.#changed();
    for (const { id } of shown) {
      this.#entries.delete(id);
      this.#entryVersions.set(id, this.#version);
    }
  }

  setResult(runId: string, call: number, result: ToolAnswer): void {
    this.#change(runId, (item) => {
      item.results.set(call, result);
      item.asked.delete(call);
      return { ...item };
    });
    appendLine(this.#journal, { kind: 'result', run: runId, call, result });
  }

  setAsked(runId: string, call: number, isAsked: boolean): void {
    this.#change(runId, (item) => {
      if (isAsked) item.asked.add(call);
      else item.asked.delete(call);
      return { ...item };
    });
  }

  setEnding(runId: string, ending: AgentEnding): void {
    this.#change(runId, (item) => ({ ...item, ending }));
    appendEnding(this.#journal, runId, ending);
  }

  /** Removes this item and everything after it from the conversation. */
  cutFrom(itemId: string): void {
    const index = this.#items.findIndex(({ id }) => id === itemId);
    if (index < 0) return;
    appendLine(this.#journal, { kind: 'cut', lane: this.id, from: itemId });
    this.replaceItems(this.#items.slice(0, index));
  }

  /** Replaces the conversation. The caller writes the journal. */
  replaceItems(items: Item[]): void {
    const kept = new Set(items);
    for (const item of this.#items) if (!kept.has(item)) this.#entries.delete(item.id);
    this.#items = items;
    this.#changed();
    this.#orderVersion = this.#version;
    for (const { id } of items) this.#entryVersions.set(id, this.#version);
  }

  findRun(runId: string): RunItem | undefined {
    // Searched from the end, because mostly the last run is asked for.
    return this.#items.findLast((item): item is RunItem => item.kind === 'run' && item.id === runId);
  }

  entry(item: Item): LaneEntry {
    const known = this.#entries.get(item.id);
    if (known) return known;
    const isHidden = item.kind === 'run' && this.#filled.has(item.id);
    const entry = toEntry(isHidden ? { ...item, record: undefined, isStored: true } : item);
    this.#entries.set(item.id, entry);
    return entry;
  }

  /**
   * @param since Version that the view has; undefined: everything, as far as one frame has room.
   * @param pending Messages that the document has beyond the conversation. They are shown after it, and sent with the order.
   */
  snapshot(
    since: number | undefined,
    pending: () => readonly LaneEntry[],
    standing: LaneStanding = {},
  ): LaneSnapshot {
    const isOrderNew = since === undefined || this.#orderVersion > since;
    const behind = isOrderNew ? pending() : [];
    const isNew = ({ id }: Item): boolean =>
      since === undefined || (this.#entryVersions.get(id) ?? 0) > since;
    const entries = fitEntries(this.#items.filter(isNew).map((item) => this.entry(item)));
    return {
      id: this.id,
      version: this.#version,
      ...(since !== undefined && { since }),
      ...(isOrderNew && { order: [...this.#items, ...behind].map(({ id }) => id) }),
      entries: [...entries, ...behind],
      run: this.#run,
      ...standing,
    };
  }

  /** To be called when the standing or, with `isReordered`, the pending messages have changed. */
  restate(isReordered: boolean): void {
    this.#changed();
    if (isReordered) this.#orderVersion = this.#version;
  }

  #append(item: Item): void {
    this.#items = [...this.#items, item];
    this.#changed();
    this.#orderVersion = this.#version;
    this.#entryVersions.set(item.id, this.#version);
  }

  #change(runId: string, change: (item: RunItem) => RunItem): void {
    if (!this.#replace(runId, change)) return;
    this.#filled.delete(runId);
    this.#changed();
    this.#entryVersions.set(runId, this.#version);
  }

  /** @returns false when the run is gone: the conversation may be cleared while a reply is on its way */
  #replace(runId: string, change: (item: RunItem) => RunItem): boolean {
    const index = this.#items.findLastIndex((item) => item.kind === 'run' && item.id === runId);
    const item = this.#items[index];
    if (item?.kind !== 'run') return false;
    // In place: a copy of the list would count as another conversation, and a run of many calls changes often.
    this.#items[index] = change(item);
    this.#entries.delete(runId);
    return true;
  }

  #changed(): void {
    this.#version++;
    this.#watcher.onChange();
  }
}
