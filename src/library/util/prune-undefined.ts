// Removes undefined values from a record, so that they do not get into a request body.

/**
 * A shallow copy without the keys whose value is undefined; keeps `null`, `0`, `false` and `''`. Does not change the record.
 */
export function pruneUndefined<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const pruned: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    const value: unknown = Reflect.get(record, key);
    if (value === undefined) continue;
    // Assigning to `__proto__` would set the prototype instead of creating a property.
    if (key === '__proto__') Object.defineProperty(pruned, key, { ...MEMBER, value });
    else pruned[key] = value;
  }
  return pruned as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const MEMBER = { writable: true, enumerable: true, configurable: true };
