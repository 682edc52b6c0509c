// Describes one finding of the schema checker, or one alternative of a schema, in plain words.
import { t } from '@vscode/l10n';
import type { Schema } from '@cfworker/json-schema';
import { ucs2length } from '@cfworker/json-schema';
import { countOf } from '../../../inspect';
import { isRecord, nameJsonTypes } from '../../../library';
import { cutShort, describeValue, listValues, showValue } from '../../../inspect';

const MAX_REQUIRED = 4;

/** Describes a keyword that has no findings below it, in words that follow the path of the value. */
export function describeFailure(
  keyword: string,
  schema: Schema,
  value: unknown,
  author: string,
): string | undefined {
  const describe = Object.hasOwn(FAILURES, keyword) ? FAILURES[keyword] : undefined;
  return describe?.({ schema, value, author });
}

interface Failure {
  schema: Schema;
  value: unknown;
  /** Subject of the requirement, such as `the schema`. */
  author: string;
}

const FAILURES: Readonly<Record<string, (failure: Failure) => string>> = {
  type: ({ schema, value, author }) =>
    t('is {0}; {1} requires {2}', describeTyped(value), author, nameJsonTypes(toTypes(schema))),
  const: ({ schema }) => t('is not {0}', showValue(schema.const)),
  enum: ({ schema }) => t('is not one of {0}', listValues(schema.enum ?? [])),
  not: ({ author }) => t('is a value that {0} forbids', author),
  minimum: ({ schema, value, author }) =>
    schema.exclusiveMinimum === true
      ? wantsMore(value, author, schema.minimum)
      : t('is {0}; {1} requires at least {2}', showValue(value), author, String(schema.minimum)),
  maximum: ({ schema, value, author }) =>
    schema.exclusiveMaximum === true
      ? wantsLess(value, author, schema.maximum)
      : t('is {0}; {1} allows at most {2}', showValue(value), author, String(schema.maximum)),
  exclusiveMinimum: ({ schema, value, author }) => wantsMore(value, author, schema.exclusiveMinimum),
  exclusiveMaximum: ({ schema, value, author }) => wantsLess(value, author, schema.exclusiveMaximum),
  multipleOf: ({ schema, value, author }) =>
    t('is {0}; {1} requires a multiple of {2}', showValue(value), author, String(schema.multipleOf)),
  minLength: ({ schema, value, author }) =>
    t('has {0}; {1} requires at least {2}', countCharacters(value), author, String(schema.minLength)),
  maxLength: ({ schema, value, author }) =>
    t('has {0}; {1} allows at most {2}', countCharacters(value), author, String(schema.maxLength)),
  pattern: ({ schema }) => t('does not match the pattern {0}', cutShort(String(schema.pattern))),
  format: ({ schema }) => t('is not of the format {0}', String(schema.format)),
  minItems: ({ schema, value, author }) =>
    t('has {0}; {1} requires at least {2}', countItems(value), author, String(schema.minItems)),
  maxItems: ({ schema, value, author }) =>
    t('has {0}; {1} allows at most {2}', countItems(value), author, String(schema.maxItems)),
  uniqueItems: () => t('has the same item twice'),
  contains: ({ author }) => t('has no item that matches `contains` of {0}', author),
  minContains: ({ author }) => t('has fewer matching items than {0} requires', author),
  maxContains: ({ author }) => t('has more matching items than {0} allows', author),
  minProperties: ({ schema, value, author }) =>
    t('has {0}; {1} requires at least {2}', countProperties(value), author, String(schema.minProperties)),
  maxProperties: ({ schema, value, author }) =>
    t('has {0}; {1} allows at most {2}', countProperties(value), author, String(schema.maxProperties)),
};

const wantsMore = (value: unknown, author: string, limit: unknown): string =>
  t('is {0}; {1} requires more than {2}', showValue(value), author, String(limit));
const wantsLess = (value: unknown, author: string, limit: unknown): string =>
  t('is {0}; {1} requires less than {2}', showValue(value), author, String(limit));

const countCharacters = (value: unknown): string =>
  countOf(ucs2length(String(value)), t('{0} character'), t('{0} characters'));
const countItems = (value: unknown): string => countOf(toSize(value), t('{0} item'), t('{0} items'));
const countProperties = (value: unknown): string =>
  countOf(toSize(value), t('{0} property'), t('{0} properties'));

/** Names an alternative of `anyOf` or `oneOf`, such as `text`, `one of a, b` or `an object with city`. */
export function nameAlternative(schema: unknown): string | undefined {
  if (!isRecord(schema)) return schema === true ? t('anything') : undefined;
  if (Object.hasOwn(schema, 'const')) return showValue(schema['const']);
  if (Array.isArray(schema['enum'])) return t('one of {0}', listValues(schema['enum']));
  if (typeof schema['title'] === 'string' && schema['title'] !== '') return cutShort(schema['title']);
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const types = toTypes(schema);
  const named = types.length > 0 ? nameJsonTypes(types) : undefined;
  if (required.length === 0 || (named !== undefined && !types.includes('object'))) return named;
  return t('{0} with {1}', named ?? t('an object'), listKeys(required));
}

function listKeys(keys: readonly unknown[]): string {
  const shown = keys.slice(0, MAX_REQUIRED).map((key) => cutShort(String(key)));
  return shown.join(', ') + (keys.length > MAX_REQUIRED ? ', …' : '');
}

const toTypes = ({ type }: Schema): string[] =>
  Array.isArray(type) ? type : typeof type === 'string' ? [type] : [];

/** Shows numbers themselves, because only the value tells a fraction from an integer. */
const describeTyped = (value: unknown): string =>
  typeof value === 'number' ? showValue(value) : describeValue(value);

const toSize = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
