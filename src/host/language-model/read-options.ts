// Reads the options that another extension asks a model with: which become sampling parameters, which go into the request under
// their own names, and which are not sent. Pure.
import { isDeepStrictEqual } from 'node:util';
import { looksLikeSecret, SECRET_NAME } from '../../protocol';
import type { SamplingParams } from '../../types';

export interface ReadOptions {
  sampling: SamplingParams;
  /** Names and values for the request; absent when there are none. */
  raw?: Readonly<Record<string, unknown>> | undefined;
  ignored: IgnoredOptions;
}

/** Names as they were asked with: of any length, and with any characters. */
export interface IgnoredOptions {
  /** Would be sent if the person allowed it. */
  notAllowed: readonly string[];
  /** Never sent: a value that does not fit, is too large or looks like a secret, or that the chat itself decides. */
  unusable: readonly string[];
}

/** By the names that the field uses. */
const SAMPLING_KEYS: ReadonlyMap<string, keyof SamplingParams> = new Map([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['topP', 'topP'],
  ['top_k', 'topK'],
  ['topK', 'topK'],
  ['seed', 'seed'],
  ['max_tokens', 'maxTokens'],
  ['maxTokens', 'maxTokens'],
]);

/** Fields of the protocols that the chat decides: a run must not be another one than the person chose and the history says. */
const DECIDED: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'system',
  'instructions',
  'tools',
  'stream',
]);

/** Of all values together, in UTF-16 code units of their JSON: what a schema of a reply needs. */
const MAX_SIZE = 16_384;
const MAX_NAME = 100;
const MAX_RAW = 32;
const MAX_LEVELS = 32;

/** @param isRawAllowed Whether the person lets options that are no sampling parameters into requests. */
export function readOptions(options: Readonly<Record<string, unknown>>, isRawAllowed: boolean): ReadOptions {
  const sampling: Record<string, unknown> = {};
  const raw: [string, unknown][] = [];
  const notAllowed: string[] = [];
  const unusable: string[] = [];
  let room = MAX_SIZE;
  for (const [name, value] of Object.entries(options)) {
    // Copilot's own options for its own services.
    if (name.startsWith('_')) continue;
    const key = SAMPLING_KEYS.get(name);
    const stop = name === 'stop' ? toStop(value) : undefined;
    const size = sizeOf(name, value);
    if (key !== undefined && Number.isFinite(value)) sampling[key] = value;
    else if (stop) sampling['stop'] = stop;
    else if (key !== undefined || name === 'stop' || size === undefined || size > room) unusable.push(name);
    else if (!isRawAllowed) notAllowed.push(name);
    else if (raw.length === MAX_RAW) unusable.push(name);
    else {
      room -= size;
      raw.push([name, value]);
    }
  }
  return {
    sampling,
    ...(raw.length > 0 && { raw: Object.fromEntries(raw) }),
    ignored: { notAllowed, unusable },
  };
}

function toStop(value: unknown): string[] | undefined {
  const texts = [value ?? []].flat();
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** @returns undefined when the option can never be sent */
function sizeOf(name: string, value: unknown): number | undefined {
  if (name === '' || name.length > MAX_NAME || DECIDED.has(name)) return undefined;
  if (!isShallow(value, MAX_LEVELS)) return undefined;
  const text = toJson(value);
  if (text === undefined || SECRET_NAME.test(name) || looksLikeSecret(text)) return undefined;
  return name.length + text.length;
}

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

/** @returns undefined when the text would say something else than the value */
function toJson(value: unknown): string | undefined {
  if (!/^(?:string|number|boolean|object)$/.test(typeof value)) return undefined;
  try {
    const text = JSON.stringify(value);
    return isDeepStrictEqual(JSON.parse(text), value) ? text : undefined;
  } catch {
    return undefined; // a value that JSON has no form for, inside of it
  }
}
