// The origin of a connection's address, for keys and network settings, and secrets in it. Independent of vscode.
import { SECRET_NAME } from '../protocol';

/** Scheme, host and port, which a key is bound to. Undefined when the host is not an http or https address. */
export function originOf(host: string | undefined): string | undefined {
  const url = host !== undefined && URL.canParse(host) ? new URL(host) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Where an address contains a secret: before the host, or as a parameter. */
export function secretIn(host: string): 'user' | 'query' | undefined {
  if (!URL.canParse(host)) return undefined;
  const { username, password, searchParams } = new URL(host);
  if (username !== '' || password !== '') return 'user';
  return [...searchParams].some(([name, value]) => value !== '' && SECRET_NAME.test(name))
    ? 'query'
    : undefined;
}

/** Whether requests stay on this machine, so that plain http is safe. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
