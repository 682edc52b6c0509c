// The one redaction function. Everything that is recorded, logged, thrown or shown goes through it. Masks by value, then by
// name.
import { InvalidOptionsError } from '../../errors';

/** In UTF-16 code units. Shorter secrets would mask ordinary words, so they are only masked by name. */
const MIN_SECRET_LENGTH = 8;

/**
 * Names of header fields and query parameters that contain a secret. Broad, because nothing else of interest has such a
 * name. The checks of settings and documents and the settings schema in the manifest repeat it, because none of them can
 * load this file; a test compares them.
 */
export const SECRET_NAME =
  /authorization|cookie|api[-_]?key|(access|auth|secret|subscription|functions|private|master)[-_]?key|token$|secret|passw|passphrase|credential|^(key|sig)$/i;

/** Names of secret members of a JSON body. Narrow, because a reply may well have a member named `token`. */
const SECRET_MEMBERS = [
  'authorization',
  'proxy-authorization',
  'x?-?api[-_]?key',
  'set-cookie',
  'access_token',
  'refresh_token',
  'client_secret',
];

/** A connection uses the same names in each request. The limit is for callers that make up new ones. */
const MAX_KNOWN_NAMES = 1000;
const knownNames = new Map<string, boolean>();

/** Whether a header field or a query parameter of this name contains a secret. */
export function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAME.test(name);
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, isSecret);
  return isSecret;
}

const JSON_SECRET = new RegExp(`"(?:${SECRET_MEMBERS.join('|')})"\\s{0,8}:\\s{0,8}"`, 'gi');
const QUERY_SECRET = /([?&][\w.-]{0,40}?(?:key|token|secret|sig|passw\w{0,8})=)([^&#\s"]*)/gi;

/**
 * The secrets in header fields (an authorization without its scheme, its password, the value of each cookie) and in the
 * query of a URL.
 */
export function secretsInRequest(headers: Readonly<Record<string, string>>, url?: URL): string[] {
  const found: string[] = [];
  for (const name of Object.keys(headers))
    if (isSecretName(name)) found.push(...inHeader(name, headers[name] ?? ''));
  if (url && url.search !== '')
    for (const [name, value] of url.searchParams) if (isSecretName(name)) found.push(value);
  return found.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
}

const inHeader = (name: string, value: string): string[] =>
  /cookie/i.test(name)
    ? value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    : [value.replace(/^(bearer|basic|token|digest|negotiate|apikey)\s+/i, ''), ...inBasic(value)];

/**
 * The password in the value of an authorization with the scheme Basic. With its user, if it is too short to be found by its
 * value.
 */
export function inBasic(value: string): string[] {
  const [, encoded = ''] = /^basic\s+(\S+)\s*$/i.exec(value) ?? [];
  const user = Buffer.from(encoded, 'base64').toString('utf8');
  const [, password] = /^[^:]*:(.+)$/s.exec(user) ?? [];
  if (password === undefined) return [];
  return [password.length < MIN_SECRET_LENGTH ? user : password];
}

/** Masks secrets, first by value and then by name. */
export interface Redactor {
  /** A mask is as long as what it hides, so that offsets stay valid. */
  text: (text: string) => string;
  /** Header fields by name. The whole value of a field with a secret name is masked. */
  headers: (headers: Iterable<readonly [string, string]>) => Record<string, string>;
  /**
   * For a text that may continue: how many characters at its end may be the beginning of a secret in any of its encodings.
   * Fewer than four reveal nothing and count as 0.
   */
  held: (text: string) => number;
  /** A deep copy of a JSON-safe value in which every string, including the keys, is masked by value. */
  value: <T>(value: T) => T;
}

/**
 * @param secrets The connection's secrets in plain form. Those of 8 characters or more are found by value, also
 * in lower case, URL-encoded, JSON-escaped or in base64.
 * @throws InvalidOptionsError for a secret that is no text
 */
export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const texts = new Set(secrets);
  for (const secret of texts) {
    const given: unknown = secret;
    // Left out, it would be shown.
    if (typeof given !== 'string') throw new InvalidOptionsError('secrets', 'must be a list of texts');
  }
  const spellings = [...texts].filter((secret) => secret.length >= MIN_SECRET_LENGTH).flatMap(spell);
  // The longest first, because an encoded secret may contain a shorter one.
  const needles = [...new Set(spellings)].toSorted((a, b) => b.length - a.length);

  const shortest = needles.at(-1)?.length ?? Infinity;

  // Most strings of a large reply are shorter than every secret.
  const byValue = (text: string): string =>
    text.length < shortest
      ? text
      : needles.reduce(
          (rest, needle) => (rest.includes(needle) ? rest.replaceAll(needle, mask(needle)) : rest),
          text,
        );
  // Most header fields have neither a quotation mark nor an equals sign, and there are a dozen of them in each call.
  const text = (input: string): string => {
    const known = byValue(input);
    const named = known.includes('"') ? maskMembers(known) : known;
    return named.includes('=')
      ? named.replace(QUERY_SECRET, (_, name: string, value: string) => name + mask(value))
      : named;
  };

  return {
    text,
    headers: (headers) =>
      Object.fromEntries(
        // A server may repeat a secret in any field.
        [...headers].map(([name, value]) => [text(name), isSecretName(name) ? mask(value) : text(value)]),
      ),
    held: (input) => needles.reduce((most, needle) => Math.max(most, beginningAt(input, needle, most)), 0),
    value: (value) => mapStrings(value, byValue),
  };
}

/** In UTF-16 code units. A shorter beginning of a secret reveals nothing. */
const MIN_HELD = 4;

/** Length of the longest beginning of the needle with which the text ends; 0 when it is not longer than `known`. */
function beginningAt(text: string, needle: string, known: number): number {
  for (let length = needle.length - 1; length >= Math.max(MIN_HELD, known + 1); length--) {
    if (text.endsWith(needle.slice(0, length))) return length;
  }
  return 0;
}

const mask = (hidden: string): string => '*'.repeat(hidden.length);

/** Not done with one regular expression: on a long text with escapes, its stack would overflow. */
function maskMembers(text: string): string {
  let masked = '';
  let done = 0;
  for (const { 0: found, index } of text.matchAll(JSON_SECRET)) {
    const start = index + found.length;
    if (start < done) continue;
    const end = findQuote(text, start);
    masked += text.slice(done, start) + '*'.repeat(end - start);
    done = end;
  }
  return masked + text.slice(done);
}

/** The end of the JSON string that begins at `start`. */
function findQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') return at;
    if (unit === '\\') at++;
  }
  return text.length;
}

/**
 * The secret unchanged, in lower case (as in a header name), URL-encoded, JSON-escaped, and in base64 at each of the three
 * alignments.
 */
function spell(secret: string): string[] {
  return [secret, secret.toLowerCase(), ...inUrl(secret), ...inJson(secret), ...inBase64(secret)];
}

/**
 * As a URL component and as a form field (where a space is `+`); some encoders write the hexadecimal digits in lower case.
 */
function inUrl(secret: string): string[] {
  // Lone surrogates cannot be URL-encoded; URLSearchParams replaces them by U+FFFD.
  const asField = new URLSearchParams({ '': secret }).toString().slice(1);
  const asComponent = asField.includes('%EF%BF%BD') ? asField : encodeURIComponent(secret);
  return [asComponent, asField].flatMap((text) => [
    text,
    text.replaceAll(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase()),
  ]);
}

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * As JavaScript writes it; with escaped slashes (PHP), with escaped `<`, `>` and `&` (Go), and with all but ASCII escaped
 * (Python).
 */
function inJson(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  return [
    plain,
    plain.replaceAll('/', '\\/'),
    plain.replaceAll(/[<>&]/g, toEscape),
    plain.replaceAll(/[^\0-\x7f]/g, toEscape),
  ];
}

/**
 * Inside a longer base64 text (such as that of `user:secret`), the letters depend on the offset modulo 3. Those at the edges
 * also depend on the neighbouring bytes, so they are left out.
 */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const from = Math.ceil((offset * 8) / 6);
    const core = encoded.slice(from, Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Deeper values, which only a hostile reply has, are replaced, so that the recursion cannot overflow the stack. */
const MAX_DEPTH = 200;
const TOO_DEEP = '… nested too deeply';

/** Copies each object once, however often it is referenced; a reference to an object around it is replaced. */
function mapStrings<T>(
  value: T,
  map: (text: string) => string,
  depth = 0,
  copies = new Map<unknown, unknown>(),
): T {
  if (typeof value === 'string') return map(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value) as T;
  if (depth > MAX_DEPTH) return TOO_DEEP as T;
  // Replaces references to the object inside itself.
  copies.set(value, TOO_DEEP);
  const copyOf = (entry: unknown): unknown => mapStrings(entry, map, depth + 1, copies);
  const copy: unknown = Array.isArray(value) ? value.map(copyOf) : copyRecord(value, map, copyOf);
  copies.set(value, copy);
  return copy as T;
}

/** Not by lists of entries, which take several times as long: every record of a run goes through here. */
function copyRecord(
  record: object,
  map: (text: string) => string,
  copyOf: (entry: unknown) => unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    const value = copyOf((record as Record<string, unknown>)[key]);
    const name = map(key);
    // Assigned, it would be no key.
    if (name === '__proto__') Object.defineProperty(copy, name, { value, ...OPEN });
    else copy[name] = value;
  }
  return copy;
}

const OPEN = { enumerable: true, configurable: true, writable: true } as const;
