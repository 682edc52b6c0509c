// Lists and objects written as elements in a value: `<item>a</item><item>b</item>`. Only where a list or an object is due.
import { toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { skipWhite } from '../json/blank';
import { TextSource } from '../rescue-context';
import { findProperties, findTypes } from '../schema-types';
import { typeValue } from '../type-value';
import type { PairSpelling } from './spelling';
import type { Tag } from './tag';

interface Place {
  schema: unknown;
  root: unknown;
}

interface Element {
  name: string;
  text: string;
}

// each level reads its text again
const DEEPEST = 12;

const PLAIN_PROPERTY = { writable: true, enumerable: true, configurable: true };

/** Undefined when the text is not made of elements, or when neither a list nor an object is wanted. */
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
  const read = ({ text: inner }: Element, schema: unknown): unknown =>
    readElement(spelling, inner, { schema, root: place.root }, depth + 1);
  if (isList) {
    const items = toRecord(place.schema)['items'];
    return elements.map((element) => read(element, items));
  }
  const properties = findProperties(place.schema) ?? {};
  const record: JsonRecord = {};
  for (const element of elements) {
    const value = read(element, own(properties, element.name));
    Object.defineProperty(record, element.name, { ...PLAIN_PROPERTY, value });
  }
  return record;
}

function readElement(spelling: PairSpelling, text: string, place: Place, depth: number): unknown {
  const types = findTypes(place.schema, place.root);
  return readElements(spelling, text, types, place, depth) ?? typeValue(text, types).value;
}

/** Undefined unless the whole text is elements with nothing but white space between them. */
function splitElements(spelling: PairSpelling, text: string): Element[] | undefined {
  const source = new TextSource(text);
  const elements: Element[] = [];
  let at = skipWhite(text, 0);
  while (at < text.length) {
    const tag = spelling.readTag(source, at);
    if (!tag || tag.isCloser || tag.role !== undefined) return undefined;
    const closer = tag.isEmpty ? tag : findCloser(spelling, source, tag);
    if (!closer) return undefined;
    elements.push({ name: tag.name, text: text.slice(tag.end, Math.max(tag.end, closer.start)) });
    at = skipWhite(text, closer.end);
  }
  return elements.length > 0 || spelling.hasOwnNames ? elements : undefined;
}

function findCloser(spelling: PairSpelling, source: TextSource, opener: Tag): Tag | undefined {
  let depth = 0;
  for (let at = source.find(spelling.lead, opener.end); at !== -1; at = source.find(spelling.lead, at + 1)) {
    const tag = spelling.readTag(source, at);
    if (tag?.name !== opener.name || tag.isEmpty) continue;
    if (!tag.isCloser) depth += 1;
    else if (depth === 0) return tag;
    else depth -= 1;
  }
  return undefined;
}

const own = (record: JsonRecord, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;
