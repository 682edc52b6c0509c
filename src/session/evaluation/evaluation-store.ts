// Where evaluations are stored: which there are in the journal of the session, the samples of each in a journal of lines alone,
// which opens fast, and their runs in a third one, of which only single bodies are read.
import { isRecord } from '../../library';
import type { Message } from '../../types';
import type { Item, RunItem, ToolAnswer } from '../conversation/transcript';
import { pinRun, toGivenName } from '../history/change-runs';
import { appendRecord, appendSetup, appendWire, bodyKey } from '../journal/run-lines';
import type { StoredEvaluation } from '../../protocol';
import { appendLine } from '../journal/journal-lines';
import type { Journal, JournalLine, RunStore } from '../ports';
import { lostSampleRecord, readRecord } from '../run/record/run-record';
import { partId } from '../store/history-store';
import type { EvaluationChoice, EvaluationHead, EvaluationMark } from './evaluation-head';
import type { RanSample } from './run-sample';
import type { SampleEntry } from './sample-entry';
import { readSampleLine, toSampleLine } from './sample-entry';
import { readEvaluations, toStoredEvaluations, withMark } from './stored-evaluations';
import type { StoredVerdicts } from './stored-verdicts';

/** Number of evaluations of a playground that are kept beside the pinned ones, of which there are at most half as many. */
const MAX_KEPT = 20;
export const MAX_PINNED_EVALUATIONS = MAX_KEPT / 2;

const samplesId = (id: string): string => partId('samples', id);
const runsId = (id: string): string => partId('runs', id);
const VERDICTS = 'verdicts';
const idsOf = (id: string): string[] => [samplesId(id), runsId(id)];

export class EvaluationStore {
  readonly #store: Pick<RunStore, 'open' | 'remove'>;
  readonly #journal: Journal;
  readonly #heads: Map<string, EvaluationHead>;
  readonly #marks: Map<string, EvaluationMark>;
  #choice: EvaluationChoice;

  constructor(store: Pick<RunStore, 'open' | 'remove'>, journal: Journal) {
    this.#store = store;
    this.#journal = journal;
    const { heads, marks, choice } = readEvaluations(journal.lines);
    [this.#heads, this.#marks, this.#choice] = [heads, marks, choice];
  }

  get choice(): EvaluationChoice {
    return this.#choice;
  }

  choose(change: EvaluationChoice): void {
    const { rowId, referenceId } = { ...this.#choice, ...change };
    this.#choice = { rowId, referenceId };
    appendLine(this.#journal, { kind: 'evaluation-choice', ...this.#choice });
  }

  /** The latest first. */
  get heads(): EvaluationHead[] {
    return [...this.#heads.values()].toReversed();
  }

  /** The same as a list shows them. */
  get evaluations(): StoredEvaluation[] {
    return toStoredEvaluations({ heads: this.#heads, marks: this.#marks });
  }

  /** Names, pins or unpins an evaluation. */
  async mark(id: string, { name, isPinned }: EvaluationMark): Promise<void> {
    const mark = {
      ...(name !== undefined && { name: toGivenName(name) }),
      ...(isPinned !== undefined && { isPinned }),
    };
    this.#marks.set(id, withMark(this.#marks.get(id), mark));
    appendLine(this.#journal, { kind: 'evaluation-mark', id, ...mark });
    await this.#journal.flush();
  }

  /** Removes evaluations with their samples. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#heads.delete(id);
      appendLine(this.#journal, { kind: 'evaluation-removed', id });
    }
    await this.#journal.flush();
    for (const id of ids) await Promise.all(idsOf(id).map((each) => this.#store.remove(each)));
  }

  /** Stores what is known of an evaluation now, before its samples: without it nobody finds them. The oldest are removed. */
  async note(head: EvaluationHead): Promise<void> {
    this.#heads.set(head.id, head);
    appendLine(this.#journal, { kind: 'evaluation', head });
    await this.#journal.flush();
    // An old one that goes on, for example with more repeats, is among the last in the order.
    const isPinned = (id: string): boolean => this.#marks.get(id)?.isPinned === true;
    const others = this.heads.filter(({ id }) => id !== head.id && !isPinned(id));
    await this.remove(others.slice(isPinned(head.id) ? MAX_KEPT : MAX_KEPT - 1).map(({ id }) => id));
  }

  async open(id: string): Promise<StoredSamples> {
    const openRuns = (of: string): Promise<Journal> => this.#store.open(runsId(of), { isForBodies: true });
    return new StoredSamples(id, await this.#store.open(samplesId(id)), openRuns);
  }
}

/** The samples of one evaluation in the store. */
export class StoredSamples {
  readonly #id: string;
  readonly #lines: Journal;
  readonly #openRuns: (id: string) => Promise<Journal>;
  /** By the id of the evaluation that they were run for. */
  readonly #runs = new Map<string, Promise<Journal>>();
  /** Where the runs of the sample that is looked at are stored. */
  readonly #shown = new Map<string, Journal>();
  readonly #setups = new Set<string>();
  /** Samples whose runs are appended, and that are not stored yet. */
  #finished: SampleEntry[] = [];
  /** Resolves when all of them are stored. */
  #storing: Promise<void> | undefined;
  #isClosed = false;

  constructor(id: string, lines: Journal, openRuns: (id: string) => Promise<Journal>) {
    this.#id = id;
    this.#lines = lines;
    this.#openRuns = openRuns;
  }

  /** Those that were there when it was opened. */
  *read(): Generator<SampleEntry> {
    for (const line of this.#lines.lines) {
      const entry = readSampleLine(line);
      if (entry) yield entry;
    }
  }

  /** The journal with the runs of an evaluation, by default this one's. To be called before `append`, which does not wait. */
  runs(id = this.#id): Promise<Journal> {
    const known = this.#runs.get(id) ?? this.#openRuns(id);
    this.#runs.set(id, known);
    return known;
  }

  /**
   * The runs are written first: a sample whose line is stored is never sent again. Those that end while others are written are
   * written together. @param runs What `runs` has given.
   */
  append(
    runs: Journal,
    entry: SampleEntry,
    { sink, isFailed }: Pick<RanSample, 'sink'> & { isFailed: boolean },
  ): void {
    if (this.#isClosed) return;
    for (const record of sink.records) {
      const { runId } = record;
      const [setup, wire] = [sink.setups.get(runId), sink.wires.get(runId)];
      if (setup) appendSetup(runs, runId, setup, this.#setups.has(setup.id));
      if (setup) this.#setups.add(setup.id);
      if (wire) appendWire(runs, runId, wire.record());
      appendRecord(runs, record);
    }
    const key = conversationKey(entry);
    // The limits of the history remove what passed first: what failed is looked at.
    runs.append(
      { kind: 'conversation', about: key, isPinned: isFailed },
      { key, value: toStored(sink.items) },
    );
    if (isFailed) for (const { runId } of sink.records) pinRun(runs, runId, true);
    this.#finished.push(entry);
    this.#storing ??= this.#store(runs);
  }

  async #store(runs: Journal): Promise<void> {
    while (this.#finished.length > 0) {
      const finished = this.#finished;
      this.#finished = [];
      await runs.flush();
      for (const entry of finished) this.#lines.append(toSampleLine(entry));
      await this.#lines.flush();
    }
    this.#storing = undefined;
  }

  /** Those that were stored last; undefined without. They may be anything. */
  readVerdicts(): Promise<unknown> {
    return this.#lines.readBody(VERDICTS);
  }

  storeVerdicts(value: StoredVerdicts): void {
    this.#lines.append({ kind: VERDICTS, about: VERDICTS, isPinned: true }, { key: VERDICTS, value });
  }

  /** Adds a sample whose runs are those of another evaluation. */
  take(entry: SampleEntry): void {
    this.#lines.append(toSampleLine(entry));
  }

  /** @returns undefined for a run that is not of the sample that was read last */
  journalOf(runId: string): Journal | undefined {
    return this.#shown.get(runId);
  }

  /** The conversation of a sample, with its runs as far as they are still stored. */
  async conversation(entry: SampleEntry): Promise<Item[]> {
    const runs = await this.runs(entry.runsIn);
    const items = readStored(await runs.readBody(conversationKey(entry)), entry);
    this.#shown.clear();
    for (const item of items) {
      if (item.kind !== 'run') continue;
      this.#shown.set(item.id, runs);
      item.record = readRecord(await runs.readBody(bodyKey(item.id))) ?? lostSampleRecord(item.id);
      item.verdict = item.record.verdict;
    }
    return items;
  }

  /** Resolves when the samples that were appended are stored. */
  async written(): Promise<void> {
    await this.#storing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#storing;
    const runs = [...this.#runs.values()].map(async (opened) => (await opened).close());
    await Promise.all([this.#lines.close(), ...runs]);
  }
}

const conversationKey = ({ key }: SampleEntry): string => `conversation:${key}`;

const toStored = (items: readonly Item[]): readonly JournalLine[] =>
  items.map((item) => {
    if (item.kind === 'message') return { kind: item.kind, message: item.message };
    const { kind, id, step, ending, results } = item;
    return { kind, id, step, ending, results: [...results] };
  });

/** Only the runs of a conversation that is no longer stored. */
function readStored(value: unknown, { key, runIds }: SampleEntry): Item[] {
  const stored = Array.isArray(value) ? value.filter(isRecord) : runIds.map((id) => ({ kind: 'run', id }));
  return stored.flatMap((item, index): Item[] => {
    const { kind, id, message, step, ending, results } = item as Partial<Record<string, unknown>>;
    if (kind === 'message' && isRecord(message) && typeof message.content === 'string')
      return [{ kind, id: `${key}-${index}`, message: message as unknown as Message }];
    if (kind !== 'run' || typeof id !== 'string') return [];
    const entries = Array.isArray(results) ? (results as [number, ToolAnswer][]) : [];
    const run: RunItem = { kind, id, results: new Map(entries), asked: new Set() };
    if (isRecord(step)) run.step = step as RunItem['step'];
    if (isRecord(ending)) run.ending = ending as unknown as NonNullable<RunItem['ending']>;
    return [run];
  });
}
