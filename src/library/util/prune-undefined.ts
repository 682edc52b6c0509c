// Drops what is undefined from a record, so that it does not reach a request body.

/** Shallow; keeps `null`, `0`, `false` and `''`. The record itself is left as it is. */
export function pruneUndefined<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const pruned: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    const value: unknown = Reflect.get(record, key);
    if (value === undefined) continue;
    // the one key that is no key when it is assigned
    if (key === '__proto__') Object.defineProperty(pruned, key, { ...MEMBER, value });
    else pruned[key] = value;
  }
  return pruned as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const MEMBER = { writable: true, enumerable: true, configurable: true };
