import { describe, expect, test } from 'vitest';
import type { SamplingParams } from '../../../../src/library';
import { InvalidOptionsError } from '../../../../src/library';
import { checkSampling } from '../../../../src/library/sampling/check-sampling';
import { anySampling } from '../../../support/arbitrary/arbitrary-sampling';
import { fc } from '../../../support/arbitrary/properties';

const NUMBERS = ['temperature', 'topP', 'topK', 'seed', 'maxTokens', 'numCtx', 'repeatPenalty'] as const;
const noNumber = fc.constantFrom<unknown>(Number.NaN, Infinity, -Infinity, null, '1', '', true, [], {});
const noList = fc.constantFrom<unknown>(null, 'stop', 3, {}, [1], ['a', null]);

describe('checkSampling', () => {
  test('accepts every finite number and every list of texts, because servers check ranges', () => {
    fc.assert(
      fc.property(anySampling, (sampling) => {
        expect(() => checkSampling(sampling)).not.toThrow();
      }),
    );
  });

  test('refuses anything else by the name of its field, with any other fields', () => {
    const bad = fc.oneof(
      fc.tuple(fc.constantFrom<keyof SamplingParams>(...NUMBERS), noNumber),
      fc.tuple(fc.constant<keyof SamplingParams>('stop'), noList),
    );
    fc.assert(
      fc.property(anySampling, bad, (sampling, [key, value]) => {
        const check = (): void => checkSampling({ ...sampling, [key]: value });
        expect(check).toThrow(InvalidOptionsError);
        expect(check).toThrow(expect.objectContaining({ field: `sampling.${key}` }));
      }),
    );
  });
});
