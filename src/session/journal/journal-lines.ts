// The lines of a session's journal: one union of their kinds, one function that writes one, and one that reads one. What is
// stored may be of an earlier version, damaged, or changed by anybody, so reading checks each line once.
import type { AgentEnding, EmbeddingOutcome, LiveReplyView, RecordedRow, Verdict } from '../../protocol';
import type { Message } from '../../types';
import type { EvaluationChoice, EvaluationHead, EvaluationMark } from '../evaluation/evaluation-head';
import { isHead } from '../evaluation/evaluation-head';
import type { RemovedMessage } from '../editing/message-edits';
import type { Journal, JournalLine } from '../ports';
import type { RunItem, ToolAnswer } from '../conversation/transcript';
import { isRecord } from '../../library';

/** The fields of each kind of line. A new kind is one more entry here and one in `READERS`. */
interface LineFields {
  /** `at` is in milliseconds since the epoch, in every line that has it. */
  message: { lane: string; id: string; at?: number; message: Message };
  /** A run has begun. */
  run: RunStart & { lane: string; step?: RunItem['step'] };
  /** A run that belongs to no conversation: it sends the request of another one again, or another program asked for it. */
  replay: RunStart & { question: string; replayOf?: string | undefined; askedBy?: string | undefined };
  /**
   * The run `id` has this setup; the body beside the first such line is the setup itself. As long as the body `holder` is
   * stored, so is the body `held`; only the store reads these two.
   */
  setup: { id: string; setup: string; holder?: string; held?: string };
  partial: ReplyPiece & { id: string };
  /** The body beside it is the record of the run. */
  ended: {
    id: string;
    at?: number;
    verdict: Verdict | undefined;
    durationMs: number;
    model: string;
    connectionLabel: string;
  };
  /** What a run can be searched by without its record, whose body is `about`. */
  summary: { about: string; id: string; tools: string[]; text: string };
  mark: { about: string; id: string; isPinned?: boolean | undefined; name?: string | undefined };
  /** The body beside it is what went over the wire. */
  wire: { id: string };
  result: { run: string; call: number; result: ToolAnswer };
  ending: { id: string; ending: AgentEnding };
  /** Removes the item `from` and everything after it. */
  cut: { lane: string; from: string };
  /** Whether the messages fit a document is for its reader to check: that takes the schema of the document. */
  clear: { lanes: string[]; messages: readonly RemovedMessage[] };
  /** The conversations of these lanes can be restored as they are now, and so can the results of the run. */
  keep: { lanes: string[]; run: string };
  restore: object;
  forget: object;
  /** What is recorded of another program. */
  recording: { at: number; connectionId: string; label: string; isStopped?: boolean | undefined };
  /** One recorded request; its body `about` is the run `id`, or is empty where the request is no chat. */
  exchange: { about: string; id: string; row: RecordedRow };
  /** The body beside it, which is undefined, replaces one of the run. */
  deleted: { id: string };
  /** What is known of an evaluation; a later line of the same id replaces it. */
  evaluation: { head: EvaluationHead };
  'evaluation-mark': EvaluationMark & { id: string };
  'evaluation-removed': { id: string };
  /** What is chosen for evaluations; the last line counts. */
  'evaluation-choice': EvaluationChoice;
  /** `begun` at the start, `outcome` at the end. */
  embedding: {
    labels: string[];
    begun?: { runId: string; connectionId: string; model: string } | undefined;
    outcome?: EmbeddingOutcome | undefined;
  };
}

/** What has arrived of a reply since the last piece; absent parts are unchanged. */
export interface ReplyPiece {
  content?: string;
  reasoning?: string;
  /** All calls so far. */
  toolCalls?: LiveReplyView['toolCalls'];
}

interface RunStart {
  id: string;
  at: number;
  connectionId: string;
  model: string;
}

type LineKind = keyof LineFields;
export type SessionLine = { [Kind in LineKind]: { kind: Kind } & LineFields[Kind] }[LineKind];

/** In UTF-16 code units of a field as JSON; a longer one is stored as a body beside its line. */
const MAX_INLINE = 100_000;

/** The field that may be that long, by the kind of line. */
const LONG_FIELDS: Readonly<Record<string, string>> = {
  message: 'message',
  result: 'result',
  clear: 'messages',
};

/** @param body Stored beside the line. */
export function appendLine(
  journal: Journal,
  line: SessionLine,
  body?: { key: string; value: unknown },
): void {
  const name = LONG_FIELDS[line.kind];
  const value = name === undefined ? undefined : (line as JournalLine)[name];
  if (name === undefined || JSON.stringify(value).length <= MAX_INLINE)
    return journal.append({ ...line }, body);
  const key = keyOfLong(line);
  journal.append({ ...line, [name]: undefined, body: key }, { key, value });
}

function keyOfLong(line: SessionLine): string {
  if (line.kind === 'message') return `message:${line.id}`;
  if (line.kind === 'result') return `result:${line.run}:${line.call}`;
  return `${line.kind}:${crypto.randomUUID()}`;
}

/** The lines with their long fields put back. Never rejects: if a body is gone, its field is undefined. */
export function withLongFields(journal: Journal): Promise<JournalLine[]> {
  return Promise.all(
    journal.lines.map(async (line) => {
      const name =
        typeof line.kind === 'string' && Object.hasOwn(LONG_FIELDS, line.kind) && LONG_FIELDS[line.kind];
      if (!name || typeof line.body !== 'string') return line;
      return { ...line, [name]: await journal.readBody(line.body) };
    }),
  );
}

/** @returns undefined for a line of an unknown kind, and for one whose message, result or ending is damaged */
export function readLine(line: JournalLine): SessionLine | undefined {
  const { kind } = line;
  if (typeof kind !== 'string' || !Object.hasOwn(READERS, kind)) return undefined;
  const fields = READERS[kind as LineKind](line);
  return fields && ({ kind, ...fields } as SessionLine);
}

const READERS: { [Kind in LineKind]: (line: JournalLine) => LineFields[Kind] | undefined } = {
  message: ({ lane, id, message }) =>
    isMessage(message) ? { lane: text(lane), id: text(id), message } : undefined,
  run: ({ lane, step, ...start }) => ({ lane: text(lane), ...toStart(start), ...(isStep(step) && { step }) }),
  replay: ({ question, replayOf, askedBy, ...start }) => ({
    ...toStart(start),
    question: text(question),
    ...(typeof replayOf === 'string' && { replayOf }),
    ...(typeof askedBy === 'string' && { askedBy }),
  }),
  setup: ({ id, setup }) => ({ id: text(id), setup: text(setup) }),
  partial: ({ id, content, reasoning, toolCalls }) => ({
    id: text(id),
    content: text(content),
    reasoning: text(reasoning),
    ...(Array.isArray(toolCalls) && { toolCalls: toolCalls.filter(isLiveCall) }),
  }),
  ended: ({ id, verdict, durationMs, model, connectionLabel }) => ({
    id: text(id),
    verdict: isVerdict(verdict) ? verdict : undefined,
    durationMs: count(durationMs),
    model: text(model),
    connectionLabel: text(connectionLabel),
  }),
  summary: ({ about, id, tools, text: reply }) => ({
    about: text(about),
    id: text(id),
    tools: texts(tools),
    text: text(reply),
  }),
  mark: ({ about, ...mark }) => ({ about: text(about), ...toMark(mark) }),
  wire: ({ id }) => ({ id: text(id) }),
  result: ({ run, call, result }) =>
    isAnswer(result) && isIndex(call) ? { run: text(run), call, result } : undefined,
  ending: ({ id, ending }) => (isEnding(ending) ? { id: text(id), ending } : undefined),
  cut: ({ lane, from }) => ({ lane: text(lane), from: text(from) }),
  clear: ({ lanes, messages }) => ({
    lanes: texts(lanes),
    messages: Array.isArray(messages) ? messages.filter(isRemovedMessage) : [],
  }),
  keep: ({ lanes, run }) => ({ lanes: texts(lanes), run: text(run) }),
  restore: () => ({}),
  forget: () => ({}),
  recording: ({ at, connectionId, label, isStopped }) => ({
    at: count(at),
    connectionId: text(connectionId),
    label: text(label),
    isStopped: isStopped === true,
  }),
  exchange: ({ about, id, row }) => (isRow(row) ? { about: text(about), id: text(id), row } : undefined),
  deleted: ({ id }) => ({ id: text(id) }),
  evaluation: ({ head }) => (isHead(head) ? { head } : undefined),
  'evaluation-mark': (mark) => toMark(mark),
  'evaluation-removed': ({ id }) => ({ id: text(id) }),
  'evaluation-choice': ({ rowId, referenceId }) => ({
    ...(typeof rowId === 'string' && { rowId }),
    ...(typeof referenceId === 'string' && { referenceId }),
  }),
  embedding: ({ labels, begun, outcome }) => {
    if (!Array.isArray(labels)) return undefined;
    return {
      labels: labels.map(String),
      ...(isRecord(begun) && { begun: toBegunEmbedding(begun) }),
      ...(isOutcome(outcome) && { outcome }),
    };
  },
};

const toMark = ({ id, isPinned, name }: JournalLine) => ({
  id: text(id),
  ...(typeof isPinned === 'boolean' && { isPinned }),
  ...(typeof name === 'string' && { name }),
});

const toStart = ({ id, at, connectionId, model }: JournalLine): RunStart => ({
  id: text(id),
  at: count(at),
  connectionId: text(connectionId),
  model: text(model),
});

const toBegunEmbedding = ({ runId, connectionId, model }: JournalLine) => ({
  runId: String(runId),
  connectionId: String(connectionId),
  model: String(model),
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];
const isMessage = (value: unknown): value is Message =>
  isRecord(value) &&
  ROLES.includes(value.role) &&
  typeof value.content === 'string' &&
  (value.toolCalls === undefined || (Array.isArray(value.toolCalls) && value.toolCalls.every(isCall)));
const isRemovedMessage = (value: unknown): value is RemovedMessage =>
  isRecord(value) && isIndex(value.place) && isRecord(value.message);
const isCall = (value: unknown): boolean =>
  isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string';
const isStep = (value: unknown): value is NonNullable<RunItem['step']> =>
  isRecord(value) && typeof value.agentRunId === 'string' && typeof value.number === 'number';
const isAnswer = (value: unknown): value is ToolAnswer =>
  isRecord(value) && typeof value.content === 'string' && typeof value.isError === 'boolean';
const isEnding = (value: unknown): value is AgentEnding =>
  isRecord(value) && typeof value.stopReason === 'string' && isRecord(value.usage);
const isLiveCall = (value: unknown): value is LiveReplyView['toolCalls'][number] =>
  isRecord(value) && typeof value.name === 'string' && typeof value.arguments === 'string';
const isVerdict = (value: unknown): value is Verdict =>
  isRecord(value) && typeof value.kind === 'string' && typeof value.detail === 'string';

/** As far as a front end relies on it. */
const isRow = (value: unknown): value is RecordedRow =>
  isRecord(value) &&
  Number.isSafeInteger(value.number) &&
  ['startedAt', 'endMs'].every((key) => typeof value[key] === 'number') &&
  ['program', 'method', 'path'].every((key) => typeof value[key] === 'string') &&
  (value.verdict === undefined || isVerdict(value.verdict)) &&
  (value.run === undefined || isRecord(value.run));

/** As far as a front end relies on it. */
function isOutcome(value: unknown): value is EmbeddingOutcome {
  if (!isRecord(value)) return false;
  const { result, error, usage } = value;
  return (
    ['runId', 'connectionId', 'connectionLabel', 'model'].every((key) => typeof value[key] === 'string') &&
    typeof value.durationMs === 'number' &&
    typeof value.attempts === 'number' &&
    (result === undefined || isEmbeddingResult(result)) &&
    (error === undefined || isErrorInfo(error)) &&
    (usage === undefined || isRecord(usage))
  );
}

const isEmbeddingResult = (value: unknown): boolean =>
  isRecord(value) &&
  Array.isArray(value.vectors) &&
  value.vectors.every((vector) => isRecord(vector) && Array.isArray(vector.head)) &&
  Array.isArray(value.similarity) &&
  value.similarity.every(Array.isArray) &&
  Array.isArray(value.findings) &&
  value.findings.every(isRecord);

const isErrorInfo = (value: unknown): boolean =>
  isRecord(value) && ['code', 'title', 'what', 'why', 'next'].every((key) => typeof value[key] === 'string');
