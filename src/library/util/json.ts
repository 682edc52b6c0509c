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
