// Serialises the finished body. Pure.
import { InvalidOptionsError } from '../../errors';
import { describeThrown } from '../../util/thrown';
import { readToolChoice } from './tool-choice';
import { mendTexts } from './well-formed';
import type { MergedInput, WireRequest } from '../wire-shapes';

/** JSON escapes a lone surrogate, and no other character whose escape begins like this. */
const HALF = '\\ud';

/**
 * Replaces lone surrogates in all texts of the body; the paths of these texts are added to `replaced`.
 * @param streamsByDefault Whether the server sends a stream unless the body says otherwise.
 * @throws InvalidOptionsError for a body that cannot be written as JSON
 */
export function writeRequest(
  { body, replaced, ...rest }: MergedInput,
  streamsByDefault = false,
): WireRequest {
  const isStream = asksForStream(body, streamsByDefault);
  const toolChoice = readToolChoice(body);
  const json = toJson(body);
  if (!json.includes(HALF)) return { json, isStream, toolChoice, ...rest, replaced };
  const places = [...replaced];
  return {
    json: JSON.stringify(mendTexts(body, '', places)),
    isStream,
    toolChoice,
    ...rest,
    replaced: places,
  };
}

export const asksForStream = (
  { stream }: Readonly<Record<string, unknown>>,
  streamsByDefault: boolean,
): boolean => (stream ?? streamsByDefault) === true;

/** @throws InvalidOptionsError that names the first part of the body that JSON cannot hold */
function toJson(body: MergedInput['body']): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    const field = findUnwritable(body);
    if (field === undefined) throw error;
    throw new InvalidOptionsError(field, `cannot be written as JSON: ${describeFailure(error)}`, error);
  }
}

/** JSON's own exceptions differ between engines; any other comes from a getter or a `toJSON` of the caller. */
function describeFailure(error: unknown): string {
  const words = describeThrown(error);
  return error instanceof RangeError || /bigint|circular/i.test(words)
    ? 'it has a bigint, refers to itself, or is nested too deep'
    : words;
}

function findUnwritable(body: MergedInput['body']): string | undefined {
  const [key, part] = Object.entries(body).find(([, value]) => !isWritable(value)) ?? [];
  if (key === undefined) return undefined;
  // The other parts that the library makes are texts and numbers.
  if (!/^(?:messages|input|tools)$/.test(key)) return `raw.${key}`;
  const index = Array.isArray(part) ? part.findIndex((entry) => !isWritable(entry)) : -1;
  return index < 0 ? key : `${key}[${index}]`;
}

function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
