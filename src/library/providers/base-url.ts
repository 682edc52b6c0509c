// The address of a server, checked once, and the addresses below it.
import { InvalidOptionsError } from '../errors';

/**
 * @param host http or https, any number of trailing slashes, a query allowed.
 * @throws InvalidOptionsError
 */
export function parseBaseUrl(host: unknown): URL {
  if (typeof host !== 'string' || host.trim() === '')
    throw new InvalidOptionsError('host', 'must be an address');
  const url = URL.canParse(host.trim()) ? new URL(host.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(host.trim())) {
    // only what looks like a host is repeated: a password or a key may have been put here
    const [bare] = /^[\w.-]+(:\d{1,5})?(\/[\w./-]*)?$/.exec(host.trim()) ?? [];
    const hint = bare !== undefined && /[.:]/.test(bare) ? `; did you mean http://${bare} here?` : '';
    throw new InvalidOptionsError('host', `must have http:// or https:// in front${hint}`);
  }
  if (url.username || url.password) {
    throw new InvalidOptionsError('host', 'must not hold a user or a password; use headers or the API key');
  }
  return url;
}

/** A query stays behind the path. */
export function joinUrl(base: URL, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.hash = '';
  return url.href;
}
