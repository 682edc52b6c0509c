// The stored record of a run: everything that happened, redacted. Also its view for a front end: bounded, and with each text
// only once. Pure.
import { t } from '@vscode/l10n';
import type { CutText, ErrorInfo, ReplyView, RunOutcome } from '../../../protocol';
import type { ChatTurn, Exchange, WordsCause } from '../../../types';
import { isRecord } from '../../../library';
import { MAX_BODY_VALUES } from '../../store/record';

/** A turn without its ledger, which the record has itself, and without the HTTP exchange, which is stored beside it. */
export type RecordedTurn = Omit<ChatTurn, 'ledger' | 'exchange'> & {
  exchange: Omit<Exchange, 'request' | 'response'>;
};

/** An outcome with the whole reply in place of the truncated view. */
export interface RunRecord extends Omit<RunOutcome, 'reply' | 'cut'> {
  turn?: RecordedTurn | undefined;
  /** Id of the setup that is stored beside the run; absent in runs of earlier versions. */
  setup?: string | undefined;
  /** Who asked for it, of a run that belongs to no conversation. */
  askedBy?: string | undefined;
  /** Of a failure: what the words of the server are about; absent when they are not known. */
  words?: WordsCause | undefined;
  /** Keyed by the index of the call. */
  schemaIssues?: ReplyView['schemaIssues'] | undefined;
}

/** Checks a stored value, which anybody may have changed. @returns undefined when it is not a record that can be shown */
export function readRecord(value: unknown): RunRecord | undefined {
  if (!isRecord(value) || !isRecord(value.verdict)) return undefined;
  const { turn } = value;
  const isWhole = turn === undefined ? true : isTurn(turn);
  const isRunRecord =
    ['runId', 'connectionId', 'connectionLabel', 'model'].every((key) => typeof value[key] === 'string') &&
    typeof value.startedAt === 'number' &&
    // Beyond this there is no date.
    Math.abs(value.startedAt) <= 8.64e15 &&
    typeof value.durationMs === 'number' &&
    typeof value.verdict.kind === 'string' &&
    typeof value.verdict.detail === 'string' &&
    ['string', 'undefined'].includes(typeof value.askedBy) &&
    Array.isArray(value.ledger) &&
    value.ledger.every(isRecord) &&
    Array.isArray(value.findings) &&
    value.findings.every(isRecord) &&
    isWhole;
  return isRunRecord ? (value as unknown as RunRecord) : undefined;
}

const isTurn = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value.assistant) &&
  typeof value.assistant.content === 'string' &&
  isRecord(value.raw) &&
  typeof value.raw.content === 'string' &&
  areCalls(value.raw.toolCalls) &&
  areCalls(value.toolCalls) &&
  isRecord(value.usage) &&
  isRecord(value.exchange) &&
  Array.isArray(value.exchange.toolCalls) &&
  value.exchange.toolCalls.every(isRecord);

const areCalls = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((call) => isRecord(call) && typeof call.id === 'string' && typeof call.name === 'string');

/** Maximum length of a text in a view, in UTF-16 code units; the rest is read on demand. */
const MAX_SHOWN = 20_000;
/** The same for the content of the reply. It is larger, because the spans of the rescue report point into it. */
const MAX_REPLY = 200_000;
/** Maximum number of list elements or object members; a server may send a hundred thousand calls. */
export const MAX_LISTED = 1_000;
/**
 * Text budget of an outcome in UTF-16 code units, and again of the results of its calls, so that both fit into a frame.
 */
const MAX_ENTRY = 500_000;
/** Length of the head that is shown of each further text when the budget is spent. */
const MAX_HEAD = 200;
/** How far the budget may be overdrawn before lists, and objects without a fixed shape, are cut off. */
const MAX_OVER = 500_000;
/** An object counts as fixed in shape when it has at most this many members and lies less deep than `FIXED_DEPTH`. */
const MAX_FIELDS = 50;
const FIXED_DEPTH = 5;
/** Records made here are never deeper; a deeper one was stored by somebody else. */
const MAX_DEPTH = 250;
const tooDeepText = (): string => t('… nested too deeply');

export function toRunOutcome(record: RunRecord): RunOutcome {
  const { turn, setup: _setup, words: _words, askedBy: _askedBy, schemaIssues = {}, ...rest } = record;
  const cut: CutText[] = [];
  const bound = createBound(cut);
  const reply = turn && withoutReplayData(toReplyView(turn, schemaIssues), cut);
  // The reply comes first, so that it gets the budget before the rest: it is what a person reads.
  return { ...(bound({ ...(reply && { reply }), ...rest }, '') as Omit<RunOutcome, 'cut'>), cut };
}

/** Stands for a record that the store no longer has. */
export const lostRecord = (runId: string): RunRecord =>
  unreadRecord(runId, t('no longer in the history'), {
    code: 'not-kept',
    title: t('No longer in the history'),
    what: t('The reply of this run is no longer stored, so it is not sent with the conversation.'),
    why: t('The history is limited by `history.maxRuns` and `history.maxBytes`.'),
    next: t('Run again, or raise the limits in the settings.'),
  });

/** The same for a run of an evaluation, whose sample is kept longer. */
export const lostSampleRecord = (runId: string): RunRecord =>
  unreadRecord(runId, t('no longer in the history'), {
    code: 'not-kept',
    title: t('No longer in the history'),
    what: t(
      'The reply of this sample is no longer stored. Its calls, its verdict and what it cost are kept with the evaluation.',
    ),
    why: t('The history is limited by `history.maxRuns` and `history.maxBytes`.'),
    next: t('Raise the limits in the settings, then evaluate anew.'),
  });

/** Stands for a record that has too many values to be read. What went over the wire is stored beside it, as text. */
export const tooLargeRecord = (runId: string): RunRecord =>
  unreadRecord(runId, t('too large to be read'), {
    code: 'too-large',
    title: t('Too large to be read'),
    what: t('The stored reply of this run is neither shown nor sent with the conversation.'),
    why: t(
      'It has more than {0} values; reading so many would block the editor for seconds.',
      MAX_BODY_VALUES.toLocaleString('en-US'),
    ),
    next: t(
      'What the server sent can still be opened in the tab Wire. Run again, or delete the run from the history.',
    ),
  });

const unreadRecord = (runId: string, detail: string, error: ErrorInfo): RunRecord => ({
  runId,
  connectionId: '',
  connectionLabel: '',
  model: '',
  startedAt: 0,
  durationMs: 0,
  verdict: { kind: 'failed', detail },
  error,
  ledger: [],
  findings: [],
});

/**
 * @returns the whole text at a path that `cut` lists, or the indented JSON of the object or list at the path; undefined when
 * there is neither
 */
export function readText(record: RunRecord, path: string): string | undefined {
  const { turn, schemaIssues = {}, ...rest } = record;
  let value: unknown = { ...rest, ...(turn && { reply: toReplyView(turn, schemaIssues) }) };
  for (const step of path.split('.')) {
    const key = step.replaceAll('~1', '.').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : undefined;
}

/** The data may be large and private, and a view shows only that there is some. A copy of the whole reply reads it. */
function withoutReplayData({ raw, ...reply }: ReplyView, cut: CutText[]): ReplyView {
  const { replay } = raw;
  if (!replay) return { raw, ...reply };
  cut.push({ path: 'reply.raw.replay.data', length: JSON.stringify(replay.data).length });
  return { raw: { ...raw, replay: { ...replay, data: null } }, ...reply };
}

function toReplyView(
  { assistant, raw, toolCalls, rescue, usage, exchange }: RecordedTurn,
  schemaIssues: ReplyView['schemaIssues'],
): ReplyView {
  const { content, reasoning } = raw;
  const spoken = { content, ...(reasoning !== undefined && { reasoning }) };
  const parseErrors = exchange.toolCalls.flatMap(({ parseError }, index) =>
    parseError === undefined ? [] : [[String(index), parseError] as const],
  );
  return {
    // The texts come before the calls, which may use up the whole budget.
    raw: { ...spoken, ...raw, ...(assistant.replay && { replay: assistant.replay }) },
    ...(assistant.content !== content && { content: assistant.content }),
    toolCalls,
    ...(rescue && { rescue }),
    usage,
    parseErrors: Object.fromEntries(parseErrors),
    schemaIssues,
  };
}

/**
 * Returns a function that truncates every text, list and object of a JSON value and adds the paths of what it truncated to
 * `cut`. A path consists of keys separated by dots; within a key, a dot is written `~1` and `~` is written `~0`.
 */
function createBound(
  cut: CutText[],
  { maxText, budget } = { maxText: MAX_SHOWN, budget: new TextBudget() },
): (value: unknown, path: string) => unknown {
  const bound = (value: unknown, path: string, depth = 0): unknown => {
    if (typeof value === 'string') {
      const shown = budget.take(value, path === 'reply.raw.content' ? MAX_REPLY : maxText);
      if (shown.length === value.length) return shown;
      budget.spend(path.length);
      cut.push({ path, length: value.length });
      return shown;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return tooDeepText();
    const place = (key: string): string => {
      const step = key.replaceAll('~', '~0').replaceAll('.', '~1');
      return path === '' ? step : `${path}.${step}`;
    };
    // A record of an earlier version may have a million members, of which only the first are read.
    const members = value as Readonly<Record<string, unknown>>;
    const keys = Object.keys(Array.isArray(value) ? value.slice(0, MAX_LISTED) : value);
    const { length } = Array.isArray(value) ? value : keys;
    const isOpen = Array.isArray(value) || keys.length > MAX_FIELDS || depth >= FIXED_DEPTH;
    const shown: [string, unknown][] = [];
    for (const key of keys.slice(0, MAX_LISTED)) {
      if (isOpen && budget.isOver) break;
      // Numbers, names and punctuation take space in the frame too.
      budget.spend(key.length + 8);
      shown.push([key, bound(members[key], place(key), depth + 1)]);
    }
    if (shown.length < length) {
      budget.spend(path.length);
      cut.push({ path, length });
    }
    return Array.isArray(value) ? shown.map(([, entry]) => entry) : Object.fromEntries(shown);
  };
  return bound;
}

/** Moves the end back if it would split a surrogate pair. */
export function toWholeCharacter(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** Counts how much text may still be shown. */
export class TextBudget {
  #left: number;

  constructor(length = MAX_ENTRY) {
    this.#left = length;
  }

  /** When true, whatever may be left out is left out. */
  get isOver(): boolean {
    return this.#left < -MAX_OVER;
  }

  spend(length: number): void {
    this.#left -= length;
  }

  /** @returns the beginning of the text, as much as the budget allows, and at least a short head */
  take(text: string, limit = MAX_SHOWN): string {
    const room = Math.min(limit, Math.max(MAX_HEAD, this.#left));
    const shown = text.length > room ? text.slice(0, toWholeCharacter(text, room)) : text;
    this.spend(shown.length);
    return shown;
  }
}

/** Truncates a text to the limit of a view. `length` is that of the whole text, in UTF-16 code units. */
export function boundText(text: string, budget = new TextBudget()): { content: string; length: number } {
  return { content: budget.take(text), length: text.length };
}

/** Truncates a value of a document to the limits of an outcome. */
export const boundValue = <T>(value: T): T => createBound([])(value, '') as T;

/**
 * The same without truncating texts, for values that were read from a text of at most this length.
 * @param cut Gets the paths of what is truncated.
 */
export const boundLists = <T>(value: T, maxText: number, cut: CutText[]): T =>
  createBound(cut, { maxText, budget: new TextBudget(2 * maxText) })(value, '') as T;
