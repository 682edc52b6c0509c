// Reads the arguments of a native tool call in any form that servers send, and writes them back.
import { describeJsonError, isJsonSafe, isRecord, MAX_NESTING, parseJson } from '../../util/json';
import { JsonExtent } from './json-extent';

export interface ReadArguments {
  value: unknown;
  /** Why `value` is the text of the arguments instead of their value. */
  parseError?: string;
}

const TOO_DEEP = `nested deeper than ${MAX_NESTING} levels`;

/**
 * Reads an object or JSON text. Absent, null, blank text and the text `null` mean `{}`: a call without arguments.
 * Text that does not parse stays a text, and what is nested too deep becomes one.
 */
export function readArguments(given: unknown): ReadArguments {
  if (given === undefined || given === null) return { value: {} };
  if (typeof given !== 'string')
    return isTooDeep(given) ? { value: toJsonText(given), parseError: TOO_DEEP } : { value: given };
  if (given.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(given) ?? {};
    return isTooDeep(value) ? { value: given, parseError: TOO_DEEP } : { value };
  } catch (error) {
    return { value: given, parseError: describeJsonError(error) };
  }
}

/**
 * Splits the arguments of several calls in one entry: complete objects one after another, `{…}{…}` (relays of Gemini), or
 * one in each line.
 * @returns a list of one for anything else
 */
export function splitGlued(given: unknown): unknown[] {
  if (typeof given !== 'string' || !/\}\s*\{/.test(given)) return [given];
  const text = given.replace(EMPTY_START, '');
  const extent = new JsonExtent();
  extent.read(text);
  const { ends } = extent;
  if (text.slice(ends.at(-1)).trim() !== '') return [text];
  const parts = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end).trim());
  return parts.every((part) => part.startsWith('{') && parseJson(part) !== undefined) ? parts : [text];
}

/** Relays of Claude begin the stream of a call with an empty object, and then send its arguments. */
const EMPTY_START = /^\s*\{\s*\}\s*(?=\{\s*[^\s}])/;

/**
 * The arguments in the form that a server accepts back. Absent, null and blank text mean `{}`.
 * @returns undefined for what is not a JSON object, has members that JSON has not, or is nested too deep
 */
export function toArgumentsObject(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value.trim() === '') return {};
  if (typeof value !== 'string') return isRecord(value) && isJsonSafe(value) ? value : undefined;
  const parsed = parseJson(value);
  return isRecord(parsed) && !isTooDeep(parsed) ? parsed : undefined;
}

/** The arguments as JSON text; text that could not be parsed stays unchanged. */
export function toArgumentsText(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value;
  return toJsonText(value ?? {});
}

/** JSON text of the value; '' when it is nested too deep to be serialised. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

/** Whether the value is nested too deep to be kept. */
export const isTooDeep = (value: unknown): boolean => isNestedBeyond(value, MAX_NESTING);

function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedBeyond(inner, levels - 1));
}
