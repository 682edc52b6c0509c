// Writes values as chat templates do: with spaces after commas and colons, in JSON or as Python spells them. Independent of
// formats.
import { isRecord } from '../../util/json';
import type { WrittenCall } from '../core/rescue-format';

/** How a language spells values. */
export interface ValueSpelling {
  true: string;
  false: string;
  null: string;
  writeText(text: string): string;
}

const JSON_VALUES: ValueSpelling = { true: 'true', false: 'false', null: 'null', writeText: toQuoted };

/** Python with the quotes of JSON, whose escapes are valid in Python too. */
export const PYTHON_VALUES: ValueSpelling = {
  true: 'True',
  false: 'False',
  null: 'None',
  writeText: toQuoted,
};

/** The values that Python prints: with single quotes, unless others need no escapes. */
export const PRINTED_VALUES: ValueSpelling = { ...PYTHON_VALUES, writeText: toPrinted };

/** @param value JSON-safe. */
export function writeJson(value: unknown, spelling = JSON_VALUES): string {
  if (typeof value === 'string') return spelling.writeText(value);
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? spelling.true : spelling.false;
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, spelling)).join(', ')}]`;
  if (!isRecord(value)) return spelling.null;
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${spelling.writeText(key)}: ${writeJson(item, spelling)}`);
  return `{${members.join(', ')}}`;
}

function toQuoted(text: string): string {
  return JSON.stringify(text);
}

function toPrinted(text: string): string {
  const written = toQuoted(text);
  if (text.includes("'") && !text.includes('"')) return written;
  return `'${written.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

export interface CallKeys {
  name?: string;
  arguments?: string;
}

/** Writes `{"name": …, "arguments": {…}}`, with other keys if the format has its own. */
export function writeCallJson(call: WrittenCall, keys: CallKeys = {}): string {
  return writeJson({ [keys.name ?? 'name']: call.name, [keys.arguments ?? 'arguments']: call.arguments });
}

/** Writes calls as one list, each like `writeCallJson`. */
export function writeCallList(calls: readonly WrittenCall[]): string {
  return `[${calls.map((call) => writeCallJson(call)).join(', ')}]`;
}
