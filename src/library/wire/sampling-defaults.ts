// What a server says that it uses where a request sets nothing, in neutral words. Pure.
import type { SamplingParams } from '../../types';
import { toCount, toRecord } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';

/** llama-server's word for another seed each time: the largest of 32 bits. */
const RANDOM_SEED = 4_294_967_295;

/** `default_generation_settings` of llama-server's `GET /props`. @returns undefined when it tells nothing */
export function fromLlamaServerDefaults(settings: unknown): SamplingParams | undefined {
  const { params, n_ctx: contextSize } = toRecord(settings);
  const told = toRecord(params);
  const seed = toCount(told['seed']);
  return orNothing({
    temperature: toFloat(told['temperature']),
    topP: toFloat(told['top_p']),
    topK: toCount(told['top_k']),
    seed: seed === RANDOM_SEED ? undefined : seed,
    // -1: as many as there is room for
    maxTokens: toCount(told['n_predict']),
    numCtx: toCount(contextSize),
    repeatPenalty: toFloat(told['repeat_penalty']),
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

/** `parameters` of Ollama's `POST /api/show`: a line a parameter, as the model's own file has them. */
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

/** In quotes, where it is written so. */
function toStop(written: string): string {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : written;
  } catch {
    return written;
  }
}

/** The server counts with 32 bits, which reads as 0.800000011920929. */
const toFloat = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(6)) : undefined;

function orNothing(params: SamplingParams): SamplingParams | undefined {
  const told = pruneUndefined({ ...params });
  return Object.keys(told).length > 0 ? told : undefined;
}
