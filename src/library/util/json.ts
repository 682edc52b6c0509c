// Reads JSON of unknown shape without type assertions.

export type JsonRecord = Record<string, unknown>;

/** Whether the value is an object with keys: neither null nor a list. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a record, otherwise an empty record; for optional nested objects. */
export const toRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Whether the value is a list of such members. Unlike `every`, `findIndex` also looks at the holes of a list. */
export const isListOf = <Member>(
  value: unknown,
  isMember: (member: unknown) => member is Member,
): value is Member[] => Array.isArray(value) && value.findIndex((member) => !isMember(member)) < 0;

/** The value of an own property; undefined for one that is inherited. */
export const getOwn = (record: JsonRecord | undefined, key: string): unknown =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** Sets an own property, also `__proto__`, whose assignment would set the prototype instead. */
export function setOwn(record: JsonRecord, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether two JSON values are equal; the order of keys does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The value if it is a non-empty string. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A count that a server reported; undefined for anything but a finite number ≥ 0. */
export const toCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/**
 * Says what is wrong with invalid JSON, with the position only: the parser's own message quotes the text, which may contain
 * a secret.
 */
export function describeJsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return `not valid JSON at offset ${position}`;
  return message.includes('end of JSON') ? 'not valid JSON: it ends too early' : 'not valid JSON';
}

/** The parsed value, or undefined when the text is not valid JSON. JSON has no undefined, so the two cannot be confused. */
export function parseJson(text: string): unknown {
  try {
    // Some proxies and servers send a byte order mark or blank lines before the document; `JSON.parse` accepts only the
    // latter.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/**
 * The same limit as for rescued calls. A more deeply nested value could overflow the stack when it is serialised or cloned.
 */
export const MAX_NESTING = 128;
/** An object that is referenced several times is serialised each time, with everything in it. */
const MAX_REPEATS = 10_000;

/**
 * Whether the value can be serialised as JSON without becoming much larger: no bigint, function, symbol, cycle or deep
 * nesting.
 */
export function isJsonSafe(value: unknown): boolean {
  const seen = new Set<object>();
  let repeats = 0;
  const isSafe = (inner: unknown, levels: number): boolean => {
    if (typeof inner !== 'object' || inner === null) return !/^(bigint|function|symbol)$/.test(typeof inner);
    if (seen.has(inner)) repeats += 1;
    seen.add(inner);
    if (levels === 0 || repeats > MAX_REPEATS) return false;
    return Object.values(inner).every((member) => isSafe(member, levels - 1));
  };
  return isSafe(value, MAX_NESTING);
}
