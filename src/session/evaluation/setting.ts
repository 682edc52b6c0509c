// What an evaluation sends and judges by, as the document, its rows and the connections said when it was read. Frozen, like the
// setup of a run: later changes make another one. Sends nothing.
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { billingOf } from '../../protocol';
import type {
  ConnectionView,
  DocumentLane,
  DocumentTool,
  PlaygroundDocument,
  StoredEvaluation,
} from '../../protocol';
import type { EvaluationLane, Expectation, Gates, Message } from '../../types';
import { isAsked, toMessage } from '../conversation/pending-messages';
import type { Item } from '../conversation/transcript';
import { toMessages } from '../conversation/transcript';
import type { Asked } from '../run/setup';
import type { DataRow } from '../rows/data-row';
import { pickMessages } from '../rows/message-picks';
import { DocumentTemplate } from '../rows/document-template';
import type { DocumentParts } from '../rows/document-template';
import type { ResolvedTool } from '../tools/resolve-tools';
import { canonicalJson } from '../../inspect';

/** A lane that is evaluated. */
export interface LaneSetting {
  config: DocumentLane;
  connection: ConnectionView;
  /** '' when the connection chooses it. */
  model: string;
}

/** A sample that is to be run. */
export interface PlannedSample {
  key: string;
  row: DataRow;
  lane: LaneSetting;
  /** From 1. */
  repeat: number;
  /** How often it was sent again, because it had no verdict. */
  requeued: number;
}

/** The parts of a row's samples: the document with the variables of the row in it. */
export interface FilledRow {
  system: string;
  messages: PlaygroundDocument['messages'];
  /** Those that are offered. */
  tools: readonly DocumentTool[];
  idleTools: readonly string[];
  expectations: readonly Expectation[];
}

/** Number of rows that are kept filled: more than samples are under way. */
const MAX_FILLED = 200;
/** Number of cases whose keys are computed in one turn of the event loop. */
const SLICE = 200;

type Parts = Omit<DocumentParts, 'tools'> & { tools: DocumentTool[] };

export interface SettingSource {
  document: PlaygroundDocument;
  tools: readonly ResolvedTool[];
  lanes: readonly LaneSetting[];
  /** Those that are sent. */
  rows: readonly DataRow[];
}

export class EvaluationSetting {
  readonly evaluate: PlaygroundDocument['evaluate'];
  readonly lanes: readonly LaneSetting[];
  readonly rows: readonly DataRow[];
  readonly template: DocumentTemplate<Parts>;
  readonly #isTemplate: boolean;
  readonly #parts: Parts;
  /** One list for all rows, so that it is hashed once. */
  readonly #offered: readonly DocumentTool[];
  /** Hashes of parts by lane, which rows share if they have no placeholder. */
  readonly #prints = new WeakMap<object, Map<string, string>>();
  readonly #byId: ReadonlyMap<string, DataRow>;
  /** The rows that were filled last: a row is filled to be sent and to be judged, once for each lane and repeat. */
  readonly #filled = new Map<DataRow, FilledRow>();

  constructor({ document, tools, lanes, rows }: SettingSource) {
    const { evaluate, system, messages, expect } = document;
    this.evaluate = evaluate;
    this.lanes = lanes;
    this.rows = rows;
    this.#byId = new Map(rows.map((row) => [row.id, row]));
    this.#isTemplate = evaluate.rows !== undefined;
    this.#parts = { system, messages, tools: tools.map(({ tool }) => tool), expect };
    this.#offered = this.#parts.tools.filter(({ offered }) => offered);
    this.template = new DocumentTemplate(this.#parts);
  }

  /** Absent when nothing says what a good reply is: then there are counts, and no rates. */
  get gates(): Gates | undefined {
    const { pass } = this.evaluate;
    const hasAny = this.#parts.expect.length > 0 || this.rows.some(({ expect = [] }) => expect.length > 0);
    return hasAny ? { case: pass.case, lane: pass.lane } : undefined;
  }

  /** Number of samples of a row in each lane. */
  repeatsOf({ repeat = this.evaluate.repeat }: Pick<DataRow, 'repeat'>): number {
    return repeat;
  }

  get sampleCount(): number {
    return this.lanes.length * this.rows.reduce((sum, row) => sum + this.repeatsOf(row), 0);
  }

  /** How large an evaluation is. */
  get extent(): Pick<StoredEvaluation, 'lanes' | 'rows' | 'repeats'> {
    const lanes = this.lanes.map((lane) => this.describeLane(lane).label);
    return { lanes, rows: this.rows.length, repeats: this.evaluate.repeat };
  }

  row(rowId: string): DataRow | undefined {
    return this.#byId.get(rowId);
  }

  lane(laneId: string): LaneSetting | undefined {
    return this.lanes.find(({ config }) => config.id === laneId);
  }

  fill(row: DataRow): FilledRow {
    const known = this.#filled.get(row);
    if (known) return known;
    const parts = this.#isTemplate ? this.template.fillRow(row).parts : this.#parts;
    const filled: FilledRow = {
      system: parts.system,
      messages: row.messages ? pickMessages(parts.messages, row.messages) : parts.messages,
      tools: parts.tools === this.#parts.tools ? this.#offered : parts.tools.filter(({ offered }) => offered),
      idleTools: parts.tools.flatMap(({ offered, name }) => (offered ? [] : [name])),
      expectations: parts.expect,
    };
    this.#filled.set(row, filled);
    const [oldest] = this.#filled.keys();
    if (oldest && this.#filled.size > MAX_FILLED) this.#filled.delete(oldest);
    return filled;
  }

  /**
   * The key of the samples of a case, without the repeat: equal when the same would be sent. What is expected, the gates and
   * all names have no part in it.
   */
  caseKey(row: DataRow, lane: LaneSetting): string {
    const { system, messages, tools } = this.fill(row);
    const { mode } = this.evaluate;
    const { connection, config, model } = lane;
    const { provider, address, scope, sampling = {}, isRescueOff = false } = connection;
    const { connection: connectionId, rescueToolCalls, raw = {}, toolChoice, limits } = config;
    const isAgent = mode === 'agent';
    const varies = this.samplingOf(lane, 2).seed !== config.sampling.seed;
    return printOf([
      { connectionId, provider, address, scope, model, sampling: { ...sampling, ...config.sampling } },
      ...(varies ? ['varies'] : []),
      { rescues: rescueToolCalls && !isRescueOff, raw, toolChoice, limits: isAgent ? limits : {} },
      [mode, row.id, config.id],
      system,
      this.#printOf(messages, config.id, () =>
        row.messages ? this.#printsOf(messages, config.id) : messagesFor(messages, config.id),
      ),
      this.#printOf(tools, '', () => (isAgent ? tools : tools.map(({ mocks: _mocks, ...tool }) => tool))),
    ]);
  }

  /** Equal when the same is expected of the samples of a row. */
  judgeKey(row: DataRow): string {
    return this.#printOf(row, 'judged', () => {
      const { expectations, tools } = this.fill(row);
      return [
        this.evaluate.timeoutMs ?? null,
        row.variables,
        this.#printOf(expectations, '', () => expectations),
        this.#printOf(tools, 'judged', () => tools.map(({ name, parameters }) => [name, parameters])),
      ];
    });
  }

  /** What a run of the row in the lane is asked. @param repeat From 1. */
  askedOf(row: DataRow, lane: LaneSetting, repeat: number): Asked {
    const { system, messages, tools, idleTools } = this.fill(row);
    const { id, ...config } = lane.config;
    const sampling = this.samplingOf(lane, repeat);
    const sent = row.messages ? toSent(messages, id) : messagesFor(messages, id);
    return { lane: { ...config, sampling }, system, tools, idleTools, messages: sent };
  }

  /** What a lane sets for one repeat. Without a seed there is none to vary. */
  samplingOf({ config, connection }: LaneSetting, repeat: number): DocumentLane['sampling'] {
    const { seed } = { ...connection.sampling, ...config.sampling };
    if (!this.evaluate.varySeed || seed === undefined) return config.sampling;
    return { ...config.sampling, seed: seed + repeat - 1 };
  }

  /** A lane as it is counted and named. One whose seed varies has none that its repeats share. */
  describeLane({ config, connection, model }: LaneSetting): EvaluationLane {
    const { temperature, seed } = { ...connection.sampling, ...config.sampling };
    return {
      id: config.id,
      label: model === '' ? connection.label : model,
      billing: billingOf(connection),
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && !this.evaluate.varySeed && { seed }),
    };
  }

  /** Each message is hashed once, because the rows of a long conversation share most of them. */
  #printsOf(messages: FilledRow['messages'], laneId: string): string[] {
    return ofLane(messages, laneId).map((message) => this.#printOf(message, '', () => [toMessage(message)]));
  }

  /** @param print Gives what is hashed of the part. */
  #printOf(part: object, laneId: string, print: () => unknown): string {
    const byLane = this.#prints.get(part) ?? new Map<string, string>();
    this.#prints.set(part, byLane);
    const known = byLane.get(laneId) ?? printOf(print());
    byLane.set(laneId, known);
    return known;
  }
}

/** Names a case within an evaluation. */
export const caseOf = (rowId: string, laneId: string): string => `${rowId}\n${laneId}`;

/** The keys of all cases, by `caseOf`. */
export async function computeCaseKeys(setting: EvaluationSetting): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const row of setting.rows) {
    // Judging needs it later, and now the row is filled.
    setting.judgeKey(row);
    for (const lane of setting.lanes) {
      if ((keys.size + 1) % SLICE === 0) await nextTurn();
      keys.set(caseOf(row.id, lane.config.id), setting.caseKey(row, lane));
    }
  }
  return keys;
}

/** The key of a sample. Not hashed once more, because there may be 100,000 of them in a plan. */
export const sampleKey = (caseKey: string, repeat: number): string => `${caseKey}:${repeat}`;

/** A hash of the value. */
export const printOf = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex');

/** What is sent of the messages of a document: those of the lane, up to the first question. */
export function messagesFor(messages: PlaygroundDocument['messages'], laneId: string): Message[] {
  const all = ofLane(messages, laneId);
  const end = all.findIndex((_message, index) => isAsked(all, index)) + 1;
  return toSent(all.slice(0, end), laneId);
}

const ofLane = (messages: PlaygroundDocument['messages'], laneId: string): PlaygroundDocument['messages'] =>
  messages.filter(({ lanes }) => !lanes || lanes.includes(laneId));

const toSent = (messages: PlaygroundDocument['messages'], laneId: string): Message[] =>
  toMessages(
    ofLane(messages, laneId).map((message, index): Item => ({
      kind: 'message',
      id: `${index}`,
      message: toMessage(message),
    })),
  );
