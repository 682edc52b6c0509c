import { describe, expect, test } from 'vitest';
import type { SamplingParams } from '../../../../src/library';
import { mergeSampling } from '../../../../src/library/sampling/merge-sampling';
import { anySampling } from '../../../support/arbitrary/arbitrary-sampling';
import { fc } from '../../../support/arbitrary/properties';

const KEYS = ['temperature', 'topP', 'topK', 'seed', 'maxTokens', 'numCtx', 'stop', 'repeatPenalty'] as const;

describe('mergeSampling', () => {
  test('merges key by key; undefined overrides nothing and is left out', () => {
    fc.assert(
      fc.property(anySampling, anySampling, (base, over) => {
        const merged = mergeSampling(base, over);
        for (const key of KEYS) expect(merged[key]).toBe(over[key] ?? base[key]);
        expect(Object.values(merged)).not.toContain(undefined);
      }),
    );
  });

  test('is associative, and merging an empty object changes nothing', () => {
    fc.assert(
      fc.property(anySampling, anySampling, anySampling, (first, second, third) => {
        const left = mergeSampling(mergeSampling(first, second), third);
        expect(left).toEqual(mergeSampling(first, mergeSampling(second, third)));
        for (const empty of [undefined, {}]) {
          expect(mergeSampling(left, empty)).toEqual(left);
          expect(mergeSampling(empty, left)).toEqual(left);
        }
      }),
    );
  });

  test('changes neither argument', () => {
    fc.assert(
      fc.property(anySampling, anySampling, (base, over) => {
        const before: SamplingParams[] = structuredClone([base, over]);
        mergeSampling(base, over);
        expect([base, over]).toStrictEqual(before);
      }),
    );
  });
});
