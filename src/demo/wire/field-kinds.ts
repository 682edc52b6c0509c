// The kinds of JSON values that checks of request fields distinguish. Each protocol has its own words for them.
import { isJsonObject } from './json-value';

export type FieldKind = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'dictionary' | 'any';

const IS_KIND: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  dictionary: (value) => isJsonObject(value),
  any: () => true,
};

export const isOfKind = (value: unknown, kind: FieldKind): boolean => IS_KIND[kind](value);

/** The kind of a field by its name, also for names that every object has. */
export const kindOfField = (fields: FieldKinds, name: string): FieldKind | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

export type FieldKinds = Readonly<Record<string, FieldKind>>;
