// Sampling set in two places becomes one, key by key.
import type { SamplingParams } from '../../types';
import { pruneUndefined } from '../util/prune-undefined';

/** The later one wins key by key; an `undefined` in it does not erase. */
export function mergeSampling(
  base: SamplingParams | undefined,
  over: SamplingParams | undefined,
): SamplingParams {
  const merged = pruneUndefined(base ?? {});
  return over ? Object.assign(merged, pruneUndefined(over)) : merged;
}
