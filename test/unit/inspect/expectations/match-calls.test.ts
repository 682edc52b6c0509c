import { describe, expect, test } from 'vitest';
import type { CallMatch } from '../../../../src/inspect/expectations/match-calls';
import { isInListedOrder, matchInAnyOrder, rangeOf } from '../../../../src/inspect/expectations/match-calls';
import type { CallPattern, SampleCall } from '../../../../src/types';
import { fc, runs } from '../../../support/arbitrary/properties';

const context = { tools: [], checkSchema: () => undefined };

/** Calls of one tool with a number; a pattern takes the numbers from `$min` to `$max`, which overlap with others. */
const arbitraryPattern = fc
  .tuple(
    fc.nat(3),
    fc.nat(2),
    fc.constantFrom(undefined, 0, 1, 2, { min: 1, max: 2 }, { min: 0, max: 1 }, { min: 2 }),
  )
  .map(([from, more, times]): CallPattern => ({
    tool: 't',
    arguments: { n: { $min: from, $max: from + more } },
    ...(times !== undefined && { times }),
  }));
const arbitraryCalls = fc.array(
  fc.nat(4).map((n): SampleCall => ({ name: 't', arguments: { n }, step: 1, source: 'native' })),
  { maxLength: 6 },
);
/** Which numbers may be called beside the wanted ones. */
const arbitraryExtra = fc.constantFrom(
  () => true,
  () => false,
  ({ arguments: args }: SampleCall) => (args as { n: number }).n > 2,
);

const takes = ({ arguments: args }: CallPattern, call: SampleCall): boolean => {
  const { $min, $max } = (args as { n: { $min: number; $max: number } }).n;
  const { n } = call.arguments as { n: number };
  return n >= $min && n <= $max;
};

/** Tries every way to give each call a pattern or none. */
function isAnyOrder(
  patterns: readonly CallPattern[],
  calls: readonly SampleCall[],
  isExtra: (call: SampleCall) => boolean,
  counts = patterns.map(() => 0),
): boolean {
  const [call, ...rest] = calls;
  if (!call) return patterns.every((pattern, index) => (counts[index] ?? 0) >= rangeOf(pattern).min);
  if (isExtra(call) && isAnyOrder(patterns, rest, isExtra, counts)) return true;
  return patterns.some((pattern, index) => {
    const count = (counts[index] ?? 0) + 1;
    return (
      count <= rangeOf(pattern).max &&
      takes(pattern, call) &&
      isAnyOrder(patterns, rest, isExtra, counts.with(index, count))
    );
  });
}

/** Tries every way to go on in the list. */
function isListed(
  patterns: readonly CallPattern[],
  calls: readonly SampleCall[],
  isExtra: (call: SampleCall) => boolean,
  count = 0,
): boolean {
  const [pattern, ...others] = patterns;
  const [call, ...rest] = calls;
  if (!call && !pattern) return true;
  if (call && isExtra(call) && isListed(patterns, rest, isExtra, count)) return true;
  if (!pattern) return false;
  const { min, max } = rangeOf(pattern);
  if (count >= min && isListed(others, calls, isExtra)) return true;
  return (
    call !== undefined && count < max && takes(pattern, call) && isListed(patterns, rest, isExtra, count + 1)
  );
}

describe('matchInAnyOrder', () => {
  test('finds a way whenever there is one', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryPattern, { maxLength: 5 }),
        arbitraryCalls,
        arbitraryExtra,
        (patterns, calls, isExtra) => {
          const match = matchInAnyOrder({ patterns, calls, isExtra, context });
          expect(match.isMatch).toBe(isAnyOrder(patterns, calls, isExtra));
          expectConsistent(match, patterns, calls);
        },
      ),
      { numRuns: runs(3_000) },
    );
  });
});

function expectConsistent(
  { patternOf }: CallMatch,
  patterns: readonly CallPattern[],
  calls: readonly SampleCall[],
): void {
  for (const [index, pattern] of patterns.entries()) {
    const taken = calls.filter((_, call) => patternOf[call] === index);
    expect(taken.length).toBeLessThanOrEqual(rangeOf(pattern).max);
    expect(taken.every((call) => takes(pattern, call))).toBe(true);
  }
}

describe('isInListedOrder', () => {
  test('finds a way whenever there is one', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryPattern, { maxLength: 4 }),
        arbitraryCalls,
        arbitraryExtra,
        (patterns, calls, isExtra) => {
          expect(isInListedOrder({ patterns, calls, isExtra, context })).toBe(
            isListed(patterns, calls, isExtra),
          );
        },
      ),
      { numRuns: runs(3_000) },
    );
  });
});
