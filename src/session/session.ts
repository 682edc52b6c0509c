// An open playground: its document, its lanes with their conversations, and its runs in progress, behind one set of
// commands. Front ends follow it through views. Independent of vscode and the DOM.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import type {
  DocumentSnapshot,
  EmbeddingSnapshot,
  EnvironmentSnapshot,
  LaneEntry,
  LaneSnapshot,
  RunProgress,
} from '../protocol';
import { Conversations } from './conversation/conversation';
import { EditableDocument } from './editing/editable-document';
import { toDocumentSnapshot } from './editing/document-snapshot';
import { Embedding } from './embedding';
import { EntryBudget } from './conversation/entry-budget';
import type { Lane } from './conversation/lane';
import { addLane, removeLane } from './editing/lane-edits';
import { Lanes } from './conversation/lanes';
import { withLongFields } from './journal/journal-lines';
import { PastRuns } from './journal/past-runs';
import { Evaluation } from './evaluation/evaluation';
import type { Clock, ConnectionSource, DocumentBacking, Journal, RowsFile, RunStore } from './ports';
import { Prompts } from './prompts';
import { refuse } from './refusal';
import { Remedies } from './remedies';
import type { Restored } from './journal/restore';
import { lineFinder } from './document/place';
import type { Path } from './document/place';
import { findOffset } from './document/text/json-text';
import { restoreLanes } from './journal/restore';
import type { AgentServices } from './run/agent-run';
import { readText } from './run/record/run-record';
import { Standings } from './conversation/standings';
import { ServerChecks } from './tools/server-checks';
import { settleUnended } from './journal/unended-runs';

/** Number of entries of each lane that are loaded on opening; the others are read when they come into view. */
const LOADED_AT_FIRST = 20;
/** How long disposing waits for the last edits. */
const LAST_EDIT_TIMEOUT_MS = 1_000;

export interface SessionOptions extends Omit<AgentServices, 'knownConnections'> {
  backing: DocumentBacking;
  /** Where its runs are stored. */
  store: Pick<RunStore, 'open' | 'remove'>;
  rowsFile: RowsFile;
  /** Where requests are sent from, such as `this computer`. */
  requestsLeaveFrom: string;
}

export class Session {
  readonly #backing: DocumentBacking;
  readonly #journal: Journal;
  readonly #requestsLeaveFrom: string;
  readonly #connections: ConnectionSource;
  readonly #editable: EditableDocument;
  readonly #clock: Clock;
  readonly #lanes: Lanes;
  readonly #listeners = new Set<() => void>();
  readonly #disposeListeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  readonly conversations: Conversations;
  readonly embedding: Embedding;
  readonly evaluation: Evaluation;
  readonly past: PastRuns;
  readonly remedies: Remedies;
  readonly serverChecks: ServerChecks;
  readonly prompts: Prompts;
  #environment: EnvironmentSnapshot | undefined;
  /** Ids of the connections that the lanes named when the environment was last read. */
  #named: readonly string[] | undefined;
  #readings = 0;
  readonly #watcher = { onChange: () => this.#laneChanged(), onProgressChange: () => this.#changed() };
  readonly #standings: Standings;
  #isReady = false;
  /** Runs commands one after the other, so that each sees the effects of the one before. */
  #queue: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  /** Loads the latest part of each conversation; the connections follow when they are known. Never rejects. */
  static async open(options: SessionOptions): Promise<Session> {
    const journal = await options.store.open(options.backing.id);
    const session = new Session(
      options,
      journal,
      restoreLanes(await withLongFields(journal), await journal.isShared()),
    );
    void session.#readEnvironment();
    await Promise.all([session.#editable.resolved(), session.#loadLatest()]);
    return session;
  }

  private constructor(options: SessionOptions, journal: Journal, restored: Restored) {
    const { backing, store, rowsFile, requestsLeaveFrom, ...given } = options;
    const services = { ...given, knownConnections: () => this.#environment?.connections ?? [] };
    this.#backing = backing;
    this.#journal = journal;
    this.#requestsLeaveFrom = requestsLeaveFrom;
    this.#connections = services.connections;
    this.#clock = services.clock;
    const { clock } = services;
    this.#lanes = new Lanes(restored.lanes, { journal, clock, watcher: this.#watcher });
    this.#editable = new EditableDocument({
      backing,
      tools: services.tools,
      clock: services.clock,
      onChange: () => this.#documentChanged(),
    });
    this.conversations = new Conversations(this.#editable, services, journal, {
      all: this.#lanes,
      kept: restored.kept,
      standing: (lane) => this.#standings.read(lane),
    });
    this.#standings = new Standings({
      editable: this.#editable,
      journal,
      lanes: this.#lanes,
      conversations: this.conversations,
      connections: () => this.#environment?.connections,
    });
    this.embedding = new Embedding(this.#editable, services, journal, () => this.#changed());
    this.evaluation = new Evaluation({
      editable: this.#editable,
      services,
      journal,
      store,
      rowsFile,
      sendsNothing: backing.sendsNothing,
      connections: () => this.#environment?.connections,
      lane: (id) => this.#lanes.get(id),
      past: () => this.past,
      restorable: () => this.conversations.restorable,
      onChange: () => this.#changed(),
    });
    this.past = new PastRuns(journal, this.#editable, this.conversations, {
      lane: (id) => this.#lanes.get(id),
      knownConnections: services.knownConnections,
      sampleJournal: (runId) => this.evaluation.journalOf(runId),
    });
    this.serverChecks = new ServerChecks(this.#editable, services);
    this.remedies = new Remedies(this.#editable, this.conversations, (id) => this.#lanes.get(id));
    this.prompts = new Prompts(this.#editable, services, this.past, (laneId) =>
      this.conversations.nextMessages(laneId),
    );
    this.#isReady = true;
    this.#documentChanged();
    this.onDidDispose(settleUnended(restored, { journal, clock: this.#clock, lanes: () => this.#lanes.all }));
    this.#unsubscribe = this.#connections.onDidChange(() => void this.#readEnvironment());
  }

  /** Id of the document's backing. */
  get id(): string {
    return this.#backing.id;
  }

  get laneIds(): string[] {
    return this.#editable.document.lanes.map(({ id }) => id);
  }

  /** Undefined until the connections are known; a person may have to be asked about them first. */
  get environment(): EnvironmentSnapshot | undefined {
    return this.#environment;
  }

  /** Increases with every change of the document. */
  get documentVersion(): number {
    return this.#editable.version;
  }

  /** @returns a function that ends the subscription */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Such as `weather` for `weather.playground.json`. */
  get title(): string {
    return this.#backing.title;
  }

  /** Number of runs in progress in the lanes, plus one each for an embedding and an evaluation. */
  get runningCount(): number {
    const lanes = this.#lanes.open.filter(({ isBusy }) => isBusy).length;
    const others = [this.embedding.snapshot.since !== undefined, this.evaluation.isRunning];
    return lanes + others.filter(Boolean).length;
  }

  /** Stops all runs, the embedding and the evaluation. */
  stopAll(): void {
    this.evaluation.stop();
    this.conversations.stop();
    this.embedding.stop();
  }

  /** Called once, when the session can no longer be used. @returns a function that ends the subscription */
  onDidDispose(listener: () => void): () => void {
    this.#disposeListeners.add(listener);
    return () => this.#disposeListeners.delete(listener);
  }

  documentSnapshot(): DocumentSnapshot {
    return toDocumentSnapshot(this.#backing, this.#editable, this.conversations);
  }

  laneVersion(laneId: string): number {
    this.#standings.refresh();
    return this.#lanes.find(laneId)?.version ?? 0;
  }

  laneSnapshot(laneId: string, since: number | undefined): LaneSnapshot | undefined {
    const standing = this.#standings.of(laneId);
    const pending = () => this.#standings.pendingEntries(laneId);
    return this.#lanes.find(laneId)?.snapshot(since, pending, standing);
  }

  progressVersion(laneId: string): number {
    return this.#lanes.find(laneId)?.progressVersion ?? 0;
  }

  progress(laneId: string): RunProgress | undefined {
    return this.#lanes.find(laneId)?.progress;
  }

  get embeddingSnapshot(): EmbeddingSnapshot {
    return this.embedding.snapshot;
  }

  /** Reads entries of a lane, their runs from the store: as many as fit into one frame, and at least one. */
  async readEntries(laneId: string, entryIds: readonly string[]): Promise<LaneEntry[]> {
    const lane = this.#lanes.get(laneId);
    const budget = new EntryBudget();
    const entries: LaneEntry[] = [];
    for (const id of entryIds) {
      if (budget.isFull) break;
      const entry = await this.#readEntry(lane, id);
      if (entry && budget.take(entry)) entries.push(entry);
    }
    return entries;
  }

  async #readEntry(lane: Lane, entryId: string): Promise<LaneEntry | undefined> {
    const isWanted = ({ id }: { id: string }): boolean => id === entryId;
    await this.conversations.load(lane, lane.items.filter(isWanted));
    const items = lane.items.filter(isWanted);
    lane.reveal(items);
    return items[0] && lane.entry(items[0]);
  }

  /** Line in the document's text, from 1, of what stands at the path, or of what is around it; undefined if it is not readable. */
  lineOf(path: Path): number | undefined {
    const { tree } = this.#editable;
    return tree && lineFinder(tree.text)(findOffset(tree.root, path));
  }

  /** Reads the whole of a text that an entry shows only in part. */
  async readText(laneId: string, entryId: string, path: string): Promise<string> {
    const sample = await this.past.sampleRecord(entryId);
    const ofSample = sample && readText(sample, path);
    if (ofSample !== undefined) return ofSample;
    const lane = this.#lanes.get(laneId);
    await this.#readEntry(lane, entryId);
    const item = lane.items.find(({ id }) => id === entryId);
    const text = item?.kind === 'message' ? item.message.content : undefined;
    const result = /^results\.(\d+)\.content$/.exec(path)?.[1];
    const found =
      item?.kind !== 'run'
        ? text
        : result === undefined
          ? item.record && readText(item.record, path)
          : item.results.get(Number(result))?.content;
    if (found !== undefined) return found;
    throw refuse(t('The text is no longer available.'), t('Run again.'));
  }

  /** Runs commands one after the other. */
  command<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => {
      if (this.#isDisposed) throw refuse(t('The playground was closed.'), t('Open it again.'));
      return work();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  get editable(): EditableDocument {
    return this.#editable;
  }

  /** @returns the id of the new lane, which follows the one that it copies */
  addLane(copyOf: string | undefined, change: object): Promise<string> {
    return addLane(this.#editable, copyOf, change, this.#lanes.removedIds);
  }

  async removeLane(laneId: string): Promise<void> {
    await removeLane(this.#editable, laneId);
    this.#lanes.stopRemoved(laneId);
  }

  /** Resolves when everything so far is saved. */
  async flush(): Promise<void> {
    await this.#editable.flush().catch(() => undefined);
    this.#keepProgress();
    await this.#journal.flush();
  }

  /**
   * Interrupts all runs and stores what has arrived of them; nothing is written afterwards. The journal does not wait for
   * the document: an editor that is closing may never answer an edit.
   */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#unsubscribe();
    this.#listeners.clear();
    for (const end of this.#disposeListeners) end();
    this.#keepProgress();
    void this.#journal.flush();
    const stop = (): void => {
      this.conversations.close();
      this.embedding.close();
    };
    // Waits for commands that have begun, so that they start nothing afterwards.
    await this.#waitForEdits();
    this.#editable.dispose();
    this.#keepProgress();
    // The journal is closed first, so that the stop below is not stored as the way in which the runs ended.
    const closed = Promise.all([this.#journal.close(), this.evaluation.close()]);
    stop();
    void this.#queue.then(stop);
    await closed;
  }

  #keepProgress(): void {
    for (const lane of this.#lanes.all) lane.keepProgress();
  }

  /** Waits, for a limited time, for the last typed edits and for the commands that have begun. */
  async #waitForEdits(): Promise<void> {
    const flush = (): Promise<void> => this.#editable.flush().catch(() => undefined);
    const done = Promise.all([flush(), this.#queue.then(flush)]);
    let cancelTimer: (() => void) | undefined;
    const timeout = new Promise<void>((resolve) => {
      cancelTimer = this.#clock.after(LAST_EDIT_TIMEOUT_MS, resolve);
    });
    await Promise.race([done, timeout]);
    cancelTimer?.();
  }

  /** Of the lanes, in their order. */
  #connectionIds(): string[] {
    return this.#editable.document.lanes.map(({ connection }) => connection);
  }

  async #readEnvironment(): Promise<void> {
    const reading = ++this.#readings;
    this.#named = this.#connectionIds();
    const connections = await this.#connections.views(this.#named).catch(() => []);
    // An older list that arrives late must not replace a newer one.
    if (reading !== this.#readings) return;
    const version = (this.#environment?.version ?? 0) + 1;
    this.#environment = { version, connections, requestsLeaveFrom: this.#requestsLeaveFrom };
    this.#standings.invalidate();
    this.evaluation.follow();
    this.#changed();
  }

  async #loadLatest(): Promise<void> {
    for (const lane of this.#lanes.open) {
      const latest = lane.items.slice(-LOADED_AT_FIRST);
      await Promise.all([this.conversations.load(lane, latest), this.#standings.load(lane)]);
      lane.reveal(latest);
    }
  }

  #documentChanged(): void {
    // The document already reads its text, and calls this, while the constructor is running.
    if (!this.#isReady) return;
    this.#lanes.follow(this.laneIds);
    this.conversations.followDocument();
    this.#standings.invalidate();
    this.evaluation.follow();
    if (this.#named && !isDeepStrictEqual(this.#named, this.#connectionIds())) void this.#readEnvironment();
    this.#changed();
  }

  #laneChanged(): void {
    if (this.#isReady && this.#standings.invalidate()) this.#changed();
  }

  #changed(): void {
    if (this.#isDisposed) return;
    for (const listener of this.#listeners) listener();
  }
}
