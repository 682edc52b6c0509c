// Neutral sampling → request keys, and an account of what was sent and what was dropped.
import type { SamplingParams } from '../../types';

export interface TranslatedSampling {
  /** Ready for the request. */
  params: Record<string, unknown>;
  /** Neutral key → the key it was sent as. */
  sent: Record<string, string>;
  /** Neutral keys that this back end has no word for. */
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
