// Converts the text between two tags to a value. Independent of the tags and of the call.
import type { RescueRepair } from '../../../../types';
import { isSame, parseJson } from '../../../util/json';
import { RepairLog } from '../../core/repair-log';
import { TextSource } from '../../core/rescue-context';
import { readPythonValue } from '../../pythonic/python-reader';
import { skipWhite } from '../../text/white-space';
import { findConstants, findTypes, toKnownType } from '../../schema/schema-types';
import { typeValue } from '../../schema/type-value';
import type { TypedValue } from '../../schema/type-value';
import { ElementReader } from './elements';
import type { PairSpelling } from '../tags/spelling';

/** What the call itself says about the type of a value. */
export interface TypeHint {
  /** The value is the text as it is. */
  isText?: boolean;
  /** The value is JSON, not text. */
  isJson?: boolean;
  /** Name of the type; used if the schema does not say. */
  type?: string | undefined;
}

export interface WrittenValue {
  text: string;
  /** Offset of the text in the reply. */
  at: number;
  hint: TypeHint;
  /** Whether its own closing tag ended it. */
  isClosed?: boolean;
}

const ANY = ['null', 'boolean', 'number', 'object', 'array', 'string'];

/** The value; the offsets of its repairs are relative to the whole reply. */
export function readPairValue(
  spelling: PairSpelling,
  written: WrittenValue,
  schema: unknown,
  root: unknown,
): TypedValue {
  const declared = findTypes(schema, root);
  const types = resolveTypes(declared, written.hint);
  const text = unwrap(spelling, written);
  const inner = types.length === 0 || types.includes('string') ? undefined : readValueElement(text);
  if (inner !== undefined) {
    const typed = readPairValue(spelling, { ...written, text: inner }, schema, root);
    return { ...typed, repairs: [{ kind: 'broken-tag', at: written.at }, ...typed.repairs] };
  }
  if (written.hint.isJson === true && types.length === 1 && types[0] === 'string') return readJsonText(text);
  const elements = new ElementReader(spelling, root, written.at).read(text, types, schema);
  if (elements) return elements;
  const typed = readPythonList(text, types) ?? typeValue(text, types);
  // The text itself is an allowed value, but the value that it could stand for is not.
  const allowed = typed.value === text ? [] : findConstants(schema, root);
  if (allowed.includes(text) && !allowed.some((item) => isSame(item, typed.value)))
    return { value: text, repairs: [] };
  // The value violates the schema, but it is written correctly as JSON.
  const json = written.hint.isJson && typed.issue !== undefined ? parseJson(text) : undefined;
  if (json !== undefined && typeof typed.value === 'string') return { value: json, repairs: [] };
  const repairs: RescueRepair[] = typed.repairs.map((repair) => ({ ...repair, at: repair.at + written.at }));
  return { ...typed, repairs };
}

/** The content of `<value>2.5</value>` in place of the value itself. */
function readValueElement(text: string): string | undefined {
  const trimmed = text.trim();
  const isWhole = trimmed.startsWith(VALUE) && trimmed.endsWith(VALUE_END);
  const inner = isWhole ? trimmed.slice(VALUE.length, -VALUE_END.length) : '';
  return isWhole && !inner.includes(VALUE_END) ? inner : undefined;
}

const VALUE = '<value>';
const VALUE_END = '</value>';

/** The schema decides, except for a value that the call declares to be text. */
function resolveTypes(declared: readonly string[], { isText, isJson, type }: TypeHint): readonly string[] {
  if (isText) return [];
  const rest = declared.filter((item) => item !== 'string');
  if (isJson && declared.length > 0) return rest.length > 0 ? rest : ['string'];
  const hinted = type === undefined ? undefined : toKnownType(type);
  if (declared.length === 0 && hinted !== undefined) return hinted === 'string' ? [] : [hinted, 'string'];
  return isJson ? ANY : declared;
}

/** A text that is announced as JSON may be quoted. */
function readJsonText(text: string): TypedValue {
  const value = text.trim().startsWith('"') ? parseJson(text) : undefined;
  return { value: typeof value === 'string' ? value : text, repairs: [] };
}

/** Removes line breaks that belong to the markup, and the bracket of a CDATA section, which ends before its own. */
function unwrap({ breaks, hasCdata }: PairSpelling, { text, isClosed }: WrittenValue): string {
  const section = hasCdata ? text.trimStart() : '';
  if (section.startsWith(CDATA)) return section.slice(CDATA.length);
  const before = breakAtStart(text);
  const after = breakAtEnd(text, before);
  if (isClosed === false) return text.slice(breaks === 'each' ? before : 0, text.length - after);
  const isMarkup = breaks === 'each' || (before > 0 && after > 0);
  return isMarkup ? text.slice(before, text.length - after) : text;
}

export const CDATA = '<![CDATA[';
export const CDATA_END = ']]>';

function breakAtStart(text: string): number {
  if (text.startsWith('\r\n')) return 2;
  return text.startsWith('\n') ? 1 : 0;
}

/** A line break that was counted at the start is not counted again. */
function breakAtEnd(text: string, from: number): number {
  if (text.length - from >= 2 && text.endsWith('\r\n')) return 2;
  return text.length > from && text.endsWith('\n') ? 1 : 0;
}

/** Reads a tuple or a set, as programs write them, where a list is expected. Undefined for any other text. */
function readPythonList(text: string, types: readonly string[]): TypedValue | undefined {
  const at = skipWhite(text, 0);
  const isDue = types.includes('array') && !types.includes('string');
  if (!isDue || !'({'.includes(text.charAt(at) || ' ')) return undefined;
  const log = new RepairLog();
  const { value, end, failure } = readPythonValue(new TextSource(text), at, log);
  if (failure || skipWhite(text, end) < text.length || !Array.isArray(value)) return undefined;
  const isNoted = log.repairs.some(({ kind }) => kind === 'python-literal');
  return { value, repairs: isNoted ? log.repairs : [...log.repairs, { kind: 'python-literal', at }] };
}
