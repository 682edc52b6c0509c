// Finds the types that a schema allows for a value, for values that are written as text. Reads schemas, never values.
import { isRecord, setOwn, toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { jsonTypeOf } from '../../util/json-words';

const DEEPEST = 16;
const KNOWN = ['null', 'boolean', 'integer', 'number', 'object', 'array', 'string'];

/** A cache by schema object, because every call and every reply needs it. A schema must not be changed, only replaced. */
const KNOWN_PROPERTIES = new WeakMap<object, { properties: JsonRecord | undefined }>();
/** The same for types, which depend on the root too if the schema refers to it. */
const KNOWN_TYPES = new WeakMap<object, { root: unknown; types: readonly string[] }>();

/** The schema of each parameter; undefined when the schema names none. */
export function findProperties(schema: unknown): JsonRecord | undefined {
  if (!isRecord(schema)) return undefined;
  const known = KNOWN_PROPERTIES.get(schema);
  if (known) return known.properties;
  const found: JsonRecord = {};
  collectProperties(schema, schema, 0, found);
  const properties = Object.keys(found).length > 0 ? found : undefined;
  KNOWN_PROPERTIES.set(schema, { properties });
  return properties;
}

function collectProperties(schema: unknown, root: unknown, depth: number, found: JsonRecord): void {
  const record = follow(schema, root);
  if (!record || depth > DEEPEST) return;
  for (const [key, property] of Object.entries(toRecord(record['properties']))) {
    if (!Object.hasOwn(found, key)) setOwn(found, key, property);
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    for (const part of toList(record[key])) collectProperties(part, root, depth + 1, found);
  }
}

/**
 * The parameters of the branch of a union whose constants match the given texts. If branches share the name of a parameter,
 * only the branch tells its type. Undefined when no branch matches, or several do.
 * @param textOf Returns the text that was written for a parameter.
 */
export function findBranch(
  schema: unknown,
  textOf: (key: string) => string | undefined,
): JsonRecord | undefined {
  const record = isRecord(schema) ? follow(schema, schema) : undefined;
  const branches = [...toList(record?.['anyOf']), ...toList(record?.['oneOf'])].slice(0, MAX_BRANCHES);
  if (branches.length < 2) return undefined;
  const fitting = branches
    .map((branch) => {
      const found: JsonRecord = {};
      collectProperties(branch, schema, 0, found);
      return found;
    })
    .filter((found) => fits(found, schema, textOf));
  return fitting.length === 1 ? fitting[0] : undefined;
}

const MAX_BRANCHES = 32;

/** Whether at least one constant has a text, and all texts match their constants. */
function fits(found: JsonRecord, root: unknown, textOf: (key: string) => string | undefined): boolean {
  let count = 0;
  for (const [key, property] of Object.entries(found)) {
    const values = findConstants(property, root);
    const text = values.length > 0 ? textOf(key) : undefined;
    if (text === undefined) continue;
    if (!values.some((value) => String(value) === text)) return false;
    count += 1;
  }
  return count > 0;
}

/** The values of `const` or `enum` in a schema; empty when it has neither. */
export function findConstants(schema: unknown, root: unknown): unknown[] {
  const record = follow(schema, root);
  if (!record) return [];
  return Object.hasOwn(record, 'const') ? [record['const']] : toList(record['enum']);
}

/**
 * The allowed JSON Schema types, in the order in which a text is read as them, text last; empty when the schema does not
 * say.
 */
export function findTypes(schema: unknown, root: unknown): readonly string[] {
  if (!isRecord(schema)) return [];
  const known = KNOWN_TYPES.get(schema);
  if (known && known.root === root) return known.types;
  const found = new Set<string>();
  collectTypes(schema, root, 0, found);
  const types = KNOWN.filter((type) => found.has(type));
  KNOWN_TYPES.set(schema, { root, types });
  return types;
}

function collectTypes(schema: unknown, root: unknown, depth: number, found: Set<string>): void {
  const record = follow(schema, root);
  if (!record || depth > DEEPEST) return;
  const { type } = record;
  for (const item of Array.isArray(type) ? type : [type]) {
    if (typeof item === 'string') found.add(toJsonType(item.toLowerCase()));
  }
  if (record['nullable'] === true) found.add('null');
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    for (const part of toList(record[key])) collectTypes(part, root, depth + 1, found);
  }
  if (found.size === 0) for (const inferred of inferTypes(record)) found.add(inferred);
}

/** Spellings of types in tools that were made by hand or by Python. */
const ALIASES: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  char: 'string',
  varchar: 'string',
  enum: 'string',
  long: 'integer',
  short: 'integer',
  unsigned: 'integer',
  num: 'number',
  decimal: 'number',
  double: 'number',
  bool: 'boolean',
  list: 'array',
  tuple: 'array',
  dict: 'object',
};

/** Types with or without a number of bits. */
const INTEGER = /^u?int\d{0,3}$/;
const FLOAT = /^float\d{0,3}$/;

function toJsonType(folded: string): string {
  if (INTEGER.test(folded)) return 'integer';
  if (FLOAT.test(folded)) return 'number';
  return Object.hasOwn(ALIASES, folded) ? (ALIASES[folded] ?? folded) : folded;
}

/** The JSON Schema type that a call itself may name; undefined for an unknown one. */
export function toKnownType(written: string): string | undefined {
  const type = toJsonType(written.trim().toLowerCase());
  return KNOWN.includes(type) ? type : undefined;
}

function inferTypes(record: JsonRecord): string[] {
  const values = Object.hasOwn(record, 'const') ? [record['const']] : toList(record['enum']);
  if (values.length > 0) return values.map(jsonTypeOf);
  if (isRecord(record['properties'])) return ['object'];
  return record['items'] === undefined ? [] : ['array'];
}

/** Follows `$ref`s inside the same document; undefined when a reference leads nowhere. */
function follow(schema: unknown, root: unknown): JsonRecord | undefined {
  let current = schema;
  for (let step = 0; step < DEEPEST; step += 1) {
    if (!isRecord(current)) return undefined;
    const reference = current['$ref'];
    if (typeof reference !== 'string') return current;
    current = findReferenced(reference, root);
  }
  return undefined;
}

function findReferenced(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let current = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as JsonRecord)[key];
  }
  return current;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
