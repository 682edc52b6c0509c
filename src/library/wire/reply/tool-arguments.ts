// Reads the arguments of a native tool call in any form that servers send, and writes them back.
import { hasMoreValues } from '../../util/count-values';
import { describeJsonError, isJsonSafe, isRecord, MAX_NESTING, parseJson } from '../../util/json';
import { JsonExtent } from './json-extent';
import { checkCallCount, moreThan, REPLY_LIMIT } from './reply-limit';

export interface ReadArguments {
  value: unknown;
  /** Why `value` is the text of the arguments instead of their value. */
  parseError?: string;
}

const TOO_MANY = `the reply has ${moreThan(REPLY_LIMIT.argumentValues, 'values in the arguments of its calls')}`;
const TOO_DEEP = `nested deeper than ${MAX_NESTING} levels`;

/** Reads the arguments of the calls of one reply, which share a limit. */
export class ArgumentsReader {
  /** How many more values are read. */
  #left: number = REPLY_LIMIT.argumentValues;

  /**
   * Reads an object or JSON text. Absent, null, blank text and the text `null` mean `{}`: a call without arguments.
   * Text that does not parse, or has too many values, stays a text; a value with too many or nested too deep becomes one.
   */
  read(given: unknown): ReadArguments {
    if (given === undefined || given === null) return { value: {} };
    if (typeof given !== 'string') {
      const parseError = this.#refuse(given);
      return parseError === undefined ? { value: given } : { value: toJsonText(given), parseError };
    }
    if (given.trim() === '') return { value: {} };
    if (hasMoreValues(given, this.#left)) return { value: given, parseError: TOO_MANY };
    try {
      const value: unknown = JSON.parse(given) ?? {};
      const parseError = this.#refuse(value);
      return parseError === undefined ? { value } : { value: given, parseError };
    } catch (error) {
      return { value: given, parseError: describeJsonError(error) };
    }
  }

  /** Counts the values. @returns why the value is not kept */
  #refuse(value: unknown): string | undefined {
    const count = countNested(value, MAX_NESTING, this.#left);
    if (count === undefined) return TOO_DEEP;
    if (count > this.#left) return TOO_MANY;
    this.#left -= count;
    return undefined;
  }
}

/**
 * Splits the arguments of several calls in one entry: complete objects one after another, `{…}{…}` (relays of Gemini), or
 * one in each line.
 * @returns a list of one for anything else
 * @throws StreamFailure (`too-large`)
 */
export function splitGlued(given: unknown): unknown[] {
  if (typeof given !== 'string' || !/\}\s*\{/.test(given)) return [given];
  const text = given.replace(EMPTY_START, '');
  const extent = new JsonExtent();
  extent.read(text);
  const { ends } = extent;
  checkCallCount(ends.length);
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
export const isTooDeep = (value: unknown): boolean => countNested(value, MAX_NESTING, Infinity) === undefined;

/** Number of values, counted until there are more than `most`; undefined when there are more levels. */
function countNested(value: unknown, levels: number, most: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return undefined;
  let count = 1;
  for (const inner of Object.values(value)) {
    const more = countNested(inner, levels - 1, most - count);
    if (more === undefined) return undefined;
    count += more;
    if (count > most) break;
  }
  return count;
}
