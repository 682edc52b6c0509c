// The form of a mock: when it answers, what it answers, and the texts of its fields. Also finds mocks that no call
// can reach. Pure; independent of positions in the document.
import { t } from '@vscode/l10n';
import type { ToolMock } from '../../src/protocol';
import type { TypedJson } from './json-field';
import { isJson, lengthProblem, parseJson, showJson } from './json-field';
import { isRecord } from '../../src/protocol';

export type MockCondition = 'always' | 'when' | 'call' | 'both';
export type MockAnswer = 'result' | 'error' | 'ask' | 'invoke';

/** Parts of a mock that are typed. */
export const MOCK_PARTS = ['when', 'call', 'result', 'error', 'delayMs'] as const;
export type MockPart = (typeof MOCK_PARTS)[number];

const ANSWERS = ['result', 'error', 'ask', 'invoke'] as const;
const MAX_DELAY_MS = 600_000;
/** Maximum number of pairs of values to compare. */
const MAX_PAIRS = 10_000;

export function conditionOf({ when, call }: ToolMock): MockCondition {
  if (when === undefined) return call === undefined ? 'always' : 'call';
  return call === undefined ? 'when' : 'both';
}

export const answerOf = (mock: ToolMock): MockAnswer =>
  ANSWERS.find((answer) => Object.hasOwn(mock, answer)) ?? 'result';

/** @param callNumber Call number to use if the mock had none. */
export function withCondition(mock: ToolMock, condition: MockCondition, callNumber: number): ToolMock {
  const { when = {}, call = callNumber, ...rest } = mock;
  return {
    ...((condition === 'when' || condition === 'both') && { when }),
    ...((condition === 'call' || condition === 'both') && { call }),
    ...rest,
  };
}

/** Changes the kind of answer; a text answer is carried over where possible. */
export function withAnswer(mock: ToolMock, answer: MockAnswer): ToolMock {
  const { result, error, ask: _ask, invoke: _invoke, delayMs, ...condition } = mock;
  const answers: Record<MockAnswer, ToolMock> = {
    result: { result: result === undefined ? (error ?? '') : result },
    error: { error: error ?? (typeof result === 'string' ? result : '') },
    ask: { ask: true },
    invoke: { invoke: true },
  };
  return { ...condition, ...answers[answer], ...(delayMs !== undefined && { delayMs }) };
}

/** @returns the text of the part; undefined for a part that this mock does not have. A delay can always be typed. */
export function showMockPart(mock: ToolMock, part: MockPart): string | undefined {
  if (part === 'delayMs') return mock.delayMs === undefined ? '' : String(mock.delayMs);
  if (!Object.hasOwn(mock, part)) return undefined;
  const value = mock[part];
  return part === 'result' && typeof value === 'string'
    ? showResultText(value)
    : typeof value === 'string'
      ? value
      : showJson(value);
}

/** Quotes a text that would otherwise be parsed as JSON or lose a carriage return. */
const showResultText = (text: string): string =>
  text.includes('\r') || isJson(text) ? JSON.stringify(text) : text;

/** Returns the value undefined if the part is not set. */
export function parseMockPart(part: MockPart, text: string): TypedJson {
  switch (part) {
    case 'when':
      return parseWhen(text);
    case 'call':
      return parseWhole(text, 1, Number.MAX_SAFE_INTEGER, t('A call number is a whole number, 1 or more.'));
    case 'delayMs':
      if (text.trim() === '') return { value: undefined };
      return parseWhole(
        text,
        0,
        MAX_DELAY_MS,
        t('A delay is a whole number of milliseconds, 600000 at most.'),
      );
    case 'error': {
      const problem = lengthProblem(text);
      return problem === undefined ? { value: text } : { problem };
    }
    case 'result':
      return parseResult(text);
  }
}

/** How a result will be stored, as a sentence. */
export function describeResult(text: string): string {
  if (isJson(text)) return t('Stored as JSON.');
  return /^\s*[[{]/.test(text) ? t('Stored as text: this is not JSON yet.') : t('Stored as text.');
}

function parseWhen(text: string): TypedJson {
  const parsed = parseJson(text);
  if (parsed.problem !== undefined) return parsed;
  return isRecord(parsed.value)
    ? parsed
    : { problem: t('The arguments to match are an object, such as {"city": "Oslo"}.') };
}

const parseResult = (text: string): TypedJson => {
  const problem = lengthProblem(text);
  if (problem !== undefined) return { problem };
  return isJson(text) ? parseJson(text) : { value: text };
};

function parseWhole(text: string, least: number, most: number, problem: string): TypedJson {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? { value } : { problem };
}

/**
 * A new mock and the first position at which it can be reached: the end, or before the first mock that answers
 * every call.
 */
export function newMock(mocks: readonly ToolMock[]): { at: number; mock: ToolMock } {
  const end = mocks.findIndex(isUnconditional);
  return end === -1
    ? { at: mocks.length, mock: { result: '' } }
    : { at: end, mock: { call: freeCall(mocks), result: '' } };
}

/** The lowest call number that no mock has. */
export function freeCall(mocks: readonly ToolMock[]): number {
  const taken = new Set(mocks.map(({ call }) => call));
  let call = 1;
  while (taken.has(call)) call++;
  return call;
}

/** @returns the earlier mock that answers every call this one would; undefined if this one can be reached. */
export function coveringMock(mocks: readonly ToolMock[], at: number): number | undefined {
  const mock = mocks[at];
  const index = mock ? mocks.slice(0, at).findIndex((earlier) => covers(earlier, mock)) : -1;
  return index === -1 ? undefined : index;
}

const isUnconditional = ({ when, call }: ToolMock): boolean =>
  call === undefined && (when === undefined || Object.keys(when).length === 0);

function covers(earlier: ToolMock, later: ToolMock): boolean {
  if (earlier.call !== undefined && earlier.call !== later.call) return false;
  return holds(later.when ?? {}, earlier.when ?? {});
}

/** Whether every condition of `less` is also one of `more`. False if the values are too large to compare. */
function holds(more: unknown, less: unknown): boolean {
  const pairs: [more: unknown, less: unknown][] = [[more, less]];
  for (let at = 0; at < pairs.length; at++) {
    const [one, other] = pairs[at] ?? [];
    const inner = at < MAX_PAIRS ? innerPairs(one, other) : undefined;
    if (!inner) return false;
    for (const pair of inner) pairs.push(pair);
  }
  return true;
}

function innerPairs(more: unknown, less: unknown): [unknown, unknown][] | undefined {
  if (Array.isArray(less)) {
    if (!Array.isArray(more) || more.length !== less.length) return undefined;
    return less.map((each: unknown, at): [unknown, unknown] => [more[at], each]);
  }
  if (!isRecord(less)) return more === less ? [] : undefined;
  if (!isRecord(more) || !Object.keys(less).every((key) => Object.hasOwn(more, key))) return undefined;
  return Object.entries(less).map(([key, each]): [unknown, unknown] => [more[key], each]);
}
