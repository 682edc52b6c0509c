// How connections are made: a proxy, certificates. Given by the caller; nothing is read from the environment here.
import { InvalidOptionsError } from '../errors';
import { checkRecord, checkType } from '../util/check-options';

/** How connections are made. Nothing is read from the environment. */
export interface NetworkOptions {
  /** Address of an http or https proxy; every request is tunnelled through it (CONNECT). @default none */
  proxy?: string | undefined;
  /** The value of `Proxy-Authorization`, such as `Basic …`. */
  proxyAuthorization?: string | undefined;
  /** Certificates in PEM that are trusted instead of Node's own list. */
  ca?: readonly string[] | undefined;
  /** Whether a certificate must be trusted. @default true */
  rejectUnauthorized?: boolean | undefined;
}

/** @throws InvalidOptionsError that does not repeat the address: it may hold a password. */
export function checkNetwork(network: NetworkOptions | undefined): void {
  checkRecord('network', network);
  if (!network) return;
  checkType('network.rejectUnauthorized', network.rejectUnauthorized, 'boolean');
  const { ca, proxy } = network;
  if (ca !== undefined && !(Array.isArray(ca) && ca.every((entry) => typeof entry === 'string'))) {
    throw new InvalidOptionsError('network.ca', 'must be a list of texts in PEM');
  }
  if (proxy !== undefined && !(URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol))) {
    throw new InvalidOptionsError('network.proxy', 'must be an address that begins with http:// or https://');
  }
}

/** The passwords in it. */
export function secretsInNetwork(network: NetworkOptions | undefined): string[] {
  const { password = '' } = network?.proxy === undefined ? {} : new URL(network.proxy);
  const token = network?.proxyAuthorization?.replace(/^\S+\s+/, '');
  return [password, decode(password), token ?? ''].filter((secret) => secret !== '');
}

/** The address of the proxy without its user, and the authorization that is made of that where none is given. */
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

/** An address may hold a percent sign that is no escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
