// Finds matchers that are written wrongly, before anything is compared with them.
import { t } from '@vscode/l10n';
import { isMatcher, MATCHERS, OPTIONS } from './matchers';
import type { WrittenMatcher } from './matchers';

export interface MatcherProblem {
  /** Of the wrong place in the pattern. */
  path: readonly (string | number)[];
  /** The end of a sentence that begins with the place. */
  message: string;
}

/** Whether an operand is known only later, so that it cannot be checked. */
export type IsLater = (operand: unknown) => boolean;

/**
 * @param pattern Of at most 200 levels.
 * @returns the first problem; undefined when there is none
 */
export function checkMatchers(
  pattern: unknown,
  path: readonly (string | number)[] = [],
  isLater: IsLater = () => false,
): MatcherProblem | undefined {
  if (typeof pattern !== 'object' || pattern === null) return undefined;
  if (isMatcher(pattern)) return checkMatcher(pattern, path, isLater);
  const members: [string | number, unknown][] = Array.isArray(pattern)
    ? [...pattern.entries()]
    : Object.entries(pattern);
  return firstProblem(members, ([key, value]) => checkMatchers(value, [...path, key], isLater));
}

function checkMatcher(
  matcher: WrittenMatcher,
  path: readonly (string | number)[],
  isLater: IsLater,
): MatcherProblem | undefined {
  return firstProblem(Object.entries(matcher), ([key, operand]) => {
    const at = [...path, key];
    const owners = Object.hasOwn(OPTIONS, key) ? OPTIONS[key] : undefined;
    if (owners) {
      const isOwned = owners.some((owner) => Object.hasOwn(matcher, owner));
      return isOwned ? undefined : { path: at, message: t('may only stand beside {0}', owners.join(', ')) };
    }
    const known = Object.hasOwn(MATCHERS, key) ? MATCHERS[key] : undefined;
    if (!known) return { path: at, message: unknownMatcher() };
    const { check, inner } = known;
    if (isLater(operand)) return undefined;
    const message = check?.(operand, withoutLater(matcher, isLater));
    if (message !== undefined) return { path: at, message };
    if (inner === 'operand' || (inner === 'either' && !Array.isArray(operand)))
      return checkMatchers(operand, at, isLater);
    if (inner === undefined) return undefined;
    const elements = [...(operand as unknown[]).entries()];
    return firstProblem(elements, ([index, each]) => checkMatchers(each, [...at, index], isLater));
  });
}

/** With valid options in place of those that are known later. */
const withoutLater = (matcher: WrittenMatcher, isLater: IsLater): WrittenMatcher =>
  Object.fromEntries(
    Object.entries(matcher).map(([key, value]) => [key, isLater(value) ? LATER_VALUES[key] : value]),
  );

const LATER_VALUES: Readonly<Record<string, unknown>> = {
  $within: 0,
  $percent: 0,
  $length: true,
  $flags: '',
};

const unknownMatcher = (): string =>
  t(
    'is no matcher; those are {0}. A value with such keys is written as {1}',
    Object.keys(MATCHERS).join(', '),
    '{ "$equals": … }',
  );

function firstProblem<T>(
  list: readonly T[],
  check: (each: T) => MatcherProblem | undefined,
): MatcherProblem | undefined {
  for (const each of list) {
    const problem = check(each);
    if (problem) return problem;
  }
  return undefined;
}
