// Checks the base URL of a server, and builds the URLs below it.
import { InvalidOptionsError } from '../errors';

/**
 * @param host An http or https URL; may have trailing slashes and a query.
 * @throws InvalidOptionsError for anything else, and for a URL with a user or a password
 */
export function parseBaseUrl(host: unknown): URL {
  if (typeof host !== 'string' || host.trim() === '')
    throw new InvalidOptionsError('host', 'must be an address');
  if (!/^https?:\/\//i.test(host.trim())) {
    // Repeated in the message only if it looks like a host: a password or a key may have been entered here by mistake.
    const [bare] = /^[\w.-]+(:\d{1,5})?(\/[\w./-]*)?$/.exec(host.trim()) ?? [];
    const hint = bare !== undefined && /[.:]/.test(bare) ? `; did you mean http://${bare} here?` : '';
    throw new InvalidOptionsError('host', `must begin with http:// or https://${hint}`);
  }
  if (!URL.canParse(host.trim()))
    throw new InvalidOptionsError('host', 'is not a valid address: its host name or its port is invalid');
  const url = new URL(host.trim());
  if (url.username || url.password) {
    throw new InvalidOptionsError(
      'host',
      'must not contain a user name or a password; use headers or the API key',
    );
  }
  return url;
}

/**
 * The base URL with the version of the protocol: `/v1` is added unless the path ends in a version, because for some protocols
 * clients add it and servers document their address without it.
 * @throws InvalidOptionsError
 */
export function withVersion(host: unknown): string {
  const url = parseBaseUrl(host);
  const path = url.pathname.replace(/\/+$/, '');
  if (!/\/v\d+[a-z]*$/.test(path)) url.pathname = `${path}/v1`;
  return url.href;
}

/** Appends a path to the path of the base URL; the query stays behind it. */
export function joinUrl(base: URL, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.hash = '';
  return url.href;
}
