// Checks header fields of a caller, so that an invalid one is an invalid option and not a failed connection.
import { InvalidOptionsError } from '../errors';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The characters of a header value. No line breaks, so that no other header can be injected. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that the HTTP client sets from the URL and the body. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type GivenHeaders = Readonly<Record<string, unknown>> | Iterable<readonly [string, unknown]> | undefined;

/** The results of `fixHeaders`. */
const fixed = new WeakSet<object>();

/** Normalises headers once, for a provider that sends the same ones with every request. @throws InvalidOptionsError */
export function fixHeaders(headers: GivenHeaders): Readonly<Record<string, string>> {
  const normalized = Object.freeze(normalizeHeaders(headers));
  fixed.add(normalized);
  return normalized;
}

/** Like `normalizeHeaders`, but returns results of `fixHeaders` unchanged. @throws InvalidOptionsError */
export const checkHeaders = (headers: GivenHeaders): Readonly<Record<string, string>> =>
  headers && fixed.has(headers) ? (headers as Readonly<Record<string, string>>) : normalizeHeaders(headers);

/**
 * Converts names to lower case, so that two spellings of a field are one field, and omits undefined values.
 * @param headers An object, or pairs such as those of a `Headers` or a `Map`.
 * @throws InvalidOptionsError that names the field but not its value
 */
export function normalizeHeaders(headers: GivenHeaders): Record<string, string> {
  const normalized: Record<string, string> = {};
  for (const [name, value] of toPairs(headers)) {
    if (value === undefined) continue;
    const field = `headers.${name}`;
    const lower = name.toLowerCase();
    if (!NAME.test(name)) throw new InvalidOptionsError('headers', 'has a name that cannot be sent');
    if (RESERVED.has(lower)) throw new InvalidOptionsError(field, 'is set by the HTTP client itself');
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new InvalidOptionsError(field, 'must be a text');
    if (!HEADER_VALUE.test(String(value)))
      throw new InvalidOptionsError(field, 'has a character that cannot be sent');
    normalized[lower] = String(value);
  }
  return normalized;
}

function toPairs(headers: GivenHeaders): [string, unknown][] {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object') throw new InvalidOptionsError('headers', 'must be an object');
  if (!(Symbol.iterator in headers)) return Object.entries(headers);
  return Array.from(headers, (pair) => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string')
      throw new InvalidOptionsError('headers', 'must be an object, or pairs of a name and a value');
    return [pair[0], pair[1]];
  });
}
