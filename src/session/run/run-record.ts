// What is kept of a run: everything that happened, redacted. And the part of it that a front end is shown: bounded, each
// text once. Pure.
import { t } from '@vscode/l10n';
import type { CutText, ReplyView, RunOutcome } from '../../protocol';
import type { ChatTurn, Exchange } from '../../types';

/** Without its ledger, which is the record's own, and without what went over the wire, which is stored beside it. */
export type RecordedTurn = Omit<ChatTurn, 'ledger' | 'exchange'> & {
  exchange: Omit<Exchange, 'request' | 'response'>;
};

/** What an outcome says, with the whole reply in place of what a front end is shown of it. */
export interface RunRecord extends Omit<RunOutcome, 'reply' | 'cut'> {
  turn?: RecordedTurn | undefined;
  /** By the index of a call. */
  schemaIssues?: ReplyView['schemaIssues'] | undefined;
}

/** @returns undefined for what is no record, or cannot be shown as one: what is stored may be anybody's. */
export function readRecord(value: unknown): RunRecord | undefined {
  if (!isObject(value) || !isObject(value.verdict)) return undefined;
  const { turn } = value;
  const isWhole = turn === undefined ? true : isTurn(turn);
  const isRecord =
    typeof value.runId === 'string' &&
    typeof value.verdict.kind === 'string' &&
    Array.isArray(value.ledger) &&
    Array.isArray(value.findings) &&
    isWhole;
  return isRecord ? (value as unknown as RunRecord) : undefined;
}

const isTurn = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value.assistant) &&
  typeof value.assistant.content === 'string' &&
  isObject(value.raw) &&
  typeof value.raw.content === 'string' &&
  areCalls(value.raw.toolCalls) &&
  areCalls(value.toolCalls) &&
  isObject(value.usage) &&
  isObject(value.exchange) &&
  Array.isArray(value.exchange.toolCalls) &&
  value.exchange.toolCalls.every(isObject);

const areCalls = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((call) => isObject(call) && typeof call.id === 'string' && typeof call.name === 'string');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** UTF-16 units of a text that is drawn at once; the rest is read on demand. */
const MAX_SHOWN = 20_000;
/** Of the reply itself, whose spans point into it. */
const MAX_REPLY = 200_000;
/** Elements of a list or members of an object; a server may send a hundred thousand calls. */
export const MAX_LISTED = 1_000;
/** UTF-16 units of an outcome, and as many of the results of its calls: a frame has room for them. */
const MAX_ENTRY = 500_000;
/** Of each text beyond that. */
const MAX_HEAD = 200;
/** Beyond this, lists end, and so do objects that are not of a fixed shape. */
const MAX_OVER = 500_000;
/** Objects of a fixed shape have fewer members, and are not deeper. */
const MOST_FIELDS = 50;
const FIXED_DEPTH = 5;
/** Nothing that is made here is deeper; what is, was stored by somebody else. */
const MAX_DEPTH = 250;
const sayTooDeep = (): string => t('… nested too deeply');

export function toRunOutcome(record: RunRecord): RunOutcome {
  const { turn, schemaIssues = {}, ...rest } = record;
  const cut: CutText[] = [];
  const bound = createBound(cut);
  const reply = turn && toReplyView(turn, schemaIssues);
  // the reply first: it is what a person reads
  return { ...(bound({ ...(reply && { reply }), ...rest }, '') as Omit<RunOutcome, 'cut'>), cut };
}

/** In place of a record that the store does not have any more. */
export const lostRecord = (runId: string): RunRecord => ({
  runId,
  connectionId: '',
  connectionLabel: '',
  model: '',
  startedAt: 0,
  durationMs: 0,
  verdict: { kind: 'failed', detail: t('no longer in the history') },
  error: {
    code: 'not-kept',
    title: t('No longer in the history'),
    what: t('The reply of this run is not kept any more, so it is no part of what is sent.'),
    why: t('The history is bounded by `history.maxRuns` and `history.maxBytes`.'),
    next: t('Run again, or raise the bounds in the settings.'),
  },
  ledger: [],
  findings: [],
});

/** @returns the whole text at a place that `cut` named; undefined when there is no text. */
export function readText(record: RunRecord, path: string): string | undefined {
  const { turn, schemaIssues = {}, ...rest } = record;
  let value: unknown = { ...rest, ...(turn && { reply: toReplyView(turn, schemaIssues) }) };
  for (const step of path.split('.')) {
    const key = step.replaceAll('~1', '.').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' ? value : undefined;
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
    // the texts before the calls, which may take all the room
    raw: { ...spoken, ...raw },
    ...(assistant.content !== content && { content: assistant.content }),
    toolCalls,
    ...(rescue && { rescue }),
    usage,
    parseErrors: Object.fromEntries(parseErrors),
    schemaIssues,
  };
}

/**
 * Cuts every text, list and object of a JSON value at its limit and notes the places of the texts. In a place the keys
 * stand between dots; a dot of a key itself is `~1`, and `~` is `~0`.
 */
function createBound(cut: CutText[]): (value: unknown, path: string) => unknown {
  const budget = new TextBudget();
  const bound = (value: unknown, path: string, depth = 0): unknown => {
    if (typeof value === 'string') {
      const shown = budget.take(value, path === 'reply.raw.content' ? MAX_REPLY : MAX_SHOWN);
      if (shown.length === value.length) return shown;
      budget.spend(path.length);
      cut.push({ path, length: value.length });
      return shown;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return sayTooDeep();
    const place = (key: string): string => {
      const step = key.replaceAll('~', '~0').replaceAll('.', '~1');
      return path === '' ? step : `${path}.${step}`;
    };
    const members = Object.entries(Array.isArray(value) ? value.slice(0, MAX_LISTED) : value).slice(
      0,
      MAX_LISTED,
    );
    const isOpen = Array.isArray(value) || members.length > MOST_FIELDS || depth >= FIXED_DEPTH;
    const shown: [string, unknown][] = [];
    for (const [key, entry] of members) {
      if (isOpen && budget.isOver) break;
      // a number or a name takes room too
      budget.spend(key.length + 8);
      shown.push([key, bound(entry, place(key), depth + 1)]);
    }
    return Array.isArray(value) ? shown.map(([, entry]) => entry) : Object.fromEntries(shown);
  };
  return bound;
}

/** Never between the two halves of a character. */
export function toWholeCharacter(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** How much text is still shown. */
export class TextBudget {
  #left = MAX_ENTRY;

  /** Nothing more is shown that can be left out. */
  get isOver(): boolean {
    return this.#left < -MAX_OVER;
  }

  spend(length: number): void {
    this.#left -= length;
  }

  /** @returns as much of the beginning as there is room for, and a short head in any case */
  take(text: string, limit = MAX_SHOWN): string {
    const room = Math.min(limit, Math.max(MAX_HEAD, this.#left));
    const shown = text.length > room ? text.slice(0, toWholeCharacter(text, room)) : text;
    this.spend(shown.length);
    return shown;
  }
}

/** A text at its limit, with its whole length. */
export function boundText(text: string, budget = new TextBudget()): { content: string; length: number } {
  return { content: budget.take(text), length: text.length };
}

/** A value of a document at the limits of an outcome. */
export const boundValue = <T>(value: T): T => createBound([])(value, '') as T;
