// Converts a text to the value that the tool's schema asks for. Nothing is dropped: what does not fit stays text.
import type { RescueRepair } from '../../../types';
import { isRecord } from '../../util/json';
import { nameJsonTypes } from '../../util/json-words';
import { skipWhite } from '../text/white-space';
import { decodeJsonText, readJson } from '../json/read-json';
import { unescapeOnce } from '../text/unescape';
import { findLiteral, toNumber } from '../text/words';
import { TextSource } from '../core/rescue-context';

export interface TypedValue {
  value: unknown;
  /** Offsets are relative to the start of the text. */
  repairs: readonly RescueRepair[];
  /** Why the value does not have the wanted type; follows the name of the parameter. */
  issue?: string | undefined;
}

/** Spellings of literals besides those of JSON and Python. */
const OTHER_LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['TRUE', true],
  ['FALSE', false],
  ['Null', null],
  ['NULL', null],
]);

/** @param types In the order in which they are tried; none, or only `string`, means text. */
export function typeValue(text: string, types: readonly string[]): TypedValue {
  const isText = types.length === 0 || types.includes('string');
  const wanted = types.filter((type) => type !== 'string');
  if (wanted.length === 0) return { value: text, repairs: [] };
  const trimmed = text.trim();
  for (const type of wanted) {
    const typed = readAs(type, text, trimmed, isText);
    if (typed) return typed;
  }
  if (isText) return { value: text, repairs: [] };
  const digit = wanted.includes('boolean') ? readDigit(trimmed) : undefined;
  if (digit) return digit;
  const quoted = readQuoted(trimmed, wanted);
  if (quoted) return quoted;
  // Null is accepted for any type, as a value that is omitted on purpose.
  const absent = readNull(trimmed, false);
  if (absent) return absent;
  return { value: text, repairs: [], issue: `is text; the schema requires ${nameJsonTypes(wanted)}` };
}

function readAs(type: string, text: string, trimmed: string, isText: boolean): TypedValue | undefined {
  if (type === 'null') return readNull(trimmed, isText);
  if (type === 'boolean') return readBoolean(text, trimmed);
  if (type === 'integer' || type === 'number') return readNumber(trimmed, type === 'integer');
  return type === 'object' || type === 'array' ? readContainer(text, type === 'array') : undefined;
}

function readLiteral(trimmed: string): ReturnType<typeof findLiteral> {
  const other = OTHER_LITERALS.get(trimmed);
  return other === undefined ? findLiteral(trimmed) : { value: other, isJson: false };
}

/** Where text is allowed, spellings other than `null` may be words. */
function readNull(trimmed: string, isText: boolean): TypedValue | undefined {
  const literal = readLiteral(trimmed);
  if (literal?.value !== null || (isText && !literal.isJson)) return undefined;
  return { value: null, repairs: literal.isJson ? [] : [{ kind: 'python-literal', at: 0 }] };
}

function readBoolean(text: string, trimmed: string): TypedValue | undefined {
  const literal = readLiteral(trimmed);
  if (!literal || literal.value === null) return undefined;
  const at = skipWhite(text, 0);
  return { value: literal.value, repairs: literal.isJson ? [] : [{ kind: 'python-literal', at }] };
}

/** Reads 1 and 0 as booleans, where no number is wanted. */
function readDigit(trimmed: string): TypedValue | undefined {
  if (trimmed !== '1' && trimmed !== '0') return undefined;
  const value = trimmed === '1';
  return { value, repairs: [{ kind: 'python-literal', at: 0, note: `${trimmed} stands for ${value}` }] };
}

/** Reads `"123"`: JSON in a string, whose quotes may be escaped. */
function readQuoted(trimmed: string, wanted: readonly string[]): TypedValue | undefined {
  const [, inner] = QUOTED.exec(trimmed) ?? [];
  if (inner === undefined) return undefined;
  const literal = wanted.includes('boolean') ? readBoolean(inner, inner)?.value : undefined;
  const isNumber = wanted.includes('integer') || wanted.includes('number');
  const value = literal ?? (isNumber ? readNumber(inner, !wanted.includes('number'))?.value : undefined);
  return value === undefined ? undefined : { value, repairs: [{ kind: 'double-encoded', at: 0 }] };
}

const QUOTED = /^\\?"([\w.+-]{1,64}?)\\?"$/;

function readNumber(trimmed: string, isInteger: boolean): TypedValue | undefined {
  const value = toNumber(trimmed);
  if (value === undefined || (isInteger && !Number.isInteger(value))) return undefined;
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && !/[.eE]/.test(trimmed);
  return {
    value,
    repairs: [],
    ...(isRounded && BigInt(value) !== BigInt(trimmed) && { issue: `was rounded; the text says ${trimmed}` }),
  };
}

/** Reads JSON, also as Python writes it, and also encoded once more. */
function readContainer(text: string, isList: boolean): TypedValue | undefined {
  const at = skipWhite(text, 0);
  const first = text.charAt(at);
  if (first === '"' || first === "'") {
    const decoded = decodeJsonText(text);
    const repairs = [{ kind: 'double-encoded', at }];
    return isContainer(decoded, isList) ? { value: decoded, repairs } : undefined;
  }
  if (first !== (isList ? '[' : '{')) return undefined;
  const source = new TextSource(text);
  const { value, failure, isPartial, end, repairs } = readJson(source, at);
  const isWhole = !failure && !isPartial && skipWhite(text, end) === text.length;
  const isEscaped = !isWhole && text.includes('\\"');
  if (isEscaped) return readEscaped(text, isList, at);
  if (!isWhole || !isContainer(value, isList)) return undefined;
  const python = repairs.find(({ kind }) => kind === 'single-quotes');
  const isNoted = !python || repairs.some(({ kind }) => kind === 'python-literal');
  return { value, repairs: isNoted ? repairs : [...repairs, { kind: 'python-literal', at: python.at }] };
}

/** Reads JSON in which every quote was escaped once more. */
function readEscaped(text: string, isList: boolean, at: number): TypedValue | undefined {
  const value = decodeJsonText(unescapeOnce(text));
  return isContainer(value, isList) ? { value, repairs: [{ kind: 'double-encoded', at }] } : undefined;
}

const isContainer = (value: unknown, isList: boolean): boolean =>
  isList ? Array.isArray(value) : isRecord(value);
