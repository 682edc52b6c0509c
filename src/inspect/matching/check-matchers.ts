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

/** A text that is exactly one placeholder: it may stand for a value of any type. */
const PLACEHOLDER = /^\{\{[^{}]+\}\}$/;

/**
 * @param pattern Of at most 200 levels.
 * @returns the first problem; undefined when there is none
 */
export function checkMatchers(
  pattern: unknown,
  path: readonly (string | number)[] = [],
): MatcherProblem | undefined {
  if (typeof pattern !== 'object' || pattern === null) return undefined;
  if (isMatcher(pattern)) return checkMatcher(pattern, path);
  const members: [string | number, unknown][] = Array.isArray(pattern)
    ? [...pattern.entries()]
    : Object.entries(pattern);
  return firstProblem(members, ([key, value]) => checkMatchers(value, [...path, key]));
}

function checkMatcher(
  matcher: WrittenMatcher,
  path: readonly (string | number)[],
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
    if (typeof operand === 'string' && PLACEHOLDER.test(operand)) return undefined;
    const message = check?.(operand, withoutPlaceholders(matcher));
    if (message !== undefined) return { path: at, message };
    if (inner === 'operand' || (inner === 'either' && !Array.isArray(operand)))
      return checkMatchers(operand, at);
    return inner === undefined ? undefined : checkElements(operand, at);
  });
}

const checkElements = (list: unknown, path: readonly (string | number)[]): MatcherProblem | undefined =>
  firstProblem([...(list as unknown[]).entries()], ([index, each]) => checkMatchers(each, [...path, index]));

/** Options whose value is known only for each row are not checked here. */
const withoutPlaceholders = (matcher: WrittenMatcher): WrittenMatcher =>
  Object.fromEntries(
    Object.entries(matcher).map(([key, value]) => [
      key,
      typeof value === 'string' && PLACEHOLDER.test(value) ? LATER_VALUES[key] : value,
    ]),
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
