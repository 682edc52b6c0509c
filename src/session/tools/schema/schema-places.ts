// From the places that the schema checker names to the schema and the value there. Knows no words.
import type { OutputUnit, Schema } from '@cfworker/json-schema';
import { isRecord } from '../json-words';
import type { PreparedSchema } from './prepare-schema';

const MAPS = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

/** The schema that a unit's keyword stands in, through every reference. */
export function findSchema(prepared: PreparedSchema, { keywordLocation }: OutputUnit): Schema | undefined {
  const parts = toParts(keywordLocation);
  let schema: unknown = prepared.root;
  for (let at = 0; at < parts.length - 1 && isRecord(schema); at++) {
    const keyword = parts[at] ?? '';
    const inner: unknown = keyword === '$ref' ? followReference(prepared, schema) : schema[keyword];
    if (isRecord(inner) && !MAPS.has(keyword)) schema = inner;
    else if (typeof inner === 'object' && inner !== null) {
      at += 1;
      const member = parts[at] ?? '';
      schema = Object.hasOwn(inner, member) ? (inner as Record<string, unknown>)[member] : undefined;
    } else schema = inner;
  }
  return isRecord(schema) ? schema : undefined;
}

/** What a `$ref` refers to; undefined when there is none. */
export const followReference = ({ lookup }: PreparedSchema, schema: Schema): Schema | boolean | undefined =>
  lookup[schema['__absolute_ref__'] ?? schema.$ref ?? ''];

/** The JSON Pointer of the value that a unit is about. */
export const toPath = ({ instanceLocation }: OutputUnit): string =>
  decodeURIComponent(instanceLocation.slice(1));

/** The value at a JSON Pointer. */
export function findValue(root: unknown, path: string): unknown {
  let value = root;
  for (const part of toParts(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

const toParts = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (pointer.startsWith('#') ? decodeURIComponent(part) : part))
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
