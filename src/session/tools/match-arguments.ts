// Checks whether the arguments of a call contain at least the values that a mock asks for. Independent of tools.
import { isRecord } from '../../library';

/** Maximum number of values that are compared; a pattern that asks for more matches nothing. */
const MAX_PAIRS = 200_000;

/** A value of the pattern that the arguments do not have. */
export interface Difference {
  /** In JavaScript notation: `address.city`, `stops[0]`. */
  path: string;
  wanted: unknown;
  /** undefined when the arguments have no value there. */
  found: unknown;
}

export interface ArgumentsMatch {
  /** Number of leaves of the pattern that are equal in the value. */
  matched: number;
  differences: Difference[];
}

/**
 * Objects match when every key of the pattern does, lists when they have the same length and each element matches, anything
 * else when equal. Only the pattern is walked, so the size and depth of the value do not matter.
 * @param mostDifferences The search ends at this many differences.
 */
export function matchArguments(pattern: unknown, value: unknown, mostDifferences = Infinity): ArgumentsMatch {
  const match: ArgumentsMatch = { matched: 0, differences: [] };
  // A queue instead of recursion, because a deep pattern must not exhaust the stack.
  const pairs: Difference[] = [{ path: '', wanted: pattern, found: value }];
  for (let at = 0; at < pairs.length && match.differences.length < mostDifferences; at++) {
    const pair = pairs[at];
    if (!pair) break;
    const inner = at < MAX_PAIRS ? toInnerPairs(pair) : undefined;
    if (inner === undefined) match.differences.push(pair);
    else if (inner.length === 0) match.matched += 1;
    else for (const each of inner) pairs.push(each);
  }
  return match;
}

/** @returns the inner pairs that are still to be compared; undefined when the two values differ already */
function toInnerPairs({ path, wanted, found }: Difference): Difference[] | undefined {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return undefined;
    return wanted.map((each: unknown, at) => ({ path: `${path}[${at}]`, wanted: each, found: found[at] }));
  }
  if (!isRecord(wanted)) return wanted === found ? [] : undefined;
  if (!isRecord(found)) return undefined;
  return Object.keys(wanted).map((key) => ({
    path: path === '' ? key : `${path}.${key}`,
    wanted: wanted[key],
    // Only own keys, because every object inherits `constructor`.
    found: Object.hasOwn(found, key) ? found[key] : undefined,
  }));
}
