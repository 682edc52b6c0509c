// Matchers as they are edited: a word for what is compared, and a value that is typed as JSON. Pure.
import { t } from '@vscode/l10n';
import { isRecord } from '../../src/protocol';
import type { TypedJson } from '../tools/json-field';
import { parseJson, showJson } from '../tools/json-field';

interface MatcherKind {
  id: string;
  word: () => string;
  /** How the value is typed: one JSON value, several with commas between them, a number and a distance, or nothing. */
  typed: 'value' | 'list' | 'near' | 'none';
  wrap: (value: unknown) => unknown;
  /** The value inside, if the matcher is of this kind. */
  read: (matcher: Readonly<Record<string, unknown>>) => { value: unknown } | undefined;
}

const ofKey = (key: string) => (matcher: Readonly<Record<string, unknown>>) =>
  Object.keys(matcher).length === 1 && Object.hasOwn(matcher, key) ? { value: matcher[key] } : undefined;

const kind = (key: string, word: () => string, typed: MatcherKind['typed'] = 'value'): MatcherKind => ({
  id: key,
  word,
  typed,
  wrap: (value) => ({ [key]: value }),
  read: ofKey(key),
});

const toNear = (value: unknown): unknown => {
  const [near, within] = Array.isArray(value) ? (value as unknown[]) : [value];
  return { $near: near, $within: within ?? 0 };
};

/** The literal value comes first: it is what a matcher is loosened from. */
export const MATCHER_KINDS: readonly MatcherKind[] = [
  {
    id: 'is',
    word: () => t('is'),
    typed: 'value',
    // An object with keys of matchers is one, unless it is compared as a whole.
    wrap: (value) => (isMatcher(value) ? { $equals: value } : value),
    read: ofKey('$equals'),
  },
  kind('$oneOf', () => t('is one of'), 'list'),
  kind('$loose', () => t('reads like')),
  kind('$contains', () => t('contains')),
  {
    id: '$not $contains',
    word: () => t('does not contain'),
    typed: 'value',
    wrap: (value) => ({ $not: { $contains: value } }),
    read: (matcher) => {
      const inner = ofKey('$not')(matcher)?.value;
      return isRecord(inner) ? ofKey('$contains')(inner) : undefined;
    },
  },
  kind('$matches', () => t('matches')),
  {
    id: '$near',
    word: () => t('is near'),
    typed: 'near',
    wrap: toNear,
    read: (matcher) =>
      Object.keys(matcher).toSorted().join() === '$near,$within'
        ? { value: [matcher['$near'], matcher['$within']] }
        : undefined,
  },
  kind('$min', () => t('is at least')),
  kind('$max', () => t('is at most')),
  kind('$type', () => t('is of type')),
  kind('$schema', () => t('fits the schema')),
  kind('$json', () => t('is JSON that is')),
  kind('$any', () => t('is there'), 'none'),
  kind('$absent', () => t('is absent'), 'none'),
  kind('$optional', () => t('is this or absent')),
  kind('$unordered', () => t('in any order'), 'list'),
  kind('$each', () => t('each is')),
  kind('$not', () => t('is not')),
];

const isMatcher = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => key.startsWith('$'));

/** A matcher as a person sees it; `id` is '' for one that only JSON can show. */
export interface MatcherForm {
  id: string;
  text: string;
}

export function toMatcherForm(matcher: unknown): MatcherForm {
  if (!isMatcher(matcher)) return { id: 'is', text: showValue(matcher, 'value') };
  for (const { id, typed, read } of MATCHER_KINDS) {
    const found = read(matcher);
    if (found) return { id, text: showValue(found.value, typed) };
  }
  return { id: '', text: showJson(matcher) };
}

function showValue(value: unknown, typed: MatcherKind['typed']): string {
  if (typed === 'none') return '';
  const isMany = typed !== 'value' && Array.isArray(value);
  return isMany ? (value as unknown[]).map((each) => JSON.stringify(each)).join(', ') : showJson(value);
}

/** The matcher that is meant, or why there is none. */
export function fromMatcherForm({ id, text }: MatcherForm): TypedJson {
  const found = MATCHER_KINDS.find((each) => each.id === id);
  if (!found) return parseJson(text);
  if (found.typed === 'none') return { value: found.wrap(true) };
  const isMany = found.typed !== 'value';
  const parsed = parseJson(isMany ? `[${text}]` : text);
  if (parsed.problem !== undefined) return { problem: `${parsed.problem} ${describeTyped(found.typed)}` };
  const problem = valueProblem(id, parsed.value);
  return problem === undefined ? { value: found.wrap(parsed.value) } : { problem };
}

const describeTyped = (typed: MatcherKind['typed']): string =>
  typed === 'list'
    ? t('Write values with commas between them, texts in quotes: "a", "b".')
    : typed === 'near'
      ? t('Write a number and the largest distance from it: 59.91, 0.05.')
      : t('Write a text in quotes: "Oslo".');

function valueProblem(id: string, value: unknown): string | undefined {
  const isText = typeof value === 'string';
  if ((id === '$loose' || id === '$matches') && !isText) return t('This needs a text in quotes.');
  if ((id === '$min' || id === '$max') && typeof value !== 'number') return t('This needs a number.');
  if (id === '$near') {
    const isNumbers =
      Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number');
    return isNumbers ? undefined : describeTyped('near');
  }
  if (id === '$oneOf' && Array.isArray(value) && value.length === 0) return describeTyped('list');
  return id === '$matches' && isText ? patternProblem(value) : undefined;
}

function patternProblem(pattern: string): string | undefined {
  try {
    return void new RegExp(pattern, 'u');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The text of a value when its matcher becomes another one: a list keeps its first value, a value becomes a list of it. */
export function changeKind({ id, text }: MatcherForm, next: string): MatcherForm {
  const [from, to] = [id, next].map((each) => MATCHER_KINDS.find((found) => found.id === each)?.typed);
  if (to === 'none') return { id: next, text: '' };
  if (from === 'list' && to === 'value') {
    const parsed = parseJson(`[${text}]`);
    const [first] = Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [];
    return { id: next, text: first === undefined ? text : showJson(first) };
  }
  return { id: next, text: from === 'none' || text === '' ? '""' : to === 'near' ? `${text}, 0` : text };
}
