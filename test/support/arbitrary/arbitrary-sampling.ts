// Arbitrary sampling parameters: every key is absent, undefined or set to any value.
import type { SamplingParams } from '../../../src/library';
import { fc } from './properties';

const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined });
const stop = fc.option(fc.array(fc.string(), { maxLength: 3 }), { nil: undefined });

export const anySampling: fc.Arbitrary<SamplingParams> = fc.record(
  {
    temperature: number,
    topP: number,
    topK: number,
    seed: number,
    maxTokens: number,
    numCtx: number,
    stop,
    repeatPenalty: number,
  } satisfies Record<keyof SamplingParams, unknown>,
  { requiredKeys: [], noNullPrototype: true },
);
