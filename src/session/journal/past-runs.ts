// Requests about runs that have ended: what they sent and received, and how their replies read with other settings. Sends
// nothing to a server. Independent of views.
import { t } from '@vscode/l10n';
import type { ExportedRun } from '../../inspect';
import { PROVIDER_CATALOG } from '../../library';
import { diagnoseModel, NO_SETTING } from '../../inspect';
import type { CompareForm, ComparePart, ConnectionView, ReadingOptions, ReadingPair } from '../../protocol';
import type { Finding, ModelInfo, ToolType } from '../../types';
import type { Conversations } from '../conversation/conversation';
import type { EditableDocument } from '../editing/editable-document';
import type { Lane } from '../conversation/lane';
import { runsBefore } from '../conversation/transcript';
import type { Journal } from '../ports';
import { refuse } from '../refusal';
import type { ComparedSide, TextPair } from '../run/record/compare-runs';
import { compareRuns } from '../run/record/compare-runs';
import { exportedRun } from '../run/record/exported-run';
import { printReading, readAgain, readingOf, toReadingPair } from '../run/record/read-again';
import type { ReadOptions } from '../run/record/read-again';
import type { RecordedTurn, RunRecord } from '../run/record/run-record';
import { toRunSetting } from '../run/setup';
import type { ReadRun } from './run-lines';
import { readBeside, readStored, readWire } from './run-lines';
import type { WireRecord } from '../run/record/wire-record';

type RunPlace = { laneId: string; runId: string };

export class PastRuns {
  readonly #journal: Journal;
  readonly #editable: EditableDocument;
  readonly #conversations: Pick<Conversations, 'load'>;
  readonly #lane: (laneId: string) => Lane;
  readonly #knownConnections: () => readonly ConnectionView[];
  readonly #sampleJournal: (runId: string) => Journal | undefined;

  /**
   * @param lane Returns a lane by id; throws when there is none.
   * @param sampleJournal Where a run of an evaluation is stored; undefined for one of the lanes.
   */
  constructor(
    journal: Journal,
    editable: EditableDocument,
    conversations: Pick<Conversations, 'load'>,
    {
      lane,
      knownConnections,
      sampleJournal,
    }: {
      lane: (laneId: string) => Lane;
      knownConnections: () => readonly ConnectionView[];
      sampleJournal: (runId: string) => Journal | undefined;
    },
  ) {
    this.#journal = journal;
    this.#editable = editable;
    this.#conversations = conversations;
    this.#lane = lane;
    this.#knownConnections = knownConnections;
    this.#sampleJournal = sampleJournal;
  }

  #journalOf(runId: string): Journal {
    return this.#sampleJournal(runId) ?? this.#journal;
  }

  /** @returns undefined when nothing was sent, or the wire record is no longer stored */
  wire(runId: string): Promise<WireRecord | undefined> {
    return readWire(this.#journalOf(runId), runId);
  }

  /** The record of a run of an evaluation; undefined for one of the lanes. */
  async sampleRecord(runId: string): Promise<RunRecord | undefined> {
    const samples = this.#sampleJournal(runId);
    return samples && readStored(samples, runId);
  }

  async record({ laneId, runId }: RunPlace): Promise<RunRecord> {
    const sample = await this.sampleRecord(runId);
    if (sample) return sample;
    const lane = this.#lane(laneId);
    const item = lane.findRun(runId);
    if (item) await this.#conversations.load(lane, [item]);
    const { record } = lane.findRun(runId) ?? {};
    if (record) return record;
    throw refuse(t('The run no longer exists.'), t('Run again.'));
  }

  /** Everything that is stored of a run. */
  async whole(place: RunPlace): Promise<ReadRun> {
    return readBeside(this.#journalOf(place.runId), await this.record(place));
  }

  /** Findings from what the server says about the model and from the run. @param model Undefined when it says nothing. */
  async modelFindings(place: RunPlace, model: ModelInfo | undefined): Promise<Finding[]> {
    const { record, wire, setup } = await this.whole(place);
    return diagnoseModel({
      catalog: PROVIDER_CATALOG,
      model,
      request: wire?.requests[wire.attempts.at(-1)?.request ?? -1],
      usage: record.turn?.raw.usage ?? {},
      hasTools: (wire?.tools.length ?? 0) > 0,
      setting: setup ? toRunSetting(setup, this.#knownConnections()) : NO_SETTING,
    });
  }

  /** Everything that is stored of a run and of those that led to it, in the form that is exported. */
  async exported(place: RunPlace): Promise<ExportedRun> {
    const { laneId, runId } = place;
    const title = t('Lane {0}', this.#numberOf(place));
    const lane = this.#lane(laneId);
    const steps: ExportedRun[] = [];
    for (const { id } of runsBefore(lane.items, runId)) {
      steps.push(exportedRun(title, await this.whole({ laneId, runId: id })));
    }
    const { ending } = lane.findRun(runId) ?? {};
    const around = { ...(steps.length > 0 && { steps }), ...(ending && { ending }) };
    return exportedRun(title, await this.whole(place), around);
  }

  /** Texts of the same part of two runs, to be compared line by line. */
  async comparison(
    places: readonly [RunPlace, RunPlace],
    part: ComparePart,
    form: CompareForm,
  ): Promise<TextPair> {
    const [left, right] = await Promise.all([this.#toSide(places[0]), this.#toSide(places[1])]);
    return compareRuns([left, right], part, form);
  }

  async #toSide(place: RunPlace): Promise<ComparedSide> {
    const number = this.#numberOf(place);
    return { title: t('Lane {0}', number), name: `lane-${number}`, ...(await this.whole(place)) };
  }

  #numberOf({ laneId }: RunPlace): number {
    return this.#editable.document.lanes.findIndex(({ id }) => id === laneId) + 1;
  }

  async reading(place: RunPlace, options: ReadingOptions): Promise<ReadingPair> {
    const { turn, how } = await this.#toRead(place, options);
    return toReadingPair(turn, how);
  }

  /** Texts of both readings, to be compared line by line. */
  async readingTexts(place: RunPlace, options: ReadingOptions): Promise<TextPair> {
    const { turn, how } = await this.#toRead(place, options);
    return {
      title: t('Original reading ↔ read again'),
      left: { name: 'as-it-ran.txt', text: printReading(readingOf(turn)) },
      right: { name: 'read-again.txt', text: printReading(readAgain(turn, how)) },
    };
  }

  async #toRead(place: RunPlace, options: ReadingOptions): Promise<{ turn: RecordedTurn; how: ReadOptions }> {
    const { record, wire, setup } = await this.whole(place);
    if (!record.turn) throw refuse(t('The run has no reply.'), t('Run again.'));
    const { rescueToolCalls, format } = options;
    const tools: Record<ReadingOptions['tools'], readonly ToolType[]> = {
      none: [],
      offered: setup?.tools ?? wire?.tools ?? [],
      current: this.#editable.tools.filter(({ tool }) => tool.offered).map(({ tool }) => tool),
    };
    return { turn: record.turn, how: { rescueToolCalls, format, tools: tools[options.tools] } };
  }
}
