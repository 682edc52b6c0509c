// One lane of an open playground: its conversation, what is under way in it, and what a view has not seen of it yet. Every
// change goes through here, into the journal and to whoever watches. Knows neither the document nor other lanes.
import type { AgentEnding, LaneEntry, LaneSnapshot, RunProgress, RunState } from '../protocol';
import type { Message } from '../types';
import { fitEntries } from './entry-room';
import { appendLine } from './large-lines';
import type { Journal } from './ports';
import type { RunRecord } from './run/run-record';
import type { WireRecord } from './run/wire-record';
import { appendEnding, appendRecord, appendWire } from './run-lines';
import type { Item, MessageItem, RunItem, ToolAnswer } from './transcript';
import { toEntry } from './transcript';

/** Asked for by the lane: what is under way, as far as it came. */
export interface ProgressSource {
  view: () => RunProgress | undefined;
  /** Writes what has arrived, as far as it is not written. */
  keep: () => void;
}

export interface LaneWatcher {
  /** The lane itself is another one. */
  onChange: () => void;
  /** The run under way has come further. Often: once for each piece of a stream. */
  onNews: () => void;
}

export class Lane {
  readonly id: string;
  readonly #journal: Journal;
  readonly #watcher: LaneWatcher;
  #items: Item[];
  #run: RunState | null = null;
  #version = 1;
  #orderVersion = 1;
  readonly #entryVersions = new Map<string, number>();
  readonly #entries = new Map<string, LaneEntry>();
  /** Runs that were read from the store for what is sent, and that no view has asked for. */
  readonly #filled = new Set<string>();
  /** Ends what is under way. */
  controller: AbortController | undefined;
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

  /** One more with each piece of news about the run under way. */
  get progressVersion(): number {
    return this.#progressVersion;
  }

  get progress(): RunProgress | undefined {
    return this.#progress?.view();
  }

  /** What has arrived of the reply under way is written. */
  keepProgress(): void {
    this.#progress?.keep();
  }

  setProgress(source: ProgressSource | undefined): void {
    this.#progress = source;
    this.hasNews();
  }

  readonly hasNews = (): void => {
    this.#progressVersion++;
    this.#watcher.onNews();
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
    const line = { kind: 'message', lane: this.id, id: item.id, at: Date.now(), message };
    appendLine(this.#journal, line, `message:${item.id}`);
    this.#append(item);
    return item;
  }

  beginRun(runId: string, asked: { connectionId: string; model: string; step?: RunItem['step'] }): void {
    const { step } = asked;
    this.#journal.append({ kind: 'run', lane: this.id, id: runId, at: Date.now(), ...asked });
    this.#append({ kind: 'run', id: runId, step, results: new Map(), asked: new Set() });
  }

  /** A piece of a reply that is still being written, for the case that its end is never seen. */
  keepPartial(runId: string, piece: Record<string, unknown>): void {
    this.#journal.append({ kind: 'partial', id: runId, ...piece });
  }

  /** What a chat came to, and what went over the wire for it. Told again, it is written once. */
  setRecord(runId: string, record: RunRecord, wire?: WireRecord): void {
    if (this.findRun(runId)?.record === record) return;
    if (wire) appendWire(this.#journal, runId, wire);
    this.#change(runId, (item) => ({ ...item, record, isStored: undefined, verdict: record.verdict }));
    appendRecord(this.#journal, record);
  }

  /** What was read from the store; nothing new, so a view is not told before it asks. */
  fillRecord(runId: string, record: RunRecord): void {
    // somebody else may have read it meanwhile
    if (this.findRun(runId)?.record) return;
    this.#filled.add(runId);
    this.#replace(runId, (item) => ({ ...item, record, isStored: undefined }));
  }

  /** What was read of these is shown from now on, in every view. */
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
    appendLine(this.#journal, { kind: 'result', run: runId, call, result }, `result:${runId}:${call}`);
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

  /** Takes this item and what follows it out of the conversation. */
  cutFrom(itemId: string): void {
    const index = this.#items.findIndex(({ id }) => id === itemId);
    if (index < 0) return;
    this.#journal.append({ kind: 'cut', lane: this.id, from: itemId });
    this.replaceItems(this.#items.slice(0, index));
  }

  /** Another conversation in place of this one; the journal is told by the caller. */
  replaceItems(items: Item[]): void {
    this.#items = items;
    const kept = new Set(items.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!kept.has(id)) this.#entries.delete(id);
    this.#changed();
    this.#orderVersion = this.#version;
    for (const { id } of items) this.#entryVersions.set(id, this.#version);
  }

  findRun(runId: string): RunItem | undefined {
    // it is mostly the last one that is asked for
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
   * @param since What the view has; undefined: all of it, as far as there is room in a frame.
   * @param pending What the document has beyond the conversation; drawn after it, and told with the order.
   */
  snapshot(since: number | undefined, pending: () => readonly LaneEntry[]): LaneSnapshot {
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
    };
  }

  /** What the document has beyond the conversation is another one now. */
  reorder(): void {
    this.#changed();
    this.#orderVersion = this.#version;
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

  /** @returns false when it is gone: a conversation may be cleared while an answer is on its way */
  #replace(runId: string, change: (item: RunItem) => RunItem): boolean {
    const index = this.#items.findLastIndex((item) => item.kind === 'run' && item.id === runId);
    const item = this.#items[index];
    if (item?.kind !== 'run') return false;
    // in place: the messages are the same ones, and a run of many calls changes often
    this.#items[index] = change(item);
    this.#entries.delete(runId);
    return true;
  }

  #changed(): void {
    this.#version++;
    this.#watcher.onChange();
  }
}
