// Translates neutral sampling parameters into request keys, and records which were sent and which were dropped.
import type { SamplingParams } from '../../types';

export interface TranslatedSampling {
  /** The parameters under their request keys. */
  params: Record<string, unknown>;
  /** Neutral key → key in the request. */
  sent: Record<string, string>;
  /** Neutral keys that this back end does not support. */
  dropped: string[];
}

export function translateSampling(
  sampling: SamplingParams,
  keys: Readonly<Record<keyof SamplingParams, string | null>>,
): TranslatedSampling {
  const result: TranslatedSampling = { params: {}, sent: {}, dropped: [] };
  for (const neutral of Object.keys(sampling) as (keyof SamplingParams)[]) {
    const value = sampling[neutral];
    if (value === undefined) continue;
    const key = Object.hasOwn(keys, neutral) ? keys[neutral] : null;
    if (key) {
      result.params[key] = value;
      result.sent[neutral] = key;
    } else {
      result.dropped.push(neutral);
    }
  }
  return result;
}
