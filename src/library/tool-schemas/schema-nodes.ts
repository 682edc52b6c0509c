// What the rules about tool schemas share: the schemas inside a schema, references, and unions that become one object. Knows no
// server.
import { isRecord, setOwn, toRecord } from '../util/json';
import type { JsonRecord } from '../util/json';

export type { JsonRecord } from '../util/json';

/** Keywords by what they hold: schemas by name, a list of schemas, or either one schema or a list. */
const MAPS = new Set(['properties', '$defs', 'definitions']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const EITHER = new Set(['items', 'additionalProperties']);

/**
 * Replaces the schemas directly inside a schema, as far as servers look at them: nothing under `not` or `if`.
 * @param replace Gets the JSON Pointer of the inner schema, as seen from the outer one.
 */
export function mapSchemas(
  schema: JsonRecord,
  replace: (inner: JsonRecord, path: string) => JsonRecord,
): JsonRecord {
  const mapOne = (value: unknown, path: string): unknown => (isRecord(value) ? replace(value, path) : value);
  const mapped: JsonRecord = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const path = toPointer(keyword);
    const isList = Array.isArray(value) && (LISTS.has(keyword) || EITHER.has(keyword));
    if (MAPS.has(keyword) && isRecord(value)) {
      setOwn(
        mapped,
        keyword,
        mapValues(value, (inner, name) => mapOne(inner, path + toPointer(name))),
      );
    } else if (isList) mapped[keyword] = value.map((inner, at) => mapOne(inner, `${path}/${at}`));
    else setOwn(mapped, keyword, EITHER.has(keyword) ? mapOne(value, path) : value);
  }
  return mapped;
}

/** @param map Returns undefined for a key that is left out. */
export function mapValues(record: JsonRecord, map: (value: unknown, key: string) => unknown): JsonRecord {
  const mapped: JsonRecord = {};
  for (const [key, value] of Object.entries(record)) {
    const result = map(value, key);
    if (result !== undefined) setOwn(mapped, key, result);
  }
  return mapped;
}

/** A key as one segment of a JSON Pointer. */
export const toPointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const omit = (record: JsonRecord, keys: readonly string[]): JsonRecord =>
  mapValues(record, (value, key) => (keys.includes(key) ? undefined : value));

/** The names in a schema's `type`. */
export function typesOf({ type }: JsonRecord): string[] {
  return textsIn(Array.isArray(type) ? type : [type]);
}

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** @returns undefined for a reference that does not lead to a schema inside `root` */
export function resolveRef(root: JsonRecord, ref: unknown): JsonRecord | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const isInside = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    found = isInside ? (found as JsonRecord)[key] : undefined;
  }
  return isRecord(found) ? found : undefined;
}

const DEEPEST_UNION = 8;

/**
 * Makes one schema of a union: with the properties of all its branches, of which those are required that each branch requires
 * (with `allOf`: any branch).
 * @param keys Which of `anyOf`, `oneOf` and `allOf`.
 */
export function mergeUnion(
  schema: JsonRecord,
  keys: readonly string[],
  root: JsonRecord,
  depth = 0,
): JsonRecord {
  const properties: JsonRecord = {};
  const addProperties = (from: JsonRecord): void => {
    for (const [name, property] of Object.entries(toRecord(from['properties']))) {
      if (!Object.hasOwn(properties, name)) setOwn(properties, name, property);
    }
  };
  addProperties(schema);
  const required = new Set(textsIn(schema['required']));
  let inherited: JsonRecord = {};
  for (const key of keys) {
    const given = schema[key];
    const branches = (Array.isArray(given) ? given : [])
      .map((branch) => resolveRef(root, toRecord(branch)['$ref']) ?? toRecord(branch))
      .map((branch) =>
        depth < DEEPEST_UNION ? mergeUnion(branch, ['anyOf', 'oneOf', 'allOf'], root, depth + 1) : branch,
      );
    for (const branch of branches) addProperties(branch);
    const lists = branches.map((branch) => textsIn(branch['required']));
    const isInAll = (name: string): boolean => lists.every((list) => list.includes(name));
    for (const name of lists.flat()) if (key === 'allOf' || isInAll(name)) required.add(name);
    if (key === 'allOf') inherited = Object.assign(inherited, ...branches) as JsonRecord;
  }
  return {
    ...omit(inherited, ['properties', 'required']),
    ...omit(schema, keys),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.size > 0 && { required: [...required] }),
  };
}
