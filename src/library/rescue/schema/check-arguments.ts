// Checks whether the arguments of a call fit the tool's schema, as far as its top level goes. Changes nothing; independent
// of formats.
import type { JsonSchema } from '../../../types';
import { callSafely } from '../../util/call-safely';
import { isRecord, isSame, toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { isJsonType, nameJsonTypes } from '../../util/json-words';
import { askSchema } from '../../util/standard-schema';
import { findProperties, findTypes } from './schema-types';
import type { SchemaIssue } from '../core/rescue-format';

const MAX_LISTED = 12;
const MAX_ISSUES = 50;

/** Message of the issue for a parameter or key that a call has more than once. */
export const WRITTEN_AGAIN = 'was written more than once; the last one counts';

/**
 * Checks arguments against the `required` list of a schema, and `type` and `enum` of its top-level properties. Properties
 * that the schema does not name are accepted, and so is everything that depends on a `$ref`.
 * @param value The parsed arguments.
 * @param given A JSON Schema, or a Standard Schema that can provide it.
 * @returns at most 50 issues; empty when the arguments fit
 */
export function checkArguments(value: unknown, given: JsonSchema): SchemaIssue[] {
  const asked = callSafely(() => askSchema(given));
  return checkBySchema(value, isRecord(asked) ? asked : given);
}

/** The same for a JSON Schema. */
export function checkBySchema(value: unknown, schema: JsonSchema): SchemaIssue[] {
  if (!isRecord(value))
    return [{ path: '', message: `is ${describe(value)}; the schema requires an object` }];
  const issues: SchemaIssue[] = [];
  for (const key of findMissing(value, schema)) issues.push({ path: toPath(key), message: 'is missing' });
  const properties = toRecord(toRecord(schema)['properties']);
  for (const key of Object.keys(properties)) {
    const property = properties[key];
    if (!Object.hasOwn(value, key) || !isRecord(property)) continue;
    const message = checkProperty(value[key], property);
    if (message !== undefined) issues.push({ path: toPath(key), message });
  }
  return issues.length > MAX_ISSUES ? issues.slice(0, MAX_ISSUES) : issues;
}

/** Names of the required parameters of a schema. */
export function requiredParameters(schema: JsonSchema | undefined): readonly string[] {
  const required = isRecord(schema) ? schema['required'] : undefined;
  if (!Array.isArray(required)) return NONE;
  // Nearly always the list itself, because calls are checked by the thousand.
  return required.every(isText) ? required : required.filter(isText);
}

/** The only parameter, or the only required one, if it is text: a value without a key can be meant for no other one. */
export function findTextParameter(schema: JsonSchema | undefined): string | undefined {
  const properties = findProperties(schema) ?? {};
  const keys = Object.keys(properties);
  const [key, ...others] = keys.length === 1 ? keys : requiredParameters(schema);
  const isOnly = key !== undefined && others.length === 0;
  return isOnly && findTypes(properties[key], schema).includes('string') ? key : undefined;
}

const NONE: readonly string[] = [];

const isText = (value: unknown): value is string => typeof value === 'string';

/** Names of the required parameters that `value` does not have. */
export function findMissing(value: JsonRecord, schema: JsonSchema | undefined): readonly string[] {
  const required = requiredParameters(schema);
  return required.every((key) => Object.hasOwn(value, key))
    ? NONE
    : required.filter((key) => !Object.hasOwn(value, key));
}

function checkProperty(value: unknown, property: JsonRecord): string | undefined {
  const types = toTypes(property['type']);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return `is ${describe(value)}; the schema requires ${nameJsonTypes(types)}`;
  }
  const allowed = property['enum'];
  if (!Array.isArray(allowed) || allowed.some((item) => isSame(item, value))) return undefined;
  const rest = allowed.length > MAX_LISTED ? ', …' : '';
  return `is not one of ${allowed.slice(0, MAX_LISTED).map(show).join(', ')}${rest}`;
}

function toTypes(type: unknown): string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter(isText) : [];
}

function hasType(value: unknown, type: string): boolean {
  if (typeof value === type && type !== 'object') return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isRecord(value);
  // An unknown type in the schema is not the fault of the arguments.
  return !isJsonType(type) || typeof value === type;
}

function describe(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return nameJsonTypes([typeof value]);
}

function show(value: unknown): string {
  if (typeof value === 'string') return value;
  // A schema that was not read from JSON may list anything, such as a bigint.
  const text = callSafely(() => JSON.stringify(value));
  return typeof text === 'string' ? text : typeof value;
}

/** The JSON Pointer of a property. */
export const toPath = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
