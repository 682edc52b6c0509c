// Reads lists and objects that are written as elements in a value: `<item>a</item><item>b</item>`. Only if the schema asks
// for one.
import type { RescueRepair } from '../../../../types';
import { getOwn, isRecord, setOwn, toRecord } from '../../../util/json';
import type { JsonRecord } from '../../../util/json';
import { skipWhite } from '../../text/white-space';
import { TextSource } from '../../core/rescue-context';
import { findProperties, findTypes } from '../../schema/schema-types';
import { typeValue } from '../../schema/type-value';
import type { TypedValue } from '../../schema/type-value';
import type { PairSpelling } from '../tags/spelling';
import type { Tag } from '../tags/tag';
import { TagSource } from '../tags/tag-source';

interface Element {
  name: string;
  text: string;
  attributes: ReadonlyMap<string, string>;
}

// Every level reads its text again.
const DEEPEST = 12;
const MAX_NOTED = 8;
const LONGEST_NAME = 64;

export class ElementReader {
  readonly #spelling: PairSpelling;
  readonly #root: unknown;
  readonly #at: number;
  /** By what they are about, so that a list does not tell the same of each item. */
  readonly #repairs = new Map<string, RescueRepair>();
  #issue: string | undefined;

  /** @param root The schema to which references point. @param at The offset to which repairs are attributed. */
  constructor(spelling: PairSpelling, root: unknown, at: number) {
    this.#spelling = spelling;
    this.#root = root;
    this.#at = at;
  }

  /** Undefined when the text does not consist of elements, or when neither a list nor an object is wanted. */
  read(text: string, types: readonly string[], schema: unknown): TypedValue | undefined {
    const value = this.#readAll(text, types, schema, 0);
    if (value === undefined) return undefined;
    return { value, repairs: [...this.#repairs.values()].slice(0, MAX_NOTED), issue: this.#issue };
  }

  #readAll(text: string, types: readonly string[], schema: unknown, depth: number): unknown {
    const isList = types.includes('array');
    if (depth > DEEPEST || !(isList || types.includes('object'))) return undefined;
    const elements = splitElements(this.#spelling, text);
    if (!elements || (elements.length === 0 && types.includes('string'))) return undefined;
    if (!isList) return this.#gather(elements, findProperties(schema), depth);
    const items = toRecord(schema)['items'];
    return elements.map((element) => this.#readOne(element, items, depth + 1));
  }

  /** Elements of the same name become a list if the schema has a list there or says nothing; otherwise the last one counts. */
  #gather(elements: readonly Element[], properties: JsonRecord | undefined, depth: number): JsonRecord {
    const record: JsonRecord = {};
    for (const element of elements) {
      const { name } = element;
      const schema = getOwn(properties, name);
      const value = this.#readOne(element, schema, depth + 1);
      const isAgain = Object.hasOwn(record, name);
      const types = findTypes(schema, this.#root);
      const isList = isAgain && (types.length === 0 || types.includes('array'));
      const shown = name.slice(0, LONGEST_NAME);
      if (isList) this.#note('repeated-parameter', `\`${shown}\` is a list`);
      else if (isAgain) this.#issue ??= `has ${shown} more than once; the last one counts`;
      setOwn(record, name, isList ? [...toItems(record[name]), ...toItems(value)] : value);
    }
    return record;
  }

  /** Without a schema, a value is an object while it consists of elements, and otherwise text. */
  #readOne({ text, attributes }: Element, schema: unknown, depth: number): unknown {
    const types = findTypes(schema, this.#root);
    const isUnknown = types.length === 0 && text.includes('<');
    const value = this.#readAll(text, isUnknown ? ['object'] : types, schema, depth);
    if (value === undefined) return typeValue(text, types).value;
    if (isRecord(value)) this.#addAttributes(value, attributes, findProperties(schema) ?? {});
    return value;
  }

  /** An attribute becomes a member if it is declared and no child has that name; others are left out. */
  #addAttributes(record: JsonRecord, attributes: Element['attributes'], properties: JsonRecord): void {
    for (const [name, written] of attributes) {
      if (Object.hasOwn(properties, name) && !Object.hasOwn(record, name))
        setOwn(record, name, typeValue(written, findTypes(properties[name], this.#root)).value);
      else this.#note('attribute-form', `the attribute ${name} is not declared and was left out`);
    }
  }

  #note(kind: string, note: string): void {
    this.#repairs.set(note, { kind, at: this.#at, note });
  }
}

const toItems = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

/** Undefined unless the whole text consists of elements with only white space between them. */
function splitElements(spelling: PairSpelling, text: string): Element[] | undefined {
  const tags = new TagSource(new TextSource(text), spelling);
  const elements: Element[] = [];
  let at = skipWhite(text, 0);
  while (at < text.length) {
    const tag = tags.read(at);
    if (!tag || tag.isCloser || tag.role !== undefined) return undefined;
    const closer = tag.isEmpty ? tag : findCloser(tags, tag);
    if (!closer) return undefined;
    const inner = text.slice(tag.end, Math.max(tag.end, closer.start));
    elements.push({ name: tag.name, text: inner, attributes: tag.attributes });
    at = skipWhite(text, closer.end);
  }
  return elements.length > 0 || spelling.hasOwnNames ? elements : undefined;
}

function findCloser(tags: TagSource, opener: Tag): Tag | undefined {
  let depth = 0;
  for (let tag = tags.find(opener.end); tag; tag = tags.find(tag.end)) {
    if (tag.name !== opener.name || tag.isEmpty) continue;
    if (!tag.isCloser) depth += 1;
    else if (depth === 0) return tag;
    else depth -= 1;
  }
  return undefined;
}
