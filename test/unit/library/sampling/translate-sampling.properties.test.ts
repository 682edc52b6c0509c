import { describe, expect, test } from 'vitest';
import type { SamplingParams } from '../../../../src/library';
import { translateSampling } from '../../../../src/library/sampling/translate-sampling';
import {
  HOSTED_API_SAMPLING_KEYS,
  LOCAL_HOST_SAMPLING_KEYS,
} from '../../../../src/library/wire/sampling-keys';
import { anySampling } from '../../../support/arbitrary/arbitrary-sampling';
import { fc } from '../../../support/arbitrary/properties';

const TABLES: [string, Readonly<Record<keyof SamplingParams, string | null>>][] = [
  ['local', LOCAL_HOST_SAMPLING_KEYS],
  ['hosted', HOSTED_API_SAMPLING_KEYS],
  ['newer hosted', { ...HOSTED_API_SAMPLING_KEYS, maxTokens: 'max_completion_tokens' }],
];

describe.each(TABLES)('translateSampling with the %s keys', (_, keys) => {
  test('either sends or drops each given key, and no other', () => {
    fc.assert(
      fc.property(anySampling, (sampling) => {
        const given = Object.entries(sampling).flatMap(([key, value]) => (value === undefined ? [] : [key]));
        const { sent, dropped } = translateSampling(sampling, keys);
        expect([...Object.keys(sent), ...dropped].toSorted()).toEqual(given.toSorted());
        expect(dropped.filter((key) => keys[key as keyof SamplingParams] !== null)).toEqual([]);
      }),
    );
  });

  test('sends each value unchanged under its wire key, and never undefined', () => {
    fc.assert(
      fc.property(anySampling, (sampling) => {
        const { params, sent } = translateSampling(sampling, keys);
        expect(Object.keys(params).toSorted()).toEqual(Object.values(sent).toSorted());
        for (const [neutral, wire] of Object.entries(sent)) {
          expect(wire).toBe(keys[neutral as keyof SamplingParams]);
          expect(params[wire]).toBe(sampling[neutral as keyof SamplingParams]);
          expect(params[wire]).toBeDefined();
        }
      }),
    );
  });

  test('drops a key that no table contains, whatever its name', () => {
    const { params, dropped } = translateSampling(
      { constructor: 1, toString: 2, seed: 3 } as unknown as SamplingParams,
      keys,
    );
    expect([params, dropped]).toEqual([{ seed: 3 }, ['constructor', 'toString']]);
  });
});
