// Whether the arguments of a call hold at least the values that a mock asks for. Knows no tool.
import { isRecord } from './json-words';

/** Values that are compared at most; what asks for more matches nothing. */
const MOST_PAIRS = 200_000;

/** A value that was asked for and is not there. */
export interface Difference {
  /** As in JavaScript: `address.city`, `stops[0]`. */
  path: string;
  wanted: unknown;
  /** undefined: absent. */
  found: unknown;
}

export interface ArgumentsMatch {
  /** Leaves of the pattern that are the same in the value. */
  matched: number;
  differences: Difference[];
}

/**
 * Objects match when every key of the pattern does, lists when they are equally long and each element does, anything else
 * by value. Goes by the pattern alone, so neither the size nor the depth of the value counts.
 * @param mostDifferences Where the search ends.
 */
export function matchArguments(pattern: unknown, value: unknown, mostDifferences = Infinity): ArgumentsMatch {
  const match: ArgumentsMatch = { matched: 0, differences: [] };
  // a list of its own instead of recursion: a deep pattern must not exhaust the stack
  const pairs: Difference[] = [{ path: '', wanted: pattern, found: value }];
  for (let at = 0; at < pairs.length && match.differences.length < mostDifferences; at++) {
    const pair = pairs[at];
    if (!pair) break;
    const inner = at < MOST_PAIRS ? toInnerPairs(pair) : undefined;
    if (inner === undefined) match.differences.push(pair);
    else if (inner.length === 0) match.matched += 1;
    else for (const each of inner) pairs.push(each);
  }
  return match;
}

/** What is left to compare; undefined when the two differ already. */
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
    // own keys only: every object inherits a `constructor`
    found: Object.hasOwn(found, key) ? found[key] : undefined,
  }));
}
