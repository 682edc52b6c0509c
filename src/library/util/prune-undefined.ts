// Drops what is undefined from a record, so that it does not reach a request body.

/** Shallow; keeps `null`, `0`, `false` and `''`. The record itself is left as it is. */
export function pruneUndefined<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
