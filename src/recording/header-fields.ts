// Which header fields of a request and of a response are passed on, and which of them contains a key. Pure.
import { PROVIDER_CATALOG } from '../library';
import type { KeyHeader } from '../library';

/** Fields that belong to one connection, not to the message (RFC 9110, 7.6.1), and those that the HTTP client sets itself. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** The name of the other server, and a promise that the server of the recording has kept already. */
const OF_REQUEST = new Set([...OF_CONNECTION, 'host', 'expect']);

/** A field may name others that belong to the connection as well. */
const namedIn = (connection: string): string[] =>
  connection.split(',').map((name) => name.trim().toLowerCase());

/** @returns names and values in turn, in their order and spelling */
export function toForward(rawHeaders: readonly string[], connection = ''): string[] {
  const named = namedIn(connection);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const lower = name.toLowerCase();
    if (!OF_REQUEST.has(lower) && !named.includes(lower)) kept.push(name, rawHeaders[at + 1] ?? '');
  }
  return kept;
}

export type Fields = Record<string, string | string[] | undefined>;

/** @param fields By name in lower case. */
export function toReturn(fields: Fields): Fields {
  const named = namedIn(String(fields['connection'] ?? ''));
  const kept: Fields = {};
  for (const [name, value] of Object.entries(fields))
    if (!OF_CONNECTION.has(name) && !named.includes(name)) kept[name] = value;
  return kept;
}

/** Without the fields of this name, which is in lower case. */
export const withoutField = (headers: readonly string[], name: string): string[] =>
  headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== name);

/** Shorter values are no keys: programs that need none still want something to send, such as `unused`. */
const MIN_KEY_LENGTH = 8;

const KEY_HEADERS: readonly KeyHeader[] = PROVIDER_CATALOG.flatMap(({ auth }) => auth);

/** The fields in which a program sends a key, or something in the place of one. */
function findKeyFields(headers: readonly string[]): { at: number; way: KeyHeader; key: string }[] {
  const found: { at: number; way: KeyHeader; key: string }[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase();
    const way = KEY_HEADERS.find(({ header }) => header === name);
    if (!way) continue;
    const value = headers[at + 1] ?? '';
    const isPrefixed = value.slice(0, way.prefix.length).toLowerCase() === way.prefix.toLowerCase();
    found.push({ at, way, key: isPrefixed ? value.slice(way.prefix.length).trim() : value });
  }
  return found;
}

/** Whether the program sends a key of its own, which then counts. */
export const hasKey = (headers: readonly string[]): boolean =>
  findKeyFields(headers).some(({ key }) => key.length >= MIN_KEY_LENGTH);

/**
 * Adds a key in the way in which the program sends something in its place. Clients that know two ways may send both: then the
 * usual one is taken, and the other left out, since servers refuse what contradicts itself.
 * @param usual For a program that sends nothing there.
 */
export function withKey(headers: readonly string[], key: string, usual: KeyHeader): string[] {
  const found = findKeyFields(headers);
  const chosen = found.find(({ way }) => way.header === usual.header) ?? found[0];
  const { header, prefix } = chosen?.way ?? usual;
  const value = `${prefix}${key}`;
  if (!chosen) return [...headers, header, value];
  const others = new Set(found.filter((field) => field !== chosen).map(({ at }) => at));
  return headers.with(chosen.at + 1, value).filter((_, index) => !others.has(index - (index % 2)));
}
