// Does an arguments value fit the tool's schema, as far as its top level goes? Changes nothing, knows no format.
import type { JsonSchema } from '../../types';
import { isRecord, toRecord } from '../util/json';
import type { JsonRecord } from '../util/json';

export interface SchemaIssue {
  /** JSON Pointer; '' is the value itself. */
  path: string;
  /** Reads after the path: `/unit is not one of celsius, fahrenheit`. */
  message: string;
}

const MOST_LISTED = 12;
const MOST_ISSUES = 50;

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/**
 * Required, type and enum of the top-level properties. Properties that the schema does not name are no issue, nor is
 * anything that a `$ref` would have to be followed for.
 */
export function checkArguments(value: unknown, schema: JsonSchema): SchemaIssue[] {
  if (!isRecord(value)) return [{ path: '', message: `is ${describe(value)}; the schema wants an object` }];
  const issues = findMissing(value, schema).map((key) => ({ path: toPath(key), message: 'is missing' }));
  for (const [key, property] of Object.entries(toRecord(toRecord(schema)['properties']))) {
    if (!Object.hasOwn(value, key) || !isRecord(property)) continue;
    const message = checkProperty(value[key], property);
    if (message !== undefined) issues.push({ path: toPath(key), message });
  }
  return issues.slice(0, MOST_ISSUES);
}

/** The required parameters of a schema. */
export function requiredParameters(schema: JsonSchema | undefined): string[] {
  const required = toRecord(schema)['required'];
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

/** The required parameters that `value` does not have. */
export function findMissing(value: JsonRecord, schema: JsonSchema | undefined): string[] {
  return requiredParameters(schema).filter((key) => !Object.hasOwn(value, key));
}

function checkProperty(value: unknown, property: JsonRecord): string | undefined {
  const types = toTypes(property['type']);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return `is ${describe(value)}; the schema wants ${types.map((type) => NOUNS[type] ?? type).join(' or ')}`;
  }
  const allowed = property['enum'];
  if (!Array.isArray(allowed) || allowed.some((item) => isSame(item, value))) return undefined;
  const rest = allowed.length > MOST_LISTED ? ', …' : '';
  return `is not one of ${allowed.slice(0, MOST_LISTED).map(show).join(', ')}${rest}`;
}

function toTypes(type: unknown): string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((item) => typeof item === 'string') : [];
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isRecord(value);
  // a type nobody knows is not the arguments' fault
  return !Object.hasOwn(NOUNS, type) || typeof value === type;
}

function describe(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return NOUNS[typeof value] ?? typeof value;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The JSON Pointer of a property. */
export const toPath = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
