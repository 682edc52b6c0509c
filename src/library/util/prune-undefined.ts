// Removes values that stand for nothing from a record.
import type { JsonRecord } from './json';
import { setOwn } from './json';

/**
 * A shallow copy without the keys whose value is undefined; keeps `null`, `0`, `false` and `''`. Does not change the record.
 */
export function pruneUndefined<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const pruned: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    const value: unknown = Reflect.get(record, key);
    if (value !== undefined) setOwn(pruned, key, value);
  }
  return pruned as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A shallow copy without the members that are null or undefined: services write either for what is absent. */
export const withoutNull = (fields: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
