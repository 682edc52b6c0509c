// Reads the sampling values that a server uses where a request sets none, under their neutral names. Pure.
import type { SamplingParams } from '../../types';
import { toCount, toRecord } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';

/** The largest 32-bit number, by which llama-server means a different seed each time. */
const RANDOM_SEED = 4_294_967_295;

/** Reads `default_generation_settings` of llama-server's `GET /props`. @returns undefined when it has no values */
export function fromLlamaServerDefaults(settings: unknown): SamplingParams | undefined {
  const { params, n_ctx: contextSize } = toRecord(settings);
  const values = toRecord(params);
  const seed = toCount(values['seed']);
  return orNothing({
    temperature: toFloat(values['temperature']),
    topP: toFloat(values['top_p']),
    topK: toCount(values['top_k']),
    seed: seed === RANDOM_SEED ? undefined : seed,
    // -1, as many as there is room for, is left out.
    maxTokens: toCount(values['n_predict']),
    numCtx: toCount(contextSize),
    repeatPenalty: toFloat(values['repeat_penalty']),
  });
}

const MODELFILE_NUMBERS = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  num_predict: 'maxTokens',
  num_ctx: 'numCtx',
  repeat_penalty: 'repeatPenalty',
} as const satisfies Record<string, keyof SamplingParams>;

/**
 * Reads `parameters` of Ollama's `POST /api/show`: one parameter per line, as in the Modelfile. @returns undefined when it
 * has none
 */
export function fromModelfileParameters(text: unknown): SamplingParams | undefined {
  if (typeof text !== 'string') return undefined;
  const found: SamplingParams = {};
  for (const line of text.split('\n')) {
    const [, name = '', written = ''] = /^\s*(\w+)\s+(.*?)\s*$/.exec(line) ?? [];
    const value = Number(written);
    if (name === 'stop') found.stop = [...(found.stop ?? []), toStop(written)];
    else if (Object.hasOwn(MODELFILE_NUMBERS, name) && written !== '' && Number.isFinite(value)) {
      found[MODELFILE_NUMBERS[name as keyof typeof MODELFILE_NUMBERS]] = value;
    }
  }
  return orNothing(found);
}

/** A stop sequence may be written in quotes. */
function toStop(written: string): string {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : written;
  } catch {
    return written;
  }
}

/** The server uses 32-bit numbers, so 0.8 arrives as 0.800000011920929. */
const toFloat = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(6)) : undefined;

function orNothing(params: SamplingParams): SamplingParams | undefined {
  const known = pruneUndefined({ ...params });
  return Object.keys(known).length > 0 ? known : undefined;
}
