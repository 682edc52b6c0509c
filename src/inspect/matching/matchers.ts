// The matchers that a value of a pattern may be: what each of them wants, and how a person reads it.
import { t } from '@vscode/l10n';
import { isRecord, isSame } from '../../library';
import { cutShort, jsonTypeOf, showValue } from '../json-words';
import { findPairing } from './pairing';
import { estimateSteps, MAX_TRIAL_STEPS, patternLimit } from './pattern-limit';
import { readFencedJson } from './read-fenced-json';

/** A matcher as it is written: an object whose keys all begin with `$`. All of them must hold. */
export type WrittenMatcher = Readonly<Record<string, unknown>>;

/** The value at one place of a pattern, and what was found there. */
export interface Place {
  wanted: unknown;
  /** undefined when there is no value. */
  found: unknown;
  /** Of the found value, in JavaScript notation: `address.city`, `stops[0]`; '' for the whole. */
  path: string;
  /** Of the wanted value in the pattern, from the innermost key outwards; absent for the whole. */
  at?: PatternStep | undefined;
}

/** A list of all keys for each place would take memory quadratic in the depth of the pattern. */
interface PatternStep {
  key: string | number;
  outer: PatternStep | undefined;
}

/** The walk that a matcher is part of. */
export interface Walk {
  /** Whether the value is what the pattern wants, without recording why not. */
  matches: (wanted: unknown, found: unknown) => boolean;
  /** Compares an inner place and records what differs there. */
  descend: (place: Place) => void;
  /** @returns what violates the schema; undefined when nothing does */
  checkSchema: (value: unknown, schema: unknown) => string | undefined;
}

/** `true` when it matches; undefined when inner places were compared; otherwise other words than those of `print`. */
type Answer = boolean | undefined | { expected?: string; message?: string };

interface Matcher {
  match: (operand: unknown, place: Place, walk: Walk, matcher: WrittenMatcher) => Answer;
  /** What is expected, as the end of a sentence: `at most 5`. */
  print: (operand: unknown, matcher: WrittenMatcher, level: number) => string;
  /** @returns what is wrong with the operand, as the end of a sentence */
  check?: (operand: unknown, matcher: WrittenMatcher) => string | undefined;
  /** Its inner patterns: the operand itself, or each of its elements when it is a list. */
  inner?: 'operand' | 'elements' | 'either';
}

/** Thrown when it would take too long to find out whether a value matches, so that nobody can say. */
export class UntriedError extends Error {}

export const isMatcher = (value: unknown): value is WrittenMatcher => {
  const keys = isRecord(value) ? Object.keys(value) : [];
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
};

const TYPES: Readonly<Record<string, () => string>> = {
  string: () => t('a text'),
  number: () => t('a number'),
  integer: () => t('a whole number'),
  boolean: () => t('true or false'),
  object: () => t('an object'),
  array: () => t('a list'),
  null: () => 'null',
};

const toList = (operand: unknown): readonly unknown[] =>
  Array.isArray(operand) ? (operand as readonly unknown[]) : [operand];

const isOfType = (value: unknown, type: unknown): boolean => {
  const found = value === undefined ? undefined : jsonTypeOf(value);
  return found === type || (type === 'number' && found === 'integer');
};

/** An option of a matcher, which may be written wrongly. */
const showPlain = (option: unknown): string => (typeof option === 'string' ? option : showValue(option));

/** Nothing else is removed than case and the form and number of spaces. */
const loosen = (text: string): string => text.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');

const contains = (found: unknown, wanted: unknown, walk: Walk): boolean => {
  if (typeof found === 'string') return typeof wanted === 'string' && found.includes(wanted);
  return Array.isArray(found) && found.some((each) => walk.matches(wanted, each));
};

/** @throws UntriedError */
function tryPattern(pattern: string, flags: string, text: string): boolean {
  if (estimateSteps(pattern, text.length) > MAX_TRIAL_STEPS)
    throw new UntriedError(t('{0} could take too long on a text of {1} characters', pattern, text.length));
  return new RegExp(pattern, `u${flags}`).test(text);
}

function nearDistance(wanted: number, { $within, $percent }: WrittenMatcher): number {
  const distance = typeof $within === 'number' ? $within : (Math.abs(wanted) * Number($percent)) / 100;
  // 59.96 - 59.91 is 0.05000000000000426.
  return distance + Number.EPSILON * 4 * Math.max(1, Math.abs(wanted));
}

/** The number that a bound is for: the value itself, or its length. */
const measured = (found: unknown, { $length }: WrittenMatcher): number | undefined => {
  if ($length !== true) return typeof found === 'number' ? found : undefined;
  return typeof found === 'string' || Array.isArray(found) ? found.length : undefined;
};

const bound = (
  isInside: (value: number, limit: number) => boolean,
  words: (limit: string) => string,
): Matcher => ({
  check: (operand, { $length }) =>
    typeof operand === 'number' ? checkYes($length ?? true, '$length') : t('must be a number'),
  match: (operand, { found }, _walk, matcher) => {
    const value = measured(found, matcher);
    if (value !== undefined) return isInside(value, Number(operand));
    return { expected: matcher.$length === true ? t('a text or a list') : t('a number') };
  },
  print: (operand, { $length }) =>
    $length === true ? t('a length of {0}', words(String(operand))) : words(String(operand)),
});

const checkYes = (operand: unknown, key?: string): string | undefined => {
  if (operand === true) return undefined;
  return key === undefined ? t('must be true') : t('has a {0} that is not true', key);
};

function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, `u${flags}`).source !== undefined;
  } catch {
    return false;
  }
}

function checkPattern(operand: unknown, { $flags = '' }: WrittenMatcher): string | undefined {
  if (typeof operand !== 'string') return t('must be text');
  if (!/^[ims]*$/.test(showPlain($flags))) return t('has $flags other than i, m and s');
  if (!isPattern(operand, showPlain($flags))) return t('is no regular expression');
  return patternLimit(operand) === undefined
    ? t('is a regular expression that could take too long')
    : undefined;
}

function checkNear(operand: unknown, { $within, $percent }: WrittenMatcher): string | undefined {
  if (typeof operand !== 'number') return t('must be a number');
  const [distance, ...others] = [$within, $percent].filter((each) => each !== undefined);
  return typeof distance === 'number' && distance >= 0 && others.length === 0
    ? undefined
    : t('needs either $within or $percent, a number of at least 0');
}

const mustBeText = (operand: unknown): string | undefined =>
  typeof operand === 'string' ? undefined : t('must be text');

const mustBeList = (operand: unknown): string | undefined =>
  Array.isArray(operand) ? undefined : t('must be a list');

export const MATCHERS: Readonly<Record<string, Matcher>> = {
  $equals: {
    match: (operand, { found }) => isSame(operand, found),
    print: (operand) => showValue(operand),
  },
  $oneOf: {
    inner: 'elements',
    check: (operand) => (toList(operand).length > 0 ? mustBeList(operand) : t('must not be empty')),
    match: (operand, { found }, walk) => toList(operand).some((each) => walk.matches(each, found)),
    print: (operand, _matcher, level) => joinWords(printEach(operand, level), t('or')),
  },
  $loose: {
    check: mustBeText,
    match: (operand, { found }) => typeof found === 'string' && loosen(found) === loosen(String(operand)),
    print: (operand) => t('{0} (any case)', showValue(operand)),
  },
  $matches: {
    check: checkPattern,
    match: (operand, { found }, _walk, { $flags = '' }) =>
      typeof found === 'string' && tryPattern(String(operand), showPlain($flags), found),
    print: (operand, { $flags }) =>
      $flags === undefined
        ? t('a text that matches {0}', String(operand))
        : t('a text that matches {0} ({1})', String(operand), showPlain($flags)),
  },
  $contains: {
    inner: 'either',
    match: (operand, { found }, walk) => toList(operand).every((each) => contains(found, each, walk)),
    print: (operand, _matcher, level) => {
      const parts = joinWords(printEach(operand, level), t('and'));
      return toList(operand).every((each) => typeof each === 'string')
        ? t('something that contains {0}', parts)
        : t('a list that contains {0}', parts);
    },
  },
  $near: {
    check: checkNear,
    match: (operand, { found }, _walk, matcher) =>
      typeof found === 'number'
        ? Math.abs(found - Number(operand)) <= nearDistance(Number(operand), matcher)
        : { expected: t('a number') },
    print: (operand, { $within, $percent }) =>
      `${String(operand)} ± ${$percent === undefined ? showPlain($within) : `${showPlain($percent)} %`}`,
  },
  $min: bound(
    (value, limit) => value >= limit,
    (limit) => t('at least {0}', limit),
  ),
  $max: bound(
    (value, limit) => value <= limit,
    (limit) => t('at most {0}', limit),
  ),
  $type: {
    check: (operand) =>
      toList(operand).length > 0 && toList(operand).every((type) => Object.hasOwn(TYPES, String(type)))
        ? undefined
        : t('must be one of {0}', Object.keys(TYPES).join(', ')),
    match: (operand, { found }) => toList(operand).some((type) => isOfType(found, type)),
    print: (operand) =>
      joinWords(
        toList(operand).map((type) => TYPES[String(type)]?.() ?? String(type)),
        t('or'),
      ),
  },
  $schema: {
    check: (operand) => (isRecord(operand) ? undefined : t('must be a JSON Schema')),
    match: (operand, { found, path }, walk) => {
      if (found === undefined) return false;
      const issue = walk.checkSchema(found, operand);
      return issue === undefined
        ? true
        : { message: t('{0} breaks the schema: {1}.', subjectOf(path), issue) };
    },
    print: () => t('a value that fits the schema'),
  },
  $json: {
    inner: 'operand',
    match: (operand, { found, path, at }, walk) => {
      if (typeof found !== 'string') return false;
      const read = readFencedJson(found);
      if ('reason' in read) return { message: t('{0} is not JSON: {1}.', subjectOf(path), read.reason) };
      walk.descend({ wanted: operand, found: read.value, path, at: { key: '$json', outer: at } });
      return undefined;
    },
    print: (operand, _matcher, level) => t('a text that is JSON: {0}', printPattern(operand, level)),
  },
  $any: {
    check: (operand) => checkYes(operand),
    match: (_operand, { found }) => found !== undefined,
    print: () => t('any value'),
  },
  $absent: {
    check: (operand) => checkYes(operand),
    match: (_operand, { found }) => found === undefined,
    print: () => t('no value'),
  },
  $optional: {
    inner: 'operand',
    match: (operand, { found }, walk) => found === undefined || walk.matches(operand, found),
    print: (operand, _matcher, level) => t('{0} or no value', printPattern(operand, level)),
  },
  $unordered: {
    inner: 'elements',
    check: mustBeList,
    match: (operand, { found }, walk) => {
      const wanted = toList(operand);
      if (!Array.isArray(found) || found.length !== wanted.length) return false;
      const canPair = (one: number, other: number) => walk.matches(wanted[one], found[other]);
      return findPairing(wanted.length, found.length, canPair).every((other) => other !== undefined);
    },
    print: (operand, _matcher, level) => t('{0} in any order', printPattern(operand, level)),
  },
  $each: {
    inner: 'operand',
    match: (operand, { found, path, at }, walk) => {
      if (!Array.isArray(found)) return false;
      for (const [index, each] of found.entries())
        walk.descend({
          wanted: operand,
          found: each,
          path: `${path}[${index}]`,
          at: { key: '$each', outer: at },
        });
      return undefined;
    },
    print: (operand, _matcher, level) => t('a list whose elements are {0}', printPattern(operand, level)),
  },
  $not: {
    inner: 'operand',
    match: (operand, { found }, walk) => !walk.matches(operand, found),
    print: (operand, _matcher, level) => t('not {0}', printPattern(operand, level)),
  },
};

/** Keys that say more about another one of the same matcher: they may only stand beside it. */
export const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  $flags: ['$matches'],
  $within: ['$near'],
  $percent: ['$near'],
  $length: ['$min', '$max'],
};

/** `The text`, or the path of a value. */
export const subjectOf = (path: string): string => (path === '' ? t('The text') : path);

/** Maximum number of members that are printed of one object or list, and of levels. */
const MAX_PRINTED = { members: 20, levels: 8 } as const;

/** What a pattern wants, as the end of a sentence: short JSON, with matchers in words. */
export function printPattern(pattern: unknown, level = 0): string {
  if (typeof pattern !== 'object' || pattern === null) return showValue(pattern);
  if (level > MAX_PRINTED.levels) return '…';
  if (isMatcher(pattern)) {
    const words = Object.entries(pattern).flatMap(([key, operand]) => {
      const matcher = Object.hasOwn(MATCHERS, key) ? MATCHERS[key] : undefined;
      return matcher ? [matcher.print(operand, pattern, level + 1)] : [];
    });
    return joinWords(words, t('and'));
  }
  const print = ([key, value]: readonly [string, unknown]): string =>
    (Array.isArray(pattern) ? '' : `${JSON.stringify(cutShort(key))}:`) + printPattern(value, level + 1);
  const entries = Object.entries(pattern);
  const shown = entries.slice(0, MAX_PRINTED.members).map(print);
  const members = [...shown, ...(entries.length > shown.length ? ['…'] : [])].join(',');
  return Array.isArray(pattern) ? `[${members}]` : `{${members}}`;
}

const printEach = (operand: unknown, level: number): string[] =>
  toList(operand)
    .slice(0, MAX_PRINTED.members)
    .map((each) => printPattern(each, level));

/** `a`, `a or b`, `a, b or c`. */
export const joinWords = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
