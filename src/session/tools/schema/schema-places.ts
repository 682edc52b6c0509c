// Finds the schema and the value at the locations that the schema checker reports. Produces no messages.
import type { OutputUnit, Schema } from '@cfworker/json-schema';
import type { PreparedSchema } from './prepare-schema';
import { isRecord } from '../../../library';

const MAPS = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

/** The schema that contains the unit's keyword, found by following every reference on the way. */
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

/** The schema that a `$ref` refers to; undefined when there is none. */
export const followReference = ({ lookup }: PreparedSchema, schema: Schema): Schema | boolean | undefined =>
  lookup[schema['__absolute_ref__'] ?? schema.$ref ?? ''];

/** JSON Pointer of the value that the unit is about. */
export const toPath = ({ instanceLocation }: OutputUnit): string =>
  decodeURIComponent(instanceLocation.slice(1));

/** The value at a JSON Pointer; undefined when there is none. */
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
