// From the text between two tags to the value that it stands for. Knows neither the tags nor the call.
import type { RescueRepair } from '../../../types';
import { parseJson } from '../../util/json';
import { isSame } from '../schema/check-arguments';
import { findConstants, findTypes, toKnownType } from '../schema/schema-types';
import { typeValue } from '../schema/type-value';
import type { TypedValue } from '../schema/type-value';
import { readElements } from './elements';
import { readPythonList } from './python-list';
import type { PairSpelling } from './spelling';

/** What the call itself says of the type. */
export interface TypeHint {
  /** Text as it stands. */
  isText?: boolean;
  /** JSON, and not text. */
  isJson?: boolean;
  /** By name; counts where the schema is silent. */
  type?: string;
}

export interface WrittenValue {
  text: string;
  /** Where the text begins. */
  at: number;
  hint: TypeHint;
  /** A tag of its own ended it. */
  isClosed?: boolean;
}

const ANY = ['null', 'boolean', 'number', 'object', 'array', 'string'];

/** The value, with its repairs at their places in the whole text. */
export function readPairValue(
  spelling: PairSpelling,
  written: WrittenValue,
  schema: unknown,
  root: unknown,
): TypedValue {
  const declared = findTypes(schema, root);
  const types = resolveTypes(declared, written.hint);
  const outer = unwrap(spelling, written);
  const inner = types.length === 0 || types.includes('string') ? undefined : readValueElement(outer);
  if (inner !== undefined) {
    const typed = readPairValue(spelling, { ...written, text: inner }, schema, root);
    return { ...typed, repairs: [{ kind: 'broken-tag', at: written.at }, ...typed.repairs] };
  }
  const text = outer;
  if (written.hint.isJson === true && types.length === 1 && types[0] === 'string') return readJsonText(text);
  const unused: string[] = [];
  const repeated: { name: string; isList: boolean }[] = [];
  const elements = readElements(spelling, text, types, { schema, root, unused, repeated });
  if (elements !== undefined) {
    const names = [...new Set(unused)].slice(0, MOST_NAMED);
    const lists = new Set(repeated.filter(({ isList }) => isList).map(({ name }) => name));
    const repairs = [
      ...names.map((name) => toUnused(name, written.at)),
      ...[...lists].slice(0, MOST_NAMED).map((name) => toRepeated(name, written.at)),
    ];
    const lost = repeated.find(({ isList }) => !isList)?.name;
    return {
      value: elements,
      repairs,
      ...(lost !== undefined && {
        issue: `has ${lost.slice(0, LONGEST_NAME)} more than once; the last one counts`,
      }),
    };
  }
  const typed = readPythonList(text, types) ?? typeValue(text, types);
  // the text itself is one of the values that are allowed, what it could stand for is none
  const allowed = typed.value === text ? [] : findConstants(schema, root);
  if (allowed.includes(text) && !allowed.some((item) => isSame(item, typed.value)))
    return { value: text, repairs: [] };
  // the schema objects to the value, not to how it is written
  const json = written.hint.isJson && typed.issue !== undefined ? parseJson(text) : undefined;
  if (json !== undefined && typeof typed.value === 'string') return { value: json, repairs: [] };
  const repairs: RescueRepair[] = typed.repairs.map((repair) => ({ ...repair, at: repair.at + written.at }));
  return { ...typed, repairs };
}

const MOST_NAMED = 8;

const toUnused = (name: string, at: number): RescueRepair => ({
  kind: 'attribute-form',
  at,
  note: `the attribute ${name} is not declared and was left out`,
});

const LONGEST_NAME = 64;

const toRepeated = (name: string, at: number): RescueRepair => ({
  kind: 'repeated-parameter',
  at,
  note: `\`${name.slice(0, LONGEST_NAME)}\` is a list`,
});

/** `<value>2.5</value>` where the value itself is due. */
function readValueElement(text: string): string | undefined {
  const trimmed = text.trim();
  const isWhole = trimmed.startsWith(VALUE) && trimmed.endsWith(VALUE_END);
  const inner = isWhole ? trimmed.slice(VALUE.length, -VALUE_END.length) : '';
  return isWhole && !inner.includes(VALUE_END) ? inner : undefined;
}

const VALUE = '<value>';
const VALUE_END = '</value>';

/** The schema has the last word, but for a value that the call calls text. */
function resolveTypes(declared: readonly string[], { isText, isJson, type }: TypeHint): readonly string[] {
  if (isText) return [];
  const rest = declared.filter((item) => item !== 'string');
  if (isJson && declared.length > 0) return rest.length > 0 ? rest : ['string'];
  const hinted = type === undefined ? undefined : toKnownType(type);
  if (declared.length === 0 && hinted !== undefined) return hinted === 'string' ? [] : [hinted, 'string'];
  return isJson ? ANY : declared;
}

/** Text that is announced as JSON may be quoted. */
function readJsonText(text: string): TypedValue {
  const value = text.trim().startsWith('"') ? parseJson(text) : undefined;
  return { value: typeof value === 'string' ? value : text, repairs: [] };
}

/** Without the line breaks that are the markup's, and without the brackets that make everything in them text. */
function unwrap({ breaks, hasCdata }: PairSpelling, { text, isClosed }: WrittenValue): string {
  const trimmed = hasCdata ? text.trim() : '';
  if (trimmed.startsWith(CDATA)) {
    return trimmed.slice(CDATA.length, trimmed.endsWith(CDATA_END) ? -CDATA_END.length : undefined);
  }
  const before = breakAtStart(text);
  const after = breakAtEnd(text, before);
  if (isClosed === false) return text.slice(breaks === 'each' ? before : 0, text.length - after);
  const isMarkup = breaks === 'each' || (before > 0 && after > 0);
  return isMarkup ? text.slice(before, text.length - after) : text;
}

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

function breakAtStart(text: string): number {
  if (text.startsWith('\r\n')) return 2;
  return text.startsWith('\n') ? 1 : 0;
}

/** The one that is already counted at the start is not counted again. */
function breakAtEnd(text: string, from: number): number {
  if (text.length - from >= 2 && text.endsWith('\r\n')) return 2;
  return text.length > from && text.endsWith('\n') ? 1 : 0;
}
