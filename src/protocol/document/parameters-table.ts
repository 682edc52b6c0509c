// Converts the parameters schema of a tool to a table and back, if it is simple enough. Pure; used by the host and the page.
import { t } from '@vscode/l10n';
import type { JsonSchema } from '../../types';

/** `enum`: one of several texts. `list`: a list of texts. */
export type ParameterType = 'string' | 'number' | 'integer' | 'boolean' | 'enum' | 'list';

export interface ParameterRow {
  name: string;
  type: ParameterType;
  /** '' when there is none. */
  description: string;
  isRequired: boolean;
  /** The allowed texts; only for the type `enum`. */
  options?: string[] | undefined;
  /** Keywords of the property that the row does not show, such as `minimum`; absent when it shows all. */
  more?: string[] | undefined;
}

/** Keywords that a row shows. */
const SHOWN: readonly string[] = ['type', 'description', 'enum', 'items'];

/** Keywords that a table cannot show, in the schema itself and in a property. */
const STRUCTURE = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'prefixItems',
] as const;
const PLAIN_TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** @returns the rows in order; or why the schema does not fit a table, in words for a person */
export function parametersTable(schema: JsonSchema): { rows: ParameterRow[] } | { why: string } {
  const { type, properties = {}, required = [] } = schema;
  if (type !== undefined && type !== 'object')
    return toWhy(t('The schema'), t('does not describe an object'));
  const keyword = STRUCTURE.find((each) => Object.hasOwn(schema, each));
  if (keyword !== undefined) return toWhy(t('The schema'), t('has {0}', keyword));
  if (!isRecord(properties))
    return toWhy(t('The schema'), t('has a value of `properties` that is not an object'));
  if (!areTexts(required)) return toWhy(t('The schema'), t('has a value of `required` that is not a list'));
  const names = new Set(required);
  const rows: ParameterRow[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const row = toRow(name, property, names.has(name));
    if (typeof row === 'string') return toWhy(`"${name}"`, row);
    rows.push(row);
  }
  return { rows };
}

/**
 * Returns the schema with these parameters. What a row does not show of its property is kept, such as `default`. A row with
 * a new name, at the position of a property that is gone, counts as that property renamed.
 * @param rows With unique names; of several rows with one name, the first counts.
 * @param schema The schema from which `parametersTable` made the rows.
 */
export function fromParametersTable(rows: readonly ParameterRow[], schema: JsonSchema): JsonSchema {
  const before = isRecord(schema['properties']) ? schema['properties'] : {};
  const firsts = new Map(rows.toReversed().map((row) => [row.name, row]));
  const entries = findOrigins(
    rows.filter((row) => firsts.get(row.name) === row),
    Object.keys(before),
  );
  const properties = entries.map(({ row, origin }): [string, unknown] => {
    const property = origin === undefined ? undefined : before[origin];
    return [row.name, toProperty(row, isRecord(property) ? property : {})];
  });
  const required = toRequired(entries, schema['required'], new Set(Object.keys(before)));
  return {
    ...schema,
    ...((properties.length > 0 || schema['properties'] !== undefined) && {
      // Assignment would not create a property named `__proto__`.
      properties: Object.fromEntries(properties),
    }),
    ...((required.length > 0 || schema['required'] !== undefined) && { required }),
  };
}

interface TracedRow {
  row: ParameterRow;
  /** Former name of its property; undefined for a new one. */
  origin: string | undefined;
}

function findOrigins(rows: readonly ParameterRow[], names: readonly string[]): TracedRow[] {
  const kept = new Set(rows.map(({ name }) => name));
  const known = new Set(names);
  return rows.map((row, at) => {
    const instead = names[at];
    const isRenamed = instead !== undefined && !kept.has(instead);
    return { row, origin: known.has(row.name) ? row.name : isRenamed ? instead : undefined };
  });
}

/** Names keep their positions, also names that are no property; new names come last. */
function toRequired(
  entries: readonly TracedRow[],
  before: unknown,
  properties: ReadonlySet<string>,
): string[] {
  const names = areTexts(before) ? before : [];
  const rows = new Map(entries.map(({ row, origin }) => [origin ?? row.name, row]));
  const kept = names.flatMap((name) => {
    const row = rows.get(name);
    if (row) return row.isRequired ? row.name : [];
    return properties.has(name) ? [] : name;
  });
  const there = new Set(kept);
  const added = entries.filter(({ row }) => row.isRequired && !there.has(row.name));
  return [...kept, ...added.map(({ row }) => row.name)];
}

function toProperty(row: ParameterRow, before: JsonSchema): JsonSchema {
  const old = readType(before);
  const isOfType = typeof old !== 'string' && old.type === row.type;
  const property: Record<string, unknown> = isOfType
    ? { ...before }
    : { ...toShape(row), ...withoutShape(before) };
  const hasNone = row.description === '' && before['description'] !== '';
  if (hasNone) delete property['description'];
  else property['description'] = row.description;
  const { options } = row;
  if (isOfType && row.type === 'enum' && options && !areSame(options, old.options ?? [])) {
    property['enum'] = [...options];
  }
  return property;
}

function withoutShape({ type: _type, enum: _enum, items: _items, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function toShape({ type, options }: ParameterRow): JsonSchema {
  if (type === 'enum') return { type: 'string', enum: options ?? [] };
  return type === 'list' ? { type: 'array', items: { type: 'string' } } : { type };
}

function toRow(name: string, property: unknown, isRequired: boolean): ParameterRow | string {
  if (!isRecord(property)) return t('has a schema that is not an object');
  const { description = '' } = property;
  if (typeof description !== 'string') return t('has a description that is not text');
  const read = readType(property);
  if (typeof read === 'string') return read;
  const more = moreIn(property);
  return { name, ...read, description, isRequired, ...(more.length > 0 && { more }) };
}

/** Of a list, what its items have besides their type, too. */
function moreIn({ items, ...property }: JsonSchema): string[] {
  const ofItems = isRecord(items) ? Object.keys(items).filter((key) => key !== 'type') : [];
  return [
    ...Object.keys(property).filter((key) => !SHOWN.includes(key)),
    ...ofItems.map((key) => `items.${key}`),
  ];
}

/** @returns a text that says why the table cannot show the property, when it cannot */
function readType(property: JsonSchema): Pick<ParameterRow, 'type' | 'options'> | string {
  const { type, enum: options, items } = property;
  const keyword = STRUCTURE.find((each) => Object.hasOwn(property, each));
  if (keyword !== undefined) return t('has {0}', keyword);
  if (options !== undefined) {
    const isTexts = areTexts(options) && (type === undefined || type === 'string');
    return isTexts
      ? { type: 'enum', options: [...options] }
      : t('has a list of values that are not all texts');
  }
  if (isPlain(type)) return { type };
  if (type === 'object') return t('has nested objects');
  if (type === 'array') {
    const isOfTexts =
      isRecord(items) && items['type'] === 'string' && !STRUCTURE.some((each) => Object.hasOwn(items, each));
    return isOfTexts ? { type: 'list' } : t('is a list that contains something other than texts');
  }
  if (type === undefined) return t('has no type');
  return Array.isArray(type) ? t('has several types') : t('has a type that the table does not know');
}

const isPlain = (type: unknown): type is 'string' | 'number' | 'integer' | 'boolean' =>
  PLAIN_TYPES.includes(type);

export const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

const toWhy = (what: string, why: string): { why: string } => ({
  why: t('{0} {1}: edit it as JSON', what, why),
});
