// The evaluations of a session: follows what the document would send, runs one evaluation at a time, and judges what came by what
// is expected now. Independent of views.
import { t } from '@vscode/l10n';
import type { ConnectionView, EvaluationPlan, EvaluationSnapshot } from '../../protocol';
import type { Lane } from '../conversation/lane';
import type { Restorable } from '../conversation/restorable';
import type { EditableDocument } from '../editing/editable-document';
import type { PastRuns } from '../journal/past-runs';
import type { Journal, RowsFile, RunStore } from '../ports';
import { refuse } from '../refusal';
import type { AgentServices } from '../run/agent-run';
import { adoptSample } from './adopt-sample';
import type { Wanted } from './change-expectations';
import { toAcceptEdit, toExpectEdit } from './change-expectations';
import { refuseUnconfirmed, toPlan } from './estimate';
import type { EvaluationBook } from './evaluation-book';
import type { EvaluationCounts, EvaluationMark } from './evaluation-head';
import { isJudgedAnew } from './evaluation-head';
import { EvaluationStore } from './evaluation-store';
import { OpenEvaluations } from './open-evaluations';
import { planSamples } from './plan-samples';
import type { StartOptions } from './plan-samples';
import type { ReadSetting } from './read-setting';
import { SettingReader } from './read-setting';
import type { SampleEntry } from './sample-entry';
import { toEntry, toWholeEntry } from './sample-entry';
import { toOutcome } from './sample-facts';
import type { EvaluationSetting, PlannedSample } from './setting';
import { computeCaseKeys } from './setting';
import { EvaluationViews } from './evaluation-views';
import { EvaluationWork } from './work';

/** Snapshots are made at most this often. */
const SNAPSHOT_MS = 250;
/** How long the document has to rest before it is read again. */
const REST_MS = 150;

export interface EvaluationParts {
  editable: EditableDocument;
  services: AgentServices;
  journal: Journal;
  store: Pick<RunStore, 'open' | 'remove'>;
  rowsFile: RowsFile;
  sendsNothing: string | undefined;
  connections: () => readonly ConnectionView[] | undefined;
  /** @throws when there is none */
  lane: (laneId: string) => Lane;
  past: () => Pick<PastRuns, 'record'>;
  restorable: () => Pick<Restorable, 'adopt'>;
  onChange: () => void;
}

type SamplePlace = Pick<SampleEntry, 'rowId' | 'laneId' | 'repeat'>;

export class Evaluation {
  readonly #parts: EvaluationParts;
  readonly #reader: SettingReader;
  readonly #store: EvaluationStore;
  readonly #open: OpenEvaluations;
  readonly #unsubscribe: () => void;
  readonly views: EvaluationViews;
  #read: ReadSetting = { problems: [], rows: [] };
  /** The last one without problems. */
  #lastSetting: EvaluationSetting | undefined;
  #keys = new Map<string, string>();
  #plan: EvaluationPlan | undefined;
  #work: EvaluationWork | undefined;
  /** Resolves when the document has been read as it is now. */
  #following: Promise<void> | undefined;
  /** The reading that was asked for last. */
  #asked = 0;
  #cancelRest: (() => void) | undefined;
  #cancelSnapshot: (() => void) | undefined;
  #lastSnapshotMs = Number.NEGATIVE_INFINITY;
  #version = 1;
  #ended: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: EvaluationParts) {
    this.#parts = parts;
    this.#reader = new SettingReader(parts.rowsFile, parts.sendsNothing);
    this.#store = new EvaluationStore(parts.store, parts.journal);
    this.#open = new OpenEvaluations(this.#store, parts.services.clock);
    this.#unsubscribe = parts.rowsFile.onDidChange(() => this.follow());
    this.views = new EvaluationViews({
      state: () => ({
        // What came stays there while the document cannot be evaluated.
        read: { ...this.#read, setting: this.#read.setting ?? this.#lastSetting },
        plan: this.#plan,
        keys: this.#keys,
        book: this.#book,
        baseline: this.#open.baseline,
        progress: this.#work?.progress,
        stored: this.#store.evaluations,
        referenceId: this.#store.choice.referenceId ?? parts.editable.document.lanes[0]?.id ?? '',
        chosenRowId: this.#store.choice.rowId,
        gates: parts.editable.document.evaluate.pass,
      }),
    });
  }

  get #chosenRow(): ReadSetting['rows'][number] | undefined {
    return this.#read.rows.find(({ id }) => id === this.#store.choice.rowId);
  }

  get #book(): EvaluationBook | undefined {
    return this.#open.book;
  }

  get version(): number {
    return this.#version;
  }

  get snapshot(): EvaluationSnapshot {
    return { version: this.#version, ...this.views.snapshot() };
  }

  get isRunning(): boolean {
    return this.#work !== undefined;
  }

  /** To be called when the document, its tools or the connections may have changed. */
  follow(): void {
    if (this.#isClosed) return;
    this.#following = undefined;
    this.#cancelRest?.();
    this.#cancelRest = this.#parts.services.clock.after(REST_MS, () => void this.#followed());
  }

  /** Resolves when everything is read and judged as the document says now. */
  async #followed(): Promise<void> {
    let reading: Promise<void>;
    do {
      this.#cancelRest?.();
      this.#cancelRest = undefined;
      reading = this.#following ??= this.#readAll(++this.#asked);
      await reading;
      // Something has changed meanwhile.
    } while (this.#following !== reading && !this.#isClosed);
  }

  async #readAll(turn: number): Promise<void> {
    const { editable, connections } = this.#parts;
    await editable.resolved();
    const read = await this.#reader.read(editable, connections());
    await this.#open.openNewest();
    if (turn !== this.#asked || read === this.#read) return;
    const { setting } = read;
    const keys = setting ? await computeCaseKeys(setting) : new Map<string, string>();
    if (turn !== this.#asked) return;
    this.#read = read;
    this.#lastSetting = setting ?? this.#lastSetting;
    this.#keys = keys;
    this.#parts.editable.chooseRow(this.#chosenRow);
    if (setting) await this.#judgeAllBy(setting);
    this.#planAgain();
    this.#changed();
  }

  async #judgeAllBy(setting: EvaluationSetting): Promise<void> {
    await this.#open.judgeBaseline(setting);
    await this.#judge(setting);
    const book = this.#work ? undefined : this.#book;
    if (book && isJudgedAnew(book.head, this.#counts(book))) await this.#note(book);
  }

  async #judge(setting: EvaluationSetting): Promise<void> {
    await this.#book?.judge(setting, {
      referenceId: this.#store.choice.referenceId,
      baseline: this.#open.baseline?.samples,
    });
  }

  #planAgain(): void {
    const { setting } = this.#read;
    this.#plan = setting && this.#toPlan(setting, {});
  }

  #toPlan(setting: EvaluationSetting, options: StartOptions): EvaluationPlan {
    const { gate } = this.#parts.services;
    const limitOf = (connectionId: string): number => gate.limitOf(connectionId);
    return toPlan({ setting, keys: this.#keys, book: this.#book, options }, limitOf);
  }

  /** Reads the document as it is now. Never rejects. */
  async read(): Promise<ReadSetting> {
    await this.#followed();
    return this.#read;
  }

  /** @throws RefusalError with the code `unconfirmed` when it is to be confirmed, and `complete` when nothing is to be sent */
  async start(options: StartOptions & { isConfirmed?: boolean | undefined } = {}): Promise<void> {
    this.#refuseWhileRunning();
    await this.#parts.editable.flush();
    await this.#followed();
    const { setting, problems } = this.#read;
    if (!setting || problems.length > 0)
      throw refuse(problems[0]?.message ?? '', t('Correct it, then evaluate again.'));
    const { todo, kept, isNew, more } = planSamples({ setting, keys: this.#keys, book: this.#book, options });
    if (todo.length === 0)
      throw refuse(t('Every sample is stored already.'), t('Add repeats, or evaluate anew.'), '', 'complete');
    const plan = this.#toPlan(setting, options);
    const needsConfirmation = options.needsConfirmation ?? plan.needsConfirmation;
    if (needsConfirmation && options.isConfirmed !== true)
      throw refuseUnconfirmed(plan, setting.lanes.length);
    const book = isNew || !this.#book ? await this.#open.newBook() : this.#book;
    this.#open.setBook(book);
    if (isNew) for (const entry of kept) book.take(entry);
    book.head = { ...book.head, ...setting.extent, more, isEnded: false, early: undefined };
    await this.#judge(setting);
    const runs = await book.stored.runs();
    const work = new EvaluationWork(
      {
        services: this.#parts.services,
        setting,
        spent: book.spent,
        onFinished: (sample) => {
          const whole = toWholeEntry(sample, book.head.id, this.#parts.services.clock.now());
          const entry = toEntry(whole);
          const judged = book.add(whole, entry);
          book.stored.append(runs, entry, { sink: sample.ran.sink, isFailed: judged?.verdict === 'failed' });
          if (judged) options.onJudged?.(judged);
        },
        onChange: () => this.#changed(),
      },
      todo.length,
    );
    this.#work = work;
    await this.#note(book);
    this.#ended = this.#runToEnd(book, work, todo);
    this.#changed();
  }

  async #runToEnd(book: EvaluationBook, work: EvaluationWork, todo: readonly PlannedSample[]): Promise<void> {
    const { clock } = this.#parts.services;
    const since = clock.now();
    const early = await work.run(todo);
    // Before the end is noted: an evaluation that has ended is not gone on with.
    await book.stored.written();
    this.#work = undefined;
    // Before anybody is told that it has ended: what is left is gone on with at once.
    this.#planAgain();
    const durationMs = book.head.durationMs + clock.now() - since;
    // What was under way when the session closed goes on when it is opened again.
    if (!this.#isClosed) {
      book.storeVerdicts();
      book.head = { ...book.head, durationMs, isEnded: true, early };
      await this.#note(book);
    }
    this.#changed();
  }

  async #note(book: EvaluationBook): Promise<void> {
    book.head = { ...book.head, ...this.#counts(book) };
    await this.#store.note(book.head);
  }

  #counts(book: EvaluationBook): EvaluationCounts {
    const { passed = 0, failed = 0, planned = 0, notRun = 0 } = book.summary(this.#work === undefined) ?? {};
    const isJudged = this.#read.setting?.gates !== undefined;
    return { passed, ...(isJudged && { failed }), planned, notRun };
  }

  /** Where a run of the sample that is looked at is stored; undefined for other runs. */
  journalOf(runId: string): Journal | undefined {
    return this.#book?.stored.journalOf(runId);
  }

  stop(): void {
    this.#work?.stop();
  }

  /** Resolves when no evaluation is under way. */
  ended(): Promise<void> {
    return this.#ended;
  }

  /** Compares with this evaluation; without an id, with none. @throws RefusalError */
  async setBaseline(id: string | undefined): Promise<void> {
    await this.#followed();
    await this.#open.setBaseline(id, this.#read.setting);
    await this.#judgeAgain();
  }

  /** Shows this evaluation, by default the newest, compared with the baseline or with none. @throws RefusalError */
  async show(id: string | undefined, baselineId?: string): Promise<void> {
    this.#refuseWhileRunning();
    await this.#followed();
    const hadBaseline = this.#open.baseline !== undefined;
    const book = await this.#open.bookOf(id);
    await this.#open.setBaseline(baselineId, this.#read.setting);
    if (book === this.#book && !hadBaseline && baselineId === undefined) return;
    this.#open.setBook(book);
    await this.#judgeAgain();
  }

  #refuseWhileRunning(): void {
    if (this.#work) throw refuse(t('An evaluation is under way.'), t('Stop it, or wait for its end.'));
  }

  async mark(id: string, mark: EvaluationMark): Promise<void> {
    await this.#store.mark(id, mark);
    this.#changed();
  }

  /** Removes stored evaluations with their samples. @throws RefusalError */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#followed();
    if (this.#book && ids.includes(this.#book.head.id)) this.#refuseWhileRunning();
    await this.#open.remove(ids);
    await this.#judgeAgain();
  }

  async setReference(laneId: string): Promise<void> {
    await this.#followed();
    this.#store.choose({ referenceId: laneId });
    await this.#judgeAgain();
  }

  /** Adds a value that failed to what an expectation accepts. @throws RefusalError, EditRefusedError */
  async accept(place: SamplePlace, index: number): Promise<void> {
    const { editable } = this.#parts;
    await editable.flush();
    const judged = await this.views.judged(place, index);
    const { ownExpect } = await this.views.sample(place);
    await editable.edit([toAcceptEdit(editable.document, judged, ownExpect)]);
  }

  /** Makes an expectation of the reply of a run in a lane. @throws RefusalError, EditRefusedError */
  async expect({ laneId, runId }: { laneId: string; runId: string }, wanted: Wanted): Promise<void> {
    const { editable, past } = this.#parts;
    const outcome = toOutcome([await past().record({ laneId, runId })], undefined);
    if (!outcome || !('facts' in outcome)) throw refuse(t('The run has no reply.'), t('Run again.'));
    await editable.flush();
    await editable.edit([toExpectEdit(editable.document, outcome.facts, wanted, this.#chosenRow)]);
  }

  /** Makes a sample the conversation of its lane; what was there can be restored. @throws RefusalError */
  async openSample(place: SamplePlace): Promise<void> {
    const lane = this.#parts.lane(place.laneId);
    if (lane.isBusy) throw refuse(t('A run is under way in this lane.'), t('Stop it first.'));
    const entry = this.#book?.find(place.rowId, place.laneId, place.repeat);
    if (!entry || !this.#book) throw refuse(t('The sample is no longer there.'), t('Choose another one.'));
    const { stored } = this.#book;
    const [items, runs] = [await stored.conversation(entry), await stored.runs(entry.runsIn)];
    await this.#parts.restorable().adopt(lane, () => adoptSample(lane, items, runs));
  }

  /** Fills ordinary runs with the variables of this row; without an id, with none. */
  async chooseRow(rowId: string | undefined): Promise<void> {
    await this.#followed();
    this.#store.choose({ rowId });
    this.#parts.editable.chooseRow(this.#chosenRow);
    this.#changed();
  }

  async #judgeAgain(): Promise<void> {
    const { setting } = this.#read;
    if (setting) await this.#judge(setting);
    this.#planAgain();
    this.#changed();
  }

  /** Interrupts what is under way, so that it goes on when the session is opened again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancelRest?.();
    this.#cancelSnapshot?.();
    // Closed first, so that nothing of the stop below is stored.
    const closed = this.#book?.close();
    this.#work?.stop();
    await closed;
  }

  /** A snapshot is made a while after a change, so that those of many samples are one. */
  #changed(): void {
    if (this.#isClosed || this.#cancelSnapshot) return;
    const { clock } = this.#parts.services;
    const waitMs = Math.max(0, this.#lastSnapshotMs + SNAPSHOT_MS - clock.elapsed());
    this.#cancelSnapshot = clock.after(waitMs, () => {
      this.#cancelSnapshot = undefined;
      this.#lastSnapshotMs = clock.elapsed();
      this.#version++;
      this.#parts.onChange();
    });
  }
}
