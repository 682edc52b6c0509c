// One finding of the schema checker, or one alternative of a schema, in plain words. Knows no order of findings.
import type { Schema } from '@cfworker/json-schema';
import { ucs2length } from '@cfworker/json-schema';
import { nameJsonTypes } from '../../../library';
import { countOf, cutShort, describeValue, isRecord, listValues, showValue } from '../json-words';

const MOST_REQUIRED = 4;

/** Of a keyword that has no findings below it; the words read after the path of the value. */
export function describeFailure(
  keyword: string,
  schema: Schema,
  value: unknown,
  author: string,
): string | undefined {
  const describe = Object.hasOwn(FAILURES, keyword) ? FAILURES[keyword] : undefined;
  return describe?.({ schema, value, wants: `${author} wants`, author });
}

interface Failure {
  schema: Schema;
  value: unknown;
  /** `the schema wants` */
  wants: string;
  author: string;
}

const FAILURES: Readonly<Record<string, (failure: Failure) => string>> = {
  type: ({ schema, value, wants }) =>
    `is ${describeTyped(value)}; ${wants} ${nameJsonTypes(toTypes(schema))}`,
  const: ({ schema }) => `is not ${showValue(schema.const)}`,
  enum: ({ schema }) => `is not one of ${listValues(schema.enum ?? [])}`,
  not: ({ author }) => `is what ${author} rules out`,
  minimum: ({ schema, value, wants }) =>
    `is ${showValue(value)}; ${wants} ${schema.exclusiveMinimum === true ? 'more than' : 'at least'} ${schema.minimum}`,
  maximum: ({ schema, value, wants }) =>
    `is ${showValue(value)}; ${wants} ${schema.exclusiveMaximum === true ? 'less than' : 'at most'} ${schema.maximum}`,
  exclusiveMinimum: ({ schema, value, wants }) =>
    `is ${showValue(value)}; ${wants} more than ${schema.exclusiveMinimum}`,
  exclusiveMaximum: ({ schema, value, wants }) =>
    `is ${showValue(value)}; ${wants} less than ${schema.exclusiveMaximum}`,
  multipleOf: ({ schema, value, wants }) =>
    `is ${showValue(value)}; ${wants} a multiple of ${schema.multipleOf}`,
  minLength: ({ schema, value, wants }) =>
    `has ${countOf(ucs2length(String(value)), 'character')}; ${wants} at least ${schema.minLength}`,
  maxLength: ({ schema, value, wants }) =>
    `has ${countOf(ucs2length(String(value)), 'character')}; ${wants} at most ${schema.maxLength}`,
  pattern: ({ schema }) => `does not match the pattern ${cutShort(String(schema.pattern))}`,
  format: ({ schema }) => `is not of the format ${schema.format}`,
  minItems: ({ schema, value, wants }) =>
    `has ${countOf(toSize(value), 'item')}; ${wants} at least ${schema.minItems}`,
  maxItems: ({ schema, value, wants }) =>
    `has ${countOf(toSize(value), 'item')}; ${wants} at most ${schema.maxItems}`,
  uniqueItems: () => 'has an item twice',
  contains: ({ wants }) => `has no item of the kind that ${wants}`,
  minContains: ({ wants }) => `has too few items of the kind that ${wants}`,
  maxContains: ({ wants }) => `has too many items of the kind that ${wants}`,
  minProperties: ({ schema, value, wants }) =>
    `has ${countOf(toSize(value), 'property', 'properties')}; ${wants} at least ${schema.minProperties}`,
  maxProperties: ({ schema, value, wants }) =>
    `has ${countOf(toSize(value), 'property', 'properties')}; ${wants} at most ${schema.maxProperties}`,
};

/** An alternative of `anyOf` or `oneOf`, as `text`, `one of a, b` or `an object with city`. */
export function nameAlternative(schema: unknown): string | undefined {
  if (!isRecord(schema)) return schema === true ? 'anything' : undefined;
  if (Object.hasOwn(schema, 'const')) return showValue(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${listValues(schema['enum'])}`;
  if (typeof schema['title'] === 'string' && schema['title'] !== '') return cutShort(schema['title']);
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const withKeys = required.length === 0 ? '' : ` with ${listKeys(required)}`;
  const types = toTypes(schema);
  if (types.length > 0) return nameJsonTypes(types) + (types.includes('object') ? withKeys : '');
  return withKeys === '' ? undefined : `an object${withKeys}`;
}

function listKeys(keys: readonly unknown[]): string {
  const shown = keys.slice(0, MOST_REQUIRED).map((key) => cutShort(String(key)));
  return shown.join(', ') + (keys.length > MOST_REQUIRED ? ', …' : '');
}

const toTypes = ({ type }: Schema): string[] =>
  Array.isArray(type) ? type : typeof type === 'string' ? [type] : [];

/** A number with a fraction is told from an integer by showing it. */
const describeTyped = (value: unknown): string =>
  typeof value === 'number' ? showValue(value) : describeValue(value);

const toSize = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
