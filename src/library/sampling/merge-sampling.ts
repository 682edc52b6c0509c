// Merges sampling parameters from two sources.
import type { SamplingParams } from '../../types';
import { pruneUndefined } from '../util/prune-undefined';

/** Values of `over` replace those of `base` key by key; a value of `undefined` replaces nothing. Changes neither of them. */
export function mergeSampling(
  base: SamplingParams | undefined,
  over: SamplingParams | undefined,
): SamplingParams {
  const merged = pruneUndefined(base ?? {});
  return over ? Object.assign(merged, pruneUndefined(over)) : merged;
}
