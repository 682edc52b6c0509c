import { describe, expect, test } from 'vitest';
import { pruneUndefined } from '../../../../src/library';
import { fc } from '../../../support/arbitrary/properties';

const record = fc.dictionary(
  fc.string(),
  fc.oneof(fc.constant(undefined), fc.constantFrom(null, 0, false, '', Number.NaN), fc.anything()),
);

describe('pruneUndefined', () => {
  test('keeps exactly the keys with a value, with their values and in order', () => {
    fc.assert(
      fc.property(record, (given) => {
        const entries = Object.entries(given);
        const pruned = pruneUndefined(given);
        const kept = entries.filter(([, value]) => value !== undefined);
        expect(Object.keys(pruned)).toEqual(kept.map(([key]) => key));
        for (const [key, value] of kept) expect(Object.is(Reflect.get(pruned, key), value)).toBe(true);
        expect(Object.entries(given)).toHaveLength(entries.length);
      }),
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(record, (given) => {
        const once = pruneUndefined(given);
        expect(pruneUndefined(once)).toStrictEqual(once);
      }),
    );
  });
});
