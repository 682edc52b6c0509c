// Requests about runs that have ended: what they sent and received, and how their replies read with other settings. Sends
// nothing to a server. Independent of views.
import { t } from '@vscode/l10n';
import type { ExportedRun } from '../inspect';
import { diagnoseModel } from '../inspect';
import type { CompareForm, ComparePart, ConnectionView, ReadingOptions, ReadingPair } from '../protocol';
import type { Finding, ModelInfo, ToolType } from '../types';
import type { Conversations } from './conversation';
import type { EditableDocument } from './editable-document';
import type { Lane } from './lane';
import type { Journal } from './ports';
import { refuse } from './refusal';
import type { ComparedSide, TextPair } from './run/compare-runs';
import { compareRuns } from './run/compare-runs';
import { toExportedRun } from './run/exported-run';
import { printReading, readAgain, readingOf, toReadingPair } from './run/read-again';
import type { ReadOptions } from './run/read-again';
import type { RecordedTurn, RunRecord } from './run/run-record';
import { toRunSetting } from './run/run-setting';
import type { WireRecord } from './run/wire-record';
import { readWire } from './run-lines';

type Place = { laneId: string; runId: string };

export class PastRuns {
  readonly #journal: Journal;
  readonly #editable: EditableDocument;
  readonly #conversations: Pick<Conversations, 'load'>;
  readonly #lane: (laneId: string) => Lane;
  readonly #knownConnections: () => readonly ConnectionView[];

  /** @param lane Returns a lane by id; throws when there is none. */
  constructor(
    journal: Journal,
    editable: EditableDocument,
    conversations: Pick<Conversations, 'load'>,
    {
      lane,
      knownConnections,
    }: { lane: (laneId: string) => Lane; knownConnections: () => readonly ConnectionView[] },
  ) {
    this.#journal = journal;
    this.#editable = editable;
    this.#conversations = conversations;
    this.#lane = lane;
    this.#knownConnections = knownConnections;
  }

  /** @returns undefined when nothing was sent, or the wire record is no longer stored */
  wire(runId: string): Promise<WireRecord | undefined> {
    return readWire(this.#journal, runId);
  }

  async record({ laneId, runId }: Place): Promise<RunRecord> {
    const lane = this.#lane(laneId);
    const item = lane.findRun(runId);
    if (item) await this.#conversations.load(lane, [item]);
    const { record } = lane.findRun(runId) ?? {};
    if (record) return record;
    throw refuse(t('The run no longer exists.'), t('Run again.'));
  }

  /** Findings from what the server says about the model and from the run. @param model Undefined when it says nothing. */
  async modelFindings(place: Place, model: ModelInfo | undefined): Promise<Finding[]> {
    const record = await this.record(place);
    const wire = await this.wire(place.runId);
    const lane = this.#editable.document.lanes.find(({ id }) => id === place.laneId);
    const connections = this.#knownConnections();
    const view = connections.find(({ id }) => id === record.connectionId);
    return diagnoseModel({
      model,
      request: wire?.requests[wire.attempts.at(-1)?.request ?? -1],
      usage: record.turn?.raw.usage ?? {},
      hasTools: (wire?.tools.length ?? 0) > 0,
      setting: toRunSetting(lane ?? NO_LANE, view, connections),
    });
  }

  /** Everything that is stored of a run, in the form that is exported. */
  async exported(place: Place): Promise<ExportedRun> {
    const { laneId } = place;
    const record = await this.record(place);
    const title = t('Lane {0}', this.#editable.document.lanes.findIndex(({ id }) => id === laneId) + 1);
    return toExportedRun(title, record, await this.wire(place.runId));
  }

  /** Texts of the same part of two runs, to be compared line by line. */
  async comparison(places: readonly [Place, Place], part: ComparePart, form: CompareForm): Promise<TextPair> {
    const [left, right] = await Promise.all([this.#toSide(places[0]), this.#toSide(places[1])]);
    return compareRuns([left, right], part, form);
  }

  async #toSide(place: Place): Promise<ComparedSide> {
    const record = await this.record(place);
    const { lanes } = this.#editable.document;
    const index = lanes.findIndex(({ id }) => id === place.laneId);
    const wire = await this.wire(place.runId);
    return { title: t('Lane {0}', index + 1), name: `lane-${index + 1}`, record, wire, lane: lanes[index] };
  }

  async reading(place: Place, options: ReadingOptions): Promise<ReadingPair> {
    const turn = await this.#turn(place);
    return toReadingPair(turn, await this.#toOptions(place.runId, options));
  }

  /** Texts of both readings, to be compared line by line. */
  async readingTexts(place: Place, options: ReadingOptions): Promise<TextPair> {
    const turn = await this.#turn(place);
    const after = readAgain(turn, await this.#toOptions(place.runId, options));
    return {
      title: t('Original reading ↔ read again'),
      left: { name: 'as-it-ran.txt', text: printReading(readingOf(turn)) },
      right: { name: 'read-again.txt', text: printReading(after) },
    };
  }

  async #turn(place: Place): Promise<RecordedTurn> {
    const { turn } = await this.record(place);
    if (turn) return turn;
    throw refuse(t('The run has no reply.'), t('Run again.'));
  }

  async #toOptions(runId: string, options: ReadingOptions): Promise<ReadOptions> {
    const { rescueToolCalls, format, tools } = options;
    return { rescueToolCalls, format, tools: await this.#tools(runId, tools) };
  }

  async #tools(runId: string, which: ReadingOptions['tools']): Promise<readonly ToolType[]> {
    if (which === 'none') return [];
    if (which === 'offered') return (await this.wire(runId))?.tools ?? [];
    return this.#editable.tools.filter(({ tool }) => tool.offered).map(({ tool }) => tool);
  }
}

/** Stands for a lane that was removed. */
const NO_LANE = { sampling: {}, raw: {} };
