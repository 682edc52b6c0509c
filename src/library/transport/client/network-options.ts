// The options for connections: a proxy and certificates. Given by the caller; nothing is read from the environment.
import { InvalidOptionsError } from '../../errors';
import { checkRecord, checkType } from '../../util/check-options';
import { HEADER_VALUE } from '../headers';
import { inBasic } from '../redact/redact';

/** How connections are made. Nothing is read from the environment. */
export interface NetworkOptions {
  /** URL of an http or https proxy, through which every request is tunnelled (CONNECT). @default none */
  proxy?: string | undefined;
  /** Value of the header `Proxy-Authorization`, such as `Basic …`. @default made from the user and password in `proxy` */
  proxyAuthorization?: string | undefined;
  /** Certificates in PEM that are trusted instead of Node's own list. */
  ca?: readonly string[] | undefined;
  /** Whether certificates have to be trusted. @default true */
  rejectUnauthorized?: boolean | undefined;
  /**
   * What every request is answered with instead of being sent, so that a recorded reply is read as if it arrived now.
   * @default none
   */
  answer?: RecordedAnswer | undefined;
}

/** A reply as it was recorded. */
export interface RecordedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** @throws InvalidOptionsError that does not repeat the URL of the proxy, which may contain a password */
export function checkNetwork(network: NetworkOptions | undefined): void {
  checkRecord('network', network);
  if (!network) return;
  checkType('network.rejectUnauthorized', network.rejectUnauthorized, 'boolean');
  checkRecord('network.answer', network.answer);
  const { ca, proxy, proxyAuthorization } = network;
  const authorization: unknown = proxyAuthorization ?? '';
  if (typeof authorization !== 'string' || !HEADER_VALUE.test(authorization))
    throw new InvalidOptionsError('network.proxyAuthorization', 'must be a text that a header can have');
  if (ca !== undefined && !(Array.isArray(ca) && ca.every((entry) => typeof entry === 'string'))) {
    throw new InvalidOptionsError('network.ca', 'must be a list of texts in PEM');
  }
  if (proxy === undefined) return;
  const address = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new InvalidOptionsError('network.proxy', 'must be an address that begins with http:// or https://');
  }
  if (`${address.pathname}${address.search}${address.hash}` !== '/')
    throw new InvalidOptionsError('network.proxy', 'must end with the port, without a path');
}

/** The secrets in the options: the password of the proxy, its authorization, and the password in that. */
export function secretsInNetwork(network: NetworkOptions | undefined): string[] {
  const { password = '' } = network?.proxy === undefined ? {} : new URL(network.proxy);
  const authorization = network?.proxyAuthorization ?? '';
  const token = authorization.replace(/^\S+\s+/, '');
  return [password, decode(password), token, ...inBasic(authorization)].filter((secret) => secret !== '');
}

/** The URL of the proxy without its user, and the authorization, which is made from the user unless one is given. */
export function splitProxy(
  proxy: string,
  given: string | undefined,
): { uri: string; authorization: string | undefined } {
  const address = new URL(proxy);
  const user = `${decode(address.username)}:${decode(address.password)}`;
  const authorization = given ?? (user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`);
  address.username = '';
  address.password = '';
  return { uri: address.href, authorization };
}

/** Decodes percent escapes. A URL may contain a percent sign that begins no escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
