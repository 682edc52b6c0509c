// Takes the keys out of a found request. What it returns beside the key itself, in `key` and `values`, has none. Pure.
import { t } from '@vscode/l10n';
import type { CatalogEntry } from '../../library';
import { isRecord, isSecretName } from '../../library';
import { isSecretMember, maskSecrets } from '../../protocol';
import type { NeutralRequest } from '../../types';
import type { FoundRequest } from './found-request';

/** The key of a server, which is offered to the secret storage and shown nowhere. */
export interface FoundKey {
  value: string;
  /** Scheme, host and port that it was sent to. */
  origin: string;
  /** Id of the way in which the protocol sends it. */
  auth: string;
}

export interface TakenSecrets {
  key?: FoundKey | undefined;
  /** Whether the request has a key, or a place for one. */
  sendsKey: boolean;
  /** All secrets, by which they are found elsewhere. */
  values: string[];
  url?: string | undefined;
  /** What a connection may send. */
  headers: Record<string, string>;
  /** Each a phrase for people. */
  leftOut: string[];
}

/** Headers that every client sets by itself, and what a browser or a library says about itself. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|content-type|accept|accept-encoding|accept-language|transfer-encoding|user-agent|anthropic-version|priority|origin|referer|te|dnt|cache-control|pragma|sec-.*|x-stainless-.*|:.*)$/i;

export function takeSecrets(found: FoundRequest, entry: CatalogEntry): TakenSecrets {
  const taken: TakenSecrets = { sendsKey: false, values: [], headers: {}, leftOut: [] };
  const url = takeFromUrl(found.url, taken);
  taken.url = url;
  const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
  for (const [name, value] of found.headers) {
    const way = entry.auth.find(({ header, prefix }) => isWay({ header, prefix }, name, value));
    if (!isSecretName(name) && !way) takeHeader(name, value, taken);
    else if (way) takeKey(value.slice(way.prefix.length).trim(), way.id, origin, taken);
    else takeSecret(t('the header {0}, a secret', toName(name)), value, taken);
  }
  return taken;
}

const isWay = (
  { header, prefix }: { header: string; prefix: string },
  name: string,
  value: string,
): boolean =>
  name.toLowerCase() === header.toLowerCase() && value.toLowerCase().startsWith(prefix.toLowerCase());

function takeHeader(name: string, value: string, { headers, leftOut }: TakenSecrets): void {
  if (OWN_HEADERS.test(name)) return;
  // A name like this would set the prototype.
  if (name !== '__proto__') headers[name.toLowerCase()] = maskSecrets(value);
  leftOut.push(t('the header {0}, which only a connection can send', toName(name)));
}

function takeKey(value: string, auth: string, origin: string | undefined, taken: TakenSecrets): void {
  const { values, leftOut } = taken;
  if (value === '') return;
  taken.sendsKey = true;
  if (isStandIn(value)) return void leftOut.push(t('the key, which the source has only a placeholder for'));
  values.push(value);
  leftOut.push(t('the key'));
  if (origin !== undefined && !taken.key) taken.key = { value, origin, auth };
}

function takeSecret(what: string, value: string, { values, leftOut }: TakenSecrets): void {
  leftOut.push(what);
  // A cookie or an authorization has several parts, each of which may stand elsewhere.
  values.push(...value.split(/[;\s]+/).map((part) => part.slice(part.indexOf('=') + 1)), value);
}

/** A variable, a mask, or words in brackets in place of a key. */
const isStandIn = (value: string): boolean =>
  /^(?:\$\{?[\w:]+\}?|%\w+%|<[^>]*>|\{\{?[^}]*\}?\}|.{0,12}(?:\*{3,}|x{6,}|X{6,}|\.{3,}|…).{0,12}|(?:your|my)[-_ ]?\w*[-_ ]?key.*|none|not-needed|dummy|EMPTY)$/i.test(
    value,
  );

/** Removes a user, a password and parameters with secrets. */
function takeFromUrl(given: string | undefined, taken: TakenSecrets): string | undefined {
  if (given === undefined || !URL.canParse(given)) return given;
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') {
    taken.values.push(decode(url.username), decode(url.password));
    taken.leftOut.push(t('the user and the password in the address'));
    url.username = '';
    url.password = '';
  }
  const parameters = Array.from(url.searchParams);
  for (const [name, value] of parameters) {
    if (!isSecretName(name)) continue;
    takeSecret(t('the parameter {0} of the address, a secret', toName(name)), value, taken);
    url.searchParams.delete(name);
  }
  return url.href;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A name from outside, bounded. */
const toName = (name: string): string => maskSecrets(name.slice(0, 80));

export interface MaskedRequest {
  asked: NeutralRequest;
  /** Places of the members that are removed from `raw`. */
  removed: string[];
  /** Whether a text has something of the shape of a well-known key, which is masked. */
  isMasked: boolean;
}

/** A document must have nothing that looks like a secret: a run of it would be refused. */
export function maskAsked(asked: NeutralRequest): MaskedRequest {
  const removed: string[] = [];
  const raw = withoutSecrets(asked.raw, 'raw', removed);
  let isMasked = false;
  const masked = maskTexts({ ...asked, raw }, () => {
    isMasked = true;
  });
  return { asked: masked, removed, isMasked };
}

/** Masks what has the shape of a well-known key, in texts and names at any depth. @param onMask Called for each such text */
export function maskTexts<Value>(value: Value, onMask: () => void = () => undefined): Value {
  const mask = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const masked = maskSecrets(part);
      if (masked !== part) onMask();
      return masked;
    }
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(mask);
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [mask(key), mask(one)]));
  };
  return mask(value) as Value;
}

function withoutSecrets(
  value: Record<string, unknown>,
  path: string,
  removed: string[],
): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    const at = `${path}.${toName(key)}`;
    if (isSecretMember(key, one)) {
      removed.push(at);
      return [];
    }
    if (Array.isArray(one)) {
      const list = one.map((inner: unknown, index) =>
        isRecord(inner) ? withoutSecrets(inner, `${at}[${index}]`, removed) : inner,
      );
      return [[key, list]];
    }
    return [[key, isRecord(one) ? withoutSecrets(one, at, removed) : one]];
  });
  return Object.fromEntries(entries);
}
