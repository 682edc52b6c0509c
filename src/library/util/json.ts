// Reading JSON of unknown shape without assertions.

export type JsonRecord = Record<string, unknown>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The record, or an empty one: for optional nested objects. */
export const toRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The string when it is one and not empty. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A count that a server reported; anything but a finite number ≥ 0 is unknown. */
export const toCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** What is wrong with a text that is no JSON, by its place: the parser's own words quote the text, which may hold a secret. */
export function describeJsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return `not valid JSON at offset ${position}`;
  return message.includes('end of JSON') ? 'not valid JSON: it ends too early' : 'not valid JSON';
}

/** The parsed value, or undefined: JSON has no undefined, so the two cannot be confused. */
export function parseJson(text: string): unknown {
  try {
    // a byte order mark and blank lines before the document are seen in the wild (proxies, queued servers)
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** As in a rescued call. Nested deeper, a value could be neither written nor copied any more: the stack has an end. */
export const MAX_NESTING = 128;
/** An object that stands in several places is written once for each of them, and so is all that it holds. */
const MAX_REPEATS = 10_000;

/** Whether the value can be written as JSON, at a length in proportion to what it holds: no bigint, function, cycle or depth. */
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
