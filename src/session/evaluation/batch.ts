// A playground that is evaluated without a panel: what is chosen of it, what it would send, its samples, and what they come to.
// Neither reads nor stores files.
import { createHash } from 'node:crypto';
import type {
  ConnectionView,
  DocumentLane,
  EvaluationPlan,
  EvaluationProblem,
  EvaluationProgress,
  PlaygroundDocument,
} from '../../protocol';
import type { ExportedEvaluation } from '../../inspect';
import type { EvaluationSummary, Gates, JudgedSample } from '../../types';
import { isAsked } from '../conversation/pending-messages';
import { EditableDocument } from '../editing/editable-document';
import type { Clock, Journal, RowsFile, ToolSource } from '../ports';
import type { AgentServices } from '../run/agent-run';
import type { DataRow } from '../rows/data-row';
import { estimate } from './estimate';
import type { Baseline } from './evaluation-book';
import { EvaluationBook } from './evaluation-book';
import type { EarlyEnd } from './evaluation-head';
import { StoredSamples } from './evaluation-store';
import { exportEvaluation } from './export-evaluation';
import { findEvaluationPlaces } from './find-places';
import type { JudgedEntry } from './judge-entry';
import { planSamples } from './plan-samples';
import { SettingReader } from './read-setting';
import type { SampleEntry } from './sample-entry';
import { toEntry, toWholeEntry } from './sample-entry';
import { EvaluationSetting, caseOf, sampleKey } from './setting';
import type { LaneSetting, PlannedSample } from './setting';
import type { Spending } from './spending';
import { EvaluationWork } from './work';

/** What is evaluated of a playground, and how; absent: as it says. */
export interface BatchChoice {
  /** Ids of lanes. */
  lanes?: readonly string[] | undefined;
  /** Changes each of them. */
  changeLane?: ((lane: DocumentLane) => DocumentLane) | undefined;
  /** Sent in the place of the messages that the model would be asked after. */
  question?: string | undefined;
  isRow?: ((row: DataRow) => boolean) | undefined;
  /** Of every row. */
  repeat?: number | undefined;
  gates?: Partial<Gates> | undefined;
  /** Expectations of another file in the place of its own, with their lines. */
  expect?: { path: string; expectations: PlaygroundDocument['expect']; lines: readonly number[] } | undefined;
}

export interface BatchSource {
  /** Names the playground, such as `prompts/weather.playground.json`. */
  path: string;
  text: string;
  tools: ToolSource;
  rowsFile: RowsFile;
  clock: Clock;
  connections: readonly ConnectionView[];
  choice: BatchChoice;
}

/** Lines from 1. */
export interface BatchPlaces {
  expectations: readonly number[];
  /** Where these lines are; absent: in the playground. */
  expectFile?: string | undefined;
  /** Data file of the rows as the playground names it; absent: the rows stand in the playground. */
  rowsFile?: string | undefined;
}

export interface RunOptions {
  services: AgentServices;
  samples: readonly PlannedSample[];
  /** What was spent so far, and the limits. */
  spent: Spending;
  /** Called when a sample has ended, with everything that is known of it. */
  onSample: (whole: SampleEntry, judged: JudgedSample | undefined) => void;
  onChange: () => void;
}

/** How an evaluation ended, for its report. */
export interface BatchEnd {
  /** Milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  /** Why it ended before all samples were judged. */
  stopped?: string | undefined;
}

/** A batch, or what keeps it from being evaluated. */
export type ReadBatch =
  { batch: Batch; problems?: undefined } | { batch?: undefined; problems: readonly EvaluationProblem[] };

/** Nothing is stored: a front end keeps the samples. */
const NOWHERE: Journal = {
  lines: [],
  append: () => undefined,
  readBody: () => Promise.resolve(undefined),
  isShared: () => Promise.resolve(false),
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

function openBook(): Promise<EvaluationBook> {
  const head = { id: '', startedAt: 0, passed: 0, planned: 0, durationMs: 0, isEnded: true, more: {} };
  return EvaluationBook.open(head, new StoredSamples('', NOWHERE, () => Promise.resolve(NOWHERE)));
}

/** Never rejects. */
export async function readBatch(source: BatchSource): Promise<ReadBatch> {
  const { path, text, tools, clock, choice, rowsFile, connections } = source;
  const backing = {
    id: path,
    title: path,
    kind: 'file' as const,
    read: () => text,
    readOnly: undefined,
    apply: () => Promise.resolve(false),
    onDidChange: () => () => undefined,
  };
  const editable = new EditableDocument({ backing, tools, clock, onChange: () => undefined });
  await editable.resolved();
  const { document, tree, error, secrets } = editable;
  const {
    lanes,
    changeLane = (lane) => lane,
    question,
    repeat = document.evaluate.repeat,
    gates,
    expect,
  } = choice;
  const chosen = {
    ...document,
    lanes: document.lanes.filter(({ id }) => lanes?.includes(id) ?? true).map(changeLane),
    messages: question === undefined ? document.messages : askInstead(document.messages, question),
    evaluate: { ...document.evaluate, repeat, pass: { ...document.evaluate.pass, ...gates } },
    ...(expect && { expect: expect.expectations }),
  };
  const read = await new SettingReader(rowsFile).read(
    { document: chosen, tree, error, secrets, tools: editable.tools },
    connections,
  );
  editable.dispose();
  if (!read.setting) return { problems: read.problems };
  const rows = read.setting.rows
    .filter((row) => choice.isRow?.(row) ?? true)
    .map((row) => (choice.repeat === undefined ? row : { ...row, repeat: undefined }));
  const setting = new EvaluationSetting({
    document: chosen,
    tools: editable.tools,
    lanes: read.setting.lanes,
    rows,
  });
  const { rows: named } = chosen.evaluate;
  const places = {
    expectations: expect?.lines ?? findEvaluationPlaces(text)?.expectations ?? [],
    ...(expect && { expectFile: expect.path }),
    ...(typeof named === 'string' && { rowsFile: named }),
  };
  return { batch: new Batch(path, setting, places, await openBook()) };
}

function askInstead(
  messages: PlaygroundDocument['messages'],
  question: string,
): PlaygroundDocument['messages'] {
  const pinned = messages.filter((_message, index) => !isAsked(messages, index));
  return [...pinned, { role: 'user', content: question }];
}

export class Batch {
  readonly path: string;
  readonly setting: EvaluationSetting;
  readonly places: BatchPlaces;
  readonly #keys = new Map<string, string>();
  readonly #book: EvaluationBook;
  #work: EvaluationWork | undefined;
  #baseline: Baseline | undefined;

  constructor(path: string, setting: EvaluationSetting, places: BatchPlaces, book: EvaluationBook) {
    this.path = path;
    this.setting = setting;
    this.places = places;
    this.#book = book;
    for (const row of setting.rows)
      for (const lane of setting.lanes)
        this.#keys.set(caseOf(row.id, lane.config.id), setting.caseKey(row, lane));
  }

  get rows(): readonly DataRow[] {
    return this.setting.rows;
  }

  get lanes(): readonly LaneSetting[] {
    return this.setting.lanes;
  }

  /** SHA-256 of what it sends and how often; what is expected has no part in it. */
  get fingerprint(): string {
    const hash = createHash('sha256').update(this.path);
    for (const row of this.rows) hash.update(`\n${this.setting.repeatsOf(row)}`);
    for (const [id, key] of this.#keys) hash.update(`\n${id}\n${key}`);
    return hash.digest('hex');
  }

  /** Whether the sample is one of this evaluation as it is now. */
  has({ key, rowId, laneId, repeat }: SampleEntry): boolean {
    const row = this.setting.row(rowId);
    const caseKey = this.#keys.get(caseOf(rowId, laneId));
    if (!row || caseKey === undefined) return false;
    return repeat <= this.setting.repeatsOf(row) && sampleKey(caseKey, repeat) === key;
  }

  /** The samples that are to be sent: those of these rows that are not judged yet. */
  plan(isRow: (rowId: string) => boolean): PlannedSample[] {
    const { setting } = this;
    const options = { isWanted: (rowId: string) => isRow(rowId) };
    return planSamples({ setting, keys: this.#keys, book: this.#book, options }).todo;
  }

  estimate(
    todo: readonly PlannedSample[],
    limitOf: (connectionId: string) => number,
  ): Omit<EvaluationPlan, 'stored' | 'left'> {
    const counts = new Map<string, number>();
    for (const { lane } of todo) counts.set(lane.config.id, (counts.get(lane.config.id) ?? 0) + 1);
    return estimate({ setting: this.setting, todo: counts, earlier: this.#book.entries(), limitOf });
  }

  /** Begins to judge. @param baseline Samples of an earlier evaluation, which it is compared with */
  async open(baseline?: { startedAt: number; entries: Iterable<SampleEntry> }): Promise<void> {
    if (baseline) {
      const book = await openBook();
      await book.judge(this.setting, { referenceId: undefined, baseline: undefined });
      for (const entry of baseline.entries) book.add(entry, toEntry(entry));
      this.#baseline = {
        head: { ...book.head, startedAt: baseline.startedAt },
        samples: [...book.judged()],
      };
    }
    await this.#book.judge(this.setting, { referenceId: undefined, baseline: this.#baseline?.samples });
  }

  /** Takes a sample that is there already; one without a verdict may be sent again. */
  take(whole: SampleEntry): JudgedSample | undefined {
    return this.#book.add(whole, toEntry(whole));
  }

  /** Sends the samples. To be called once, after `open`. @returns why it ended early. Never rejects */
  async run({ services, samples, spent, onSample, onChange }: RunOptions): Promise<EarlyEnd | undefined> {
    this.#work = new EvaluationWork(
      {
        services,
        setting: this.setting,
        spent,
        onFinished: (sample) => {
          const whole = toWholeEntry(sample, '', services.clock.now());
          onSample(whole, this.#book.add(whole, toEntry(whole)));
        },
        onChange,
      },
      samples.length,
    );
    return this.#work.run(samples);
  }

  stop(early: EarlyEnd): void {
    this.#work?.stop(early);
  }

  /** Number of samples that are under way. */
  get underWayCount(): number {
    return this.#work?.underWayCount ?? 0;
  }

  get progress(): EvaluationProgress | undefined {
    return this.#work?.progress;
  }

  /** To be called after `open`. */
  summary(isEnded: boolean): EvaluationSummary {
    const summary = this.#book.summary(isEnded);
    if (!summary) throw new Error('nothing was judged yet');
    return summary;
  }

  /** The samples of a case in the order of their repeats, those that did not run included. */
  samplesOf(rowId: string, laneId: string): JudgedSample[] {
    return this.#book.ofCase(rowId, laneId, this.#book.repeatsOf(rowId, laneId, this.setting));
  }

  /** What each expectation of a sample came to; empty for one that did not run. */
  async expectationsOf(rowId: string, laneId: string, repeat: number): Promise<JudgedEntry['expectations']> {
    const entry = this.#book.find(rowId, laneId, repeat);
    return entry ? this.#book.expectationsOf(entry) : [];
  }

  /** Everything that is reported of it; the same for the same samples, in whichever order they came. */
  exported({ startedAt, durationMs, stopped }: BatchEnd): ExportedEvaluation {
    const head = { ...this.#book.head, startedAt, durationMs };
    const exported = exportEvaluation({
      title: this.path,
      book: { head, judged: () => this.#inOrder() },
      setting: this.setting,
      summary: this.summary(true),
      baseline: this.#baseline,
      referenceId: this.lanes[0]?.config.id ?? '',
      stopped,
    });
    // There are several reports of the same samples.
    return { ...exported, samples: { [Symbol.iterator]: () => this.#inOrder() } };
  }

  *#inOrder(): Generator<JudgedSample> {
    for (const { id } of this.rows) for (const { config } of this.lanes) yield* this.samplesOf(id, config.id);
  }
}
