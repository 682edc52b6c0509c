// What was recorded of another program: each exchange is stored in a journal, the chats among them as runs, and read back for
// the list, the inspector and exports. Sends nothing; knows of no server that records.
import { t } from '@vscode/l10n';
import type { ExportedRun } from '../../inspect';
import type { ConnectionView, LaneEntry, RecordedRow } from '../../protocol';
import { RECORDING_LIMIT } from '../../protocol';
import type { RecordedExchange } from '../../types';
import { EntryBudget } from '../conversation/entry-budget';
import type { SessionLine } from '../journal/journal-lines';
import { appendLine, readLine } from '../journal/journal-lines';
import type { ReadRun } from '../journal/run-lines';
import {
  appendRecord,
  appendSetup,
  appendWire,
  bodyKey,
  headOf,
  readBeside,
  readStored,
  readWire,
} from '../journal/run-lines';
import type { Journal } from '../ports';
import { refuse } from '../refusal';
import { exportedRun } from '../run/record/exported-run';
import { lostRecord, toRunOutcome } from '../run/record/run-record';
import type { WireRecord } from '../run/record/wire-record';
import type { ReadServices, RecordedServer } from './recorded-run';
import { readRecorded, wireOf } from './recorded-run';
import { toRow } from './recorded-row';

export interface BookOptions {
  journal: Journal;
  services: ReadServices;
  /** Asked for each exchange: it may be recorded again with another connection. */
  server: () => RecordedServer;
  /** Number of the first request. @default 1 */
  first?: number | undefined;
  /** Called with each row that is complete and stored. */
  onRow?: ((row: RecordedRow) => void) | undefined;
}

/** What is stored of a recording. */
export interface StoredExchanges {
  exchanges: RecordedExchange[];
  /** Number of the requests that are listed, but no longer stored. */
  lost: number;
}

type LineOf<Kind> = Extract<SessionLine, { kind: Kind }>;

export class RecordingBook {
  readonly #options: BookOptions;
  /** By the number of the request, in their order. */
  readonly #rows = new Map<number, RecordedRow>();
  /** Ids under which requests are stored, by number. */
  readonly #ids = new Map<number, string>();
  readonly #setups = new Set<string>();
  #queue: Promise<unknown> = Promise.resolve();
  #first = 1;
  #last = 0;
  #head: LineOf<'recording'> | undefined;
  #views: Promise<ConnectionView[]> | undefined;

  constructor(options: BookOptions) {
    this.#options = options;
    this.#first = options.first ?? 1;
    this.#last = this.#first - 1;
    for (const stored of options.journal.lines) {
      const line = readLine(stored);
      if (line?.kind === 'exchange') this.#keep(line.row, line.id);
      if (line?.kind === 'recording') this.#head = line;
      if (line?.kind === 'setup') this.#setups.add(line.setup);
    }
    const [first] = this.#rows.keys();
    if (first !== undefined) this.#first = first;
  }

  /** Number of the first request that is kept. */
  get first(): number {
    return this.#first;
  }

  /** Number of the last request that was stored. */
  get last(): number {
    return this.#last;
  }

  /** What is recorded; undefined before the first request. */
  get head(): Omit<LineOf<'recording'>, 'kind'> | undefined {
    return this.#head;
  }

  /** Of all requests that are kept. @param session Only of this conversation. */
  numbers(session?: number): number[] {
    const rows = [...this.#rows.values()].filter((row) => session === undefined || row.session === session);
    return rows.map(({ number }) => number).toSorted((one, other) => one - other);
  }

  /** In the order of their numbers. @param from Number of the first one. */
  rows(from: number, most: number = RECORDING_LIMIT.rowsInFrame): RecordedRow[] {
    const found: RecordedRow[] = [];
    for (const row of [...this.#rows.values()].toSorted((one, other) => one.number - other.number)) {
      if (row.number >= from) found.push(row);
      if (found.length >= most) break;
    }
    return found;
  }

  /**
   * Stores an exchange, after those that were added before it. Reading a long reply takes long, so others get their turn
   * between two.
   */
  add(exchange: RecordedExchange): Promise<void> {
    const server = this.#options.server();
    const added = this.#queue.then(() => this.#add(exchange, server)).then(nextTurn);
    this.#queue = added.catch(() => undefined);
    return added;
  }

  /** Resolves when everything that was added is stored. */
  async flush(): Promise<void> {
    await this.#queue;
    await this.#options.journal.flush();
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#options.journal.close();
  }

  async #add(exchange: RecordedExchange, server: RecordedServer): Promise<void> {
    const { journal, services, onRow } = this.#options;
    const runId = crypto.randomUUID();
    this.#views ??= services.connections.views();
    const views = await this.#views;
    const run = await readRecorded(services, exchange, { server, views, runId });
    const row = toRow(exchange, run);
    this.#addHead(exchange, server);
    if (run) {
      const { record, setup, wire } = run;
      const { connectionId, model, startedAt } = record;
      const question = headOf(setup.messages.findLast(({ role }) => role === 'user')?.content ?? '');
      const askedBy = exchange.program === '' ? t('a program') : exchange.program;
      const start = { id: runId, at: startedAt, connectionId, model };
      appendLine(journal, { kind: 'replay', ...start, question, askedBy });
      appendSetup(journal, runId, setup, this.#setups.has(setup.id));
      this.#setups.add(setup.id);
      appendWire(journal, runId, wire);
      appendRecord(journal, { ...record, askedBy });
      appendLine(journal, { kind: 'exchange', about: bodyKey(runId), id: runId, row });
    } else {
      appendWire(journal, runId, wireOf(exchange, nothingSet(exchange, server)));
      const body = { key: bodyKey(runId), value: {} };
      appendLine(journal, { kind: 'exchange', about: bodyKey(runId), id: runId, row }, body);
    }
    this.#keep(row, runId);
    onRow?.(row);
  }

  #addHead({ startedAt }: RecordedExchange, { connectionId, label }: RecordedServer): void {
    if (!this.#head) this.#setHead({ kind: 'recording', at: startedAt, connectionId, label });
  }

  /** Stores that it was stopped, or that it goes on. Nothing is stored of what has recorded nothing. */
  note(isStopped: boolean): void {
    if (this.#head) this.#setHead({ ...this.#head, ...this.#options.server(), isStopped });
  }

  #setHead(head: LineOf<'recording'>): void {
    this.#head = head;
    appendLine(this.#options.journal, head);
  }

  #keep(row: RecordedRow, id: string): void {
    this.#rows.set(row.number, row);
    this.#ids.set(row.number, id);
    this.#last = Math.max(this.#last, row.number);
    if (this.#rows.size <= RECORDING_LIMIT.rows) return;
    const [oldest = 0] = this.#rows.keys();
    this.#rows.delete(oldest);
    this.#ids.delete(oldest);
    this.#first = Math.max(this.#first, oldest + 1);
  }

  /** Number of the last conversation; 0 without one. */
  get lastSession(): number {
    return [...this.#rows.values()].reduce((most, { session = 0 }) => Math.max(most, session), 0);
  }

  /** What is still stored of these requests, in their order; the limits of the store may have removed others. */
  async exchanges(numbers: readonly number[]): Promise<RecordedExchange[]> {
    const found: RecordedExchange[] = [];
    for (const number of numbers) {
      const exchange = await this.#find(number);
      if (exchange) found.push(exchange.exchange);
    }
    return found;
  }

  /** @param session Only of this conversation. */
  async stored(session?: number): Promise<StoredExchanges> {
    const numbers = this.numbers(session);
    const exchanges = await this.exchanges(numbers);
    return { exchanges, lost: numbers.length - exchanges.length };
  }

  /** Everything that is stored of a request, as it was recorded. @throws RefusalError when it is no longer stored */
  async exchange(number: number): Promise<{ exchange: RecordedExchange; wire: WireRecord }> {
    const found = await this.#find(number);
    if (!found) throw noLonger();
    return found;
  }

  async #find(number: number): Promise<{ exchange: RecordedExchange; wire: WireRecord } | undefined> {
    const id = this.#ids.get(number);
    const wire = id === undefined ? undefined : await readWire(this.#options.journal, id);
    const exchange = wire && toExchange(number, wire);
    return exchange && { exchange, wire };
  }

  /** Everything that is stored of a run. @throws RefusalError when it is no longer stored */
  async run(runId: string): Promise<ReadRun> {
    const { journal } = this.#options;
    const record = await readStored(journal, runId);
    if (!record) throw noLonger();
    return readBeside(journal, record);
  }

  wire(runId: string): Promise<WireRecord | undefined> {
    return readWire(this.#options.journal, runId);
  }

  /** As many as fit into one frame, and at least one. */
  async entries(runIds: readonly string[]): Promise<LaneEntry[]> {
    const budget = new EntryBudget();
    const entries: LaneEntry[] = [];
    for (const id of runIds) {
      if (budget.isFull) break;
      const record = (await readStored(this.#options.journal, id)) ?? lostRecord(id);
      const entry: LaneEntry = { kind: 'run', id, outcome: toRunOutcome(record), results: {} };
      if (budget.take(entry)) entries.push(entry);
    }
    return entries;
  }

  async exported(runId: string): Promise<ExportedRun> {
    return exportedRun(this.titleOf(runId), await this.run(runId));
  }

  /** Such as `Request 4`. */
  titleOf(runId: string): string {
    const [number] = [...this.#ids].find(([, id]) => id === runId) ?? [];
    return number === undefined ? t('Run') : t('Request {0}', number);
  }
}

function toExchange(
  number: number,
  { requests, attempts, recorded }: WireRecord,
): RecordedExchange | undefined {
  const [attempt] = attempts;
  const request = requests[attempt?.request ?? -1];
  if (!attempt || !request || !recorded) return undefined;
  const { bodySha256: _hash, ...sent } = request;
  const { response } = attempt;
  return { number, ...recorded, request: sent, ...(response && { response }) };
}

const nothingSet = (
  { model = '' }: RecordedExchange,
  { connectionId, label }: RecordedServer,
): Parameters<typeof wireOf>[1] => ({
  connection: { id: connectionId, label },
  model,
  tools: [],
  sampling: {},
});

const noLonger = () =>
  refuse(
    t('The request is no longer stored.'),
    t('Record again, or raise the limits in the settings.'),
    t('The history is limited by `history.maxRuns` and `history.maxBytes`.'),
  );

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
