// The `options` of the local protocol: checks their types as the server does, and translates them into neutral sampling.
import type { SamplingParams } from '../../types';
import type { JsonObject } from '../wire/json-value';
import { WireError } from '../wire/wire-error';

const INTEGERS = new Set([
  'num_keep',
  'seed',
  'num_predict',
  'top_k',
  'repeat_last_n',
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
]);

const FLOATS = new Set([
  'temperature',
  'top_p',
  'min_p',
  'typical_p',
  'repeat_penalty',
  'presence_penalty',
  'frequency_penalty',
]);

/** Unknown keys and nulls are ignored. @throws {WireError} 500 for a wrong type, as the server does */
export function checkLocalOptions(options: JsonObject): void {
  for (const [key, value] of Object.entries(options)) {
    const expected = value === null ? undefined : wrongType(key, value);
    if (expected !== undefined) throw new WireError(500, `option "${key}" must be of type ${expected}`);
  }
}

function wrongType(key: string, value: unknown): string | undefined {
  if (INTEGERS.has(key)) return typeof value === 'number' ? undefined : 'integer';
  if (FLOATS.has(key)) return typeof value === 'number' ? undefined : 'float32';
  if (key === 'use_mmap') return typeof value === 'boolean' ? undefined : 'boolean';
  if (key === 'stop') return Array.isArray(value) ? undefined : 'array';
  return undefined;
}

export function fromLocalOptions(options: JsonObject): SamplingParams {
  const number = (key: string): number | undefined => {
    const value = options[key];
    return typeof value === 'number' ? value : undefined;
  };
  const stop = options['stop'];
  return {
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    seed: number('seed'),
    maxTokens: number('num_predict'),
    numCtx: number('num_ctx'),
    stop: Array.isArray(stop) ? stop.filter((sequence) => typeof sequence === 'string') : undefined,
    repeatPenalty: number('repeat_penalty'),
  };
}
