// Checks whether a value is a JSON Schema that servers accept for tool parameters. Never throws. Independent of tools.
import { t } from '@vscode/l10n';
import { checkFor, findUnresolved, prepare } from './check-against-schema';
import { describeValue, showValue } from '../../../inspect';
import type { JsonRecord } from '../../../inspect';
import { META_SCHEMA } from './meta-schema';
import type { SchemaIssue } from './prepare-schema';
import { isRecord } from '../../../library';

const MAX_ISSUES = 50;

/** @returns at most 50 issues, with JSON Pointers into the schema */
export function checkSchema(schema: unknown): SchemaIssue[] {
  if (!isRecord(schema)) {
    return [
      { path: '', message: t('is {0}; servers require a schema that is an object', describeValue(schema)) },
    ];
  }
  const { issues, schemaError } = checkFor(t('JSON Schema'), schema, META_SCHEMA);
  if (schemaError !== undefined) return [{ path: '', message: t('is too large to check') }];
  return [...checkTop(schema), ...issues, ...checkInside(schema)].slice(0, MAX_ISSUES);
}

/** Arguments are an object, and servers reject a schema that does not say so. */
function checkTop(schema: JsonRecord): SchemaIssue[] {
  const { type } = schema;
  if (type === 'object') return [];
  if (type === undefined) return [{ path: '/type', message: t('is missing; servers require "object"') }];
  return [
    { path: '/type', message: t('is {0}; servers require "object" at the top level', showValue(type)) },
  ];
}

/** Checks what a meta-schema cannot express: invalid regular expressions and references without a target. */
function checkInside(schema: JsonRecord): SchemaIssue[] {
  try {
    const prepared = prepare(schema);
    if (typeof prepared === 'string') return [{ path: '', message: t('is not JSON') }];
    return [
      ...prepared.problems,
      ...findUnresolved(prepared).map(({ path }) => ({
        path,
        message: t('refers to nothing in this schema'),
      })),
    ];
  } catch {
    return [{ path: '', message: t('is too large to check') }];
  }
}
