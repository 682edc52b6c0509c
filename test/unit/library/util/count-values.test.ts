import { describe, expect, test } from 'vitest';
import { countValues, hasMoreValues } from '../../../../src/library/util/count-values';
import { fc, runs } from '../../../support/arbitrary/properties';

/** Number of values inside of the value. */
function countInner(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce((sum: number, one) => sum + countInner(one), inner.length);
}

describe('countValues', () => {
  test('counts what is outside of texts', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(2), (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(countValues(JSON.stringify(value, null, indent), Infinity)).toBe(countInner(value));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.each([
    ['["a,b","c[{,"]', 2],
    [String.raw`["\",\",",",\\","\\\","]`, 3],
    [String.raw`["a\\\\",1]`, 2],
    ['["never closed,,,', 1],
    ['[[[[', 4],
    ['', 0],
  ])('of %s', (text, count) => expect(countValues(text, Infinity)).toBe(count));

  test('stops after the limit', () => {
    expect(countValues('['.repeat(1_000), 10)).toBe(11);
  });
});

describe('hasMoreValues', () => {
  test('does not read a text that is too short for more', () => {
    expect(hasMoreValues('[1,1,1]', 3)).toBe(false);
    expect(hasMoreValues('[1,1,1,1]', 3)).toBe(true);
    // Not JSON: what is as short as this cannot have as many values.
    expect(hasMoreValues(',,,,,,', 3)).toBe(false);
  });
});
