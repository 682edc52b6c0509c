// Is this a JSON Schema that servers take for the parameters of a tool? Never throws. Knows no tool.
import { t } from '@vscode/l10n';
import { checkFor, findUnresolved, prepare } from './check-against-schema';
import { describeValue, isRecord, showValue } from '../json-words';
import type { JsonRecord } from '../json-words';
import { META_SCHEMA } from './meta-schema';
import type { SchemaIssue } from './prepare-schema';

const MOST_ISSUES = 50;

/** @returns what is wrong, by JSON Pointers into the schema; at most 50 */
export function checkSchema(schema: unknown): SchemaIssue[] {
  if (!isRecord(schema)) {
    return [
      { path: '', message: t('is {0}; servers want a schema that is an object', describeValue(schema)) },
    ];
  }
  const { issues, schemaError } = checkFor(t('JSON Schema'), schema, META_SCHEMA);
  if (schemaError !== undefined) return [{ path: '', message: t('is too large to check') }];
  return [...checkTop(schema), ...issues, ...checkInside(schema)].slice(0, MOST_ISSUES);
}

/** Arguments are an object, and servers refuse a schema that leaves it open. */
function checkTop(schema: JsonRecord): SchemaIssue[] {
  const { type } = schema;
  if (type === 'object') return [];
  if (type === undefined)
    return [{ path: '/type', message: t('is missing; servers want it to be "object"') }];
  return [{ path: '/type', message: t('is {0}; servers want "object" at the top', showValue(type)) }];
}

/** What the meta-schema cannot say: expressions that do not compile, references that lead nowhere. */
function checkInside(schema: JsonRecord): SchemaIssue[] {
  try {
    const prepared = prepare(schema);
    if (typeof prepared === 'string') return [{ path: '', message: t('is no JSON') }];
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
