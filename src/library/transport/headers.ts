// Header fields as a caller gives them: checked once, so that a bad one is a bad option and not a failed connection.
import { InvalidOptionsError } from '../errors';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What a header field may hold on the wire; no line breaks, so nothing can be smuggled in. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The HTTP client sets these from the address and the body. */
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

/** Made by `fixHeaders`. */
const fixed = new WeakSet<object>();

/** Normalized once, for a provider that sends the same ones with every request. @throws InvalidOptionsError */
export function fixHeaders(headers: GivenHeaders): Readonly<Record<string, string>> {
  const normalized = Object.freeze(normalizeHeaders(headers));
  fixed.add(normalized);
  return normalized;
}

/** As `normalizeHeaders`; those of `fixHeaders` as they are. @throws InvalidOptionsError */
export const checkHeaders = (headers: GivenHeaders): Readonly<Record<string, string>> =>
  headers && fixed.has(headers) ? (headers as Readonly<Record<string, string>>) : normalizeHeaders(headers);

/**
 * @param headers By name, or pairs such as those of a `Headers` or a `Map`.
 * Names in lower case, so that two spellings of one field are one field; undefined values are left out.
 * @throws InvalidOptionsError that names the field and not its value.
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
    if (!VALUE.test(String(value)))
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
