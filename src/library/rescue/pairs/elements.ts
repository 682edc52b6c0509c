// Reads lists and objects that are written as elements in a value: `<item>a</item><item>b</item>`. Only if the schema asks
// for one.
import { isRecord, toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { setOwn } from '../core/call-keys';
import { skipWhite } from '../text/white-space';
import { TextSource } from '../core/rescue-context';
import { findProperties, findTypes } from '../schema/schema-types';
import { typeValue } from '../schema/type-value';
import { findTag } from './spelling';
import type { PairSpelling } from './spelling';
import type { Tag } from './tag';

interface Place {
  schema: unknown;
  root: unknown;
  /** Receives the names of attributes that have no place in the value. */
  unused: string[];
  /** Receives the elements that an object has more than once. */
  repeated: { name: string; isList: boolean }[];
}

interface Element {
  name: string;
  text: string;
  attributes: ReadonlyMap<string, string>;
}

// Every level reads its text again.
const DEEPEST = 12;

/** Undefined when the text does not consist of elements, or when neither a list nor an object is wanted. */
export function readElements(
  spelling: PairSpelling,
  text: string,
  types: readonly string[],
  place: Place,
  depth = 0,
): unknown {
  const isList = types.includes('array');
  if (depth > DEEPEST || !(isList || types.includes('object'))) return undefined;
  const elements = splitElements(spelling, text);
  if (!elements || (elements.length === 0 && types.includes('string'))) return undefined;
  const read = (element: Element, schema: unknown): unknown =>
    readElement(spelling, element, { ...place, schema }, depth + 1);
  if (isList) {
    const items = toRecord(place.schema)['items'];
    return elements.map((element) => read(element, items));
  }
  const properties = findProperties(place.schema) ?? {};
  return gather(elements, (element) => read(element, own(properties, element.name)), properties, place);
}

/** Elements of the same name become a list if the schema has a list there or says nothing; otherwise the last one counts. */
function gather(
  elements: readonly Element[],
  read: (element: Element) => unknown,
  properties: JsonRecord,
  { root, repeated }: Place,
): JsonRecord {
  const record: JsonRecord = {};
  const lists = new Map<string, unknown[]>();
  for (const element of elements) {
    const { name } = element;
    const value = read(element);
    const isAgain = Object.hasOwn(record, name);
    const types = findTypes(own(properties, name), root);
    const isList = isAgain && (types.length === 0 || types.includes('array'));
    const list = isList ? [...(lists.get(name) ?? toItems(record[name])), ...toItems(value)] : undefined;
    if (isAgain) repeated.push({ name, isList });
    if (list) lists.set(name, list);
    setOwn(record, name, list ?? value);
  }
  return record;
}

const toItems = (value: unknown): unknown[] => (Array.isArray(value) ? [...(value as unknown[])] : [value]);

/** Without a schema, a value is an object while it consists of elements, and otherwise text. */
function readElement(spelling: PairSpelling, element: Element, place: Place, depth: number): unknown {
  const { text, attributes } = element;
  const types = findTypes(place.schema, place.root);
  const isUnknown = types.length === 0 && text.includes('<');
  const value = readElements(spelling, text, isUnknown ? ['object'] : types, place, depth);
  if (value === undefined) return typeValue(text, types).value;
  if (attributes.size > 0 && isRecord(value)) addAttributes(value, attributes, place);
  return value;
}

/** An attribute becomes a member if it is declared and no child has that name; others are left out. */
function addAttributes(
  record: JsonRecord,
  attributes: Element['attributes'],
  { schema, root, unused }: Place,
): void {
  const properties = findProperties(schema) ?? {};
  for (const [name, written] of attributes) {
    if (!Object.hasOwn(properties, name) || Object.hasOwn(record, name)) unused.push(name);
    else setOwn(record, name, typeValue(written, findTypes(properties[name], root)).value);
  }
}

/** Undefined unless the whole text consists of elements with only white space between them. */
function splitElements(spelling: PairSpelling, text: string): Element[] | undefined {
  const source = new TextSource(text);
  const elements: Element[] = [];
  let at = skipWhite(text, 0);
  while (at < text.length) {
    const tag = spelling.readTag(source, at);
    if (!tag || tag.isCloser || tag.role !== undefined) return undefined;
    const closer = tag.isEmpty ? tag : findCloser(spelling, source, tag);
    if (!closer) return undefined;
    const inner = text.slice(tag.end, Math.max(tag.end, closer.start));
    elements.push({ name: tag.name, text: inner, attributes: tag.attributes });
    at = skipWhite(text, closer.end);
  }
  return elements.length > 0 || spelling.hasOwnNames ? elements : undefined;
}

function findCloser(spelling: PairSpelling, source: TextSource, opener: Tag): Tag | undefined {
  let depth = 0;
  let tag = findTag(source, spelling, opener.end);
  for (; tag; tag = findTag(source, spelling, tag.end)) {
    if (tag.name !== opener.name || tag.isEmpty) continue;
    if (!tag.isCloser) depth += 1;
    else if (depth === 0) return tag;
    else depth -= 1;
  }
  return undefined;
}

const own = (record: JsonRecord, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;
