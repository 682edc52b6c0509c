// A recording: the server that passes the requests of a program on, the book in which they are stored, and what a page shows of
// both. Independent of vscode.
import { t } from '@vscode/l10n';
import { setTimeout as later } from 'node:timers';
import type { NetworkOptions } from '../../library';
import type {
  ErrorInfo,
  RecordedConnection,
  RecordedRow,
  RecordingChange,
  RecordingSnapshot,
} from '../../protocol';
import type { Passage, Recording } from '../../recording';
import type { RecordingBook } from '../../session';
import type { RecordedExchange } from '../../types';
import type { Engine } from '../load-engine';

/** Where requests go, as it was resolved when the recording began: later changes of the settings do not redirect it. */
export interface RecordedTarget {
  connection: RecordedConnection;
  /** Base URL of the server, without a query. */
  target: string;
  clients: readonly RecordingSnapshot['clients'][number]['kind'][];
  model?: string | undefined;
  network?: NetworkOptions | undefined;
  key: RecordingSnapshot['key'];
  /** The key of the connection for programs that send none; absent when it is not to be added. */
  findKey?: (() => Promise<string | undefined>) | undefined;
}

/** What is known of a recording that does not run. */
export type Ended = Pick<RecordingSnapshot, 'state' | 'problem' | 'file' | 'since'>;

export interface LiveOptions {
  /** Id under which it is stored. */
  id: string;
  engine: Pick<
    Engine,
    'clientAddress' | 'programOf' | 'readChat' | 'Records' | 'startRecording' | 'toRowStart'
  >;
  /** Opens the book; with a number, empties it, and the first request has this number. */
  openBook: (options: {
    first?: number | undefined;
    server: () => { connectionId: string; label: string };
    onRow: (row: RecordedRow) => void;
  }) => Promise<RecordingBook>;
  requestsLeaveFrom: string;
  /** What can be recorded, and the server of a recording that does not run. */
  connections: () => readonly RecordedConnection[];
  explain: (error: unknown) => Promise<ErrorInfo>;
  /** Called when an exchange cannot be stored. */
  onProblem: (error: unknown) => void;
  /** Called after each exchange that was stored. */
  onStored: () => void;
}

const NOTHING: RecordedTarget = {
  connection: { id: '', label: '' },
  target: '',
  clients: [],
  key: 'none',
};
const CHANGE_MS = 250;

export class LiveRecording {
  readonly id: string;
  readonly #options: LiveOptions;
  #records: InstanceType<Engine['Records']>;
  readonly #listeners = new Set<(change: RecordingChange) => void>();
  /** Requests that are under way, by their number. */
  readonly #underWay = new Map<number, { row: RecordedRow; passage: Passage; isRead: boolean }>();
  /** Rows that changed since the listeners were told. */
  readonly #changed = new Map<number, RecordedRow>();
  #book: Promise<RecordingBook>;
  #target: RecordedTarget;
  #ended: Ended;
  #recording: Recording | undefined;
  #address: Pick<Recording, 'address' | 'root'> = { address: '', root: '' };
  #isRepairing = false;
  #version = 0;
  #first = 1;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;
  #isSnapshotNew = false;

  constructor(options: LiveOptions, ended: Ended, target: RecordedTarget = NOTHING) {
    this.id = options.id;
    this.#options = options;
    this.#records = new options.engine.Records();
    this.#ended = ended;
    this.#target = target;
    this.#book = this.#openBook();
  }

  /** Resolves when what was stored before is known. */
  async opened(): Promise<this> {
    const { first, last } = await this.#book;
    this.#first = Math.max(this.#first, first);
    this.#last = Math.max(this.#last, last);
    return this;
  }

  get isRunning(): boolean {
    return this.#recording !== undefined;
  }

  get label(): string {
    return this.#target.connection.label;
  }

  get count(): number {
    return this.#last - this.#first + 1;
  }

  get root(): string {
    return this.#address.root;
  }

  get target(): RecordedTarget {
    return this.#target;
  }

  book(): Promise<RecordingBook> {
    return this.#book;
  }

  snapshot(): RecordingSnapshot {
    const { connection, target, clients, key, model } = this.#target;
    const { requestsLeaveFrom, connections, engine } = this.#options;
    return {
      version: this.#version,
      ...this.#ended,
      ...this.#address,
      connection,
      connections: connections(),
      clients: clients.map((kind) => ({ kind, baseUrl: engine.clientAddress(kind, this.#address) })),
      ...(model !== undefined && { model }),
      target,
      key,
      isRepairing: this.#isRepairing,
      requestsLeaveFrom,
      first: this.#first,
      last: this.#last,
    };
  }

  /** In the order of their numbers, those under way among them. */
  async rows(from: number): Promise<RecordedRow[]> {
    const stored = (await this.#book).rows(from);
    const most = stored.length === 0 ? Number.POSITIVE_INFINITY : (stored.at(-1)?.number ?? 0);
    const open = [...this.#underWay.values(), ...[...this.#changed.values()].map((row) => ({ row }))]
      .map(({ row }) => row)
      .filter(({ number }) => number >= from && (number <= most || stored.length < MAX_ROWS));
    const all = new Map([...open, ...stored].map((row) => [row.number, row]));
    return [...all.values()].toSorted((one, other) => one.number - other.number).slice(0, MAX_ROWS);
  }

  /** @returns a function that ends the subscription */
  onDidChange(listener: (change: RecordingChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records at a new address; what was under way at the earlier one ends. Never rejects. */
  async start(target: RecordedTarget): Promise<void> {
    await this.stop();
    await this.opened();
    this.#records = new this.#options.engine.Records((await this.#book).lastSession);
    this.#target = target;
    this.#address = { address: '', root: '' };
    this.#change({ state: 'starting', since: Date.now() });
    const base = this.#last;
    try {
      this.#recording = await this.#options.engine.startRecording({
        target: target.target,
        network: target.network,
        findKey: target.findKey,
        isRepairing: () => this.#isRepairing,
        onChange: (passage) => this.#take(passage, base + passage.number),
      });
      (await this.#book).note(false);
      const { address, root } = this.#recording;
      this.#address = { address, root };
      this.#change({ state: this.count > 0 ? 'recording' : 'waiting', since: Date.now() });
    } catch (error) {
      this.#change({ state: 'stopped', since: Date.now(), problem: await this.#options.explain(error) });
    }
  }

  /**
   * Ends what is under way. The address stays known, but nothing answers there any more.
   * @param isNoted Whether it is stored that the person stopped it.
   */
  async stop({ isNoted = false } = {}): Promise<void> {
    const recording = this.#recording;
    if (!recording) return;
    this.#recording = undefined;
    await recording.close();
    const book = await this.#book;
    await book.flush();
    if (isNoted) book.note(true);
    this.#change({ state: 'stopped', since: this.#ended.since });
  }

  /** Shows what is stored of an earlier time. @param problem Why it ended, unless the person stopped it. */
  async restore(label: string, problem: ErrorInfo | undefined): Promise<void> {
    await this.opened();
    const { head } = await this.#book;
    this.#target = { ...NOTHING, connection: { id: head?.connectionId ?? '', label: head?.label ?? label } };
    const { at = this.#ended.since, isStopped } = head ?? {};
    this.#change({ state: 'stopped', since: at, ...(!isStopped && problem && { problem }) });
  }

  /** Holds from the next request on. */
  repair(isOn: boolean): void {
    this.#isRepairing = isOn;
    this.#change(this.#ended);
  }

  /** Removes what was recorded; the numbers go on. */
  async clear(): Promise<void> {
    const before = await this.#book;
    this.#book = before.close().then(() => this.#openBook(this.#last + 1));
    await this.#book;
    this.#first = this.#last + 1;
    this.#changed.clear();
    const isWaiting = this.isRunning && this.#underWay.size === 0;
    this.#change(isWaiting ? { ...this.#ended, state: 'waiting' } : this.#ended);
  }

  /** Stores an exchange that was recorded elsewhere. */
  async add(exchange: RecordedExchange): Promise<void> {
    const number = this.#last + 1;
    this.#last = number;
    await (await this.#book).add({ ...exchange, number });
  }

  async close(): Promise<void> {
    await this.stop();
    clearTimeout(this.#timer);
    this.#listeners.clear();
    await (await this.#book).close();
  }

  #openBook(first?: number): Promise<RecordingBook> {
    return this.#options.openBook({
      first,
      server: () => ({ connectionId: this.#target.connection.id, label: this.#target.connection.label }),
      onRow: (row) => {
        this.#underWay.delete(row.number);
        this.#show(row);
        this.#options.onStored();
      },
    });
  }

  #take(passage: Passage, number: number): void {
    const { engine, onProblem } = this.#options;
    const { startedAt, userAgent, method, path } = passage;
    const program = engine.programOf(userAgent);
    const known = this.#underWay.get(number);
    const start = known?.row ?? engine.toRowStart({ number, startedAt, program, method, path });
    if (number > this.#last) {
      this.#last = number;
      if (this.#ended.state === 'waiting') this.#change({ ...this.#ended, state: 'recording' });
      else this.#isSnapshotNew = true;
    }
    const row: RecordedRow = {
      ...start,
      phase: passage.status === undefined ? 'waiting' : 'reading',
      ...(passage.status !== undefined && { status: passage.status }),
    };
    this.#underWay.set(number, { row, passage, isRead: known?.isRead ?? false });
    this.#show(row);
    if (passage.endMs === undefined) return;
    const exchange = this.#records.toRecord(passage);
    if (!exchange) return this.#endUnsent(passage, start);
    // It began before everything was cleared.
    if (number < this.#first) return void this.#underWay.delete(number);
    this.#book.then((book) => book.add({ ...exchange, number })).catch(onProblem);
  }

  /** The program left before anything was sent, so nothing is stored. */
  #endUnsent({ endMs = 0 }: Passage, start: RecordedRow): void {
    this.#underWay.delete(start.number);
    const { phase: _phase, ...row } = start;
    this.#show({
      ...row,
      endMs: Math.round(endMs),
      verdict: { kind: 'stopped', detail: t('by the program') },
    });
  }

  #show(row: RecordedRow): void {
    if (row.number < this.#first) return;
    this.#changed.set(row.number, row);
    this.#tellSoon();
  }

  #change(ended: Ended): void {
    this.#ended = ended;
    this.#version += 1;
    this.#isSnapshotNew = true;
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#timer ??= later(() => this.#tell(), CHANGE_MS).unref();
  }

  #tell(): void {
    this.#timer = undefined;
    this.#readUnderWay();
    const rows = [...this.#changed.values()];
    this.#changed.clear();
    const change = { ...(this.#isSnapshotNew && { snapshot: this.snapshot() }), rows };
    this.#isSnapshotNew = false;
    for (const listener of this.#listeners) listener(change);
  }

  /** Reads what those ask that take long; reading all of them would delay their replies. */
  #readUnderWay(): void {
    for (const [number, open] of this.#underWay) {
      if (open.isRead || open.row.phase !== 'reading' || !open.passage.protocol) continue;
      const chat = this.#options.engine.readChat(open.passage.requestText());
      const row = {
        ...open.row,
        ...(chat && { messages: chat.messages, tools: chat.tools.length }),
        ...(chat?.model !== undefined && { model: chat.model.slice(0, MAX_MODEL) }),
      };
      this.#underWay.set(number, { ...open, row, isRead: true });
      this.#changed.set(number, row);
    }
  }
}

const MAX_ROWS = 1_000;
const MAX_MODEL = 200;
