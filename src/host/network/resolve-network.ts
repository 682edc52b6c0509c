// What the editor's settings and the environment mean for the connections to one origin. Pure: both are handed in.
import type { NetworkOptions } from '../../library';
import { isLoopback } from '../connections/connection';

/** The part of `http.*` that matters here. */
export interface HttpSettings {
  proxy: string;
  proxySupport: string;
  noProxy: readonly string[];
  proxyStrictSSL: boolean;
  proxyAuthorization: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy of the setting, else of the environment, unless the target is this machine or is on a list of exceptions.
 * A proxy that only a PAC file or the operating system knows is not found.
 * @param ca Certificates to trust; undefined for Node's own list.
 */
export function resolveNetwork(
  origin: string,
  settings: HttpSettings,
  environment: Environment,
  ca: readonly string[] | undefined,
): NetworkOptions {
  const proxy = findProxy(new URL(origin), settings, environment);
  return {
    ...(proxy !== undefined && { proxy }),
    ...(proxy !== undefined &&
      settings.proxyAuthorization && { proxyAuthorization: settings.proxyAuthorization }),
    ...(ca && { ca }),
    ...(!settings.proxyStrictSSL && { rejectUnauthorized: false }),
  };
}

function findProxy(target: URL, settings: HttpSettings, environment: Environment): string | undefined {
  if (settings.proxySupport === 'off' || isLoopback(target.origin)) return undefined;
  const read = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name];
  const exceptions = [...settings.noProxy, ...(read('NO_PROXY') ?? '').split(',')];
  if (exceptions.some((exception) => matches(exception.trim().toLowerCase(), target))) return undefined;
  const ofEnvironment = target.protocol === 'https:' ? read('HTTPS_PROXY') : undefined;
  const address = settings.proxy || ofEnvironment || read('HTTP_PROXY');
  return address === undefined || address === '' ? undefined : withScheme(address);
}

/** `*`, a host, a domain with or without its leading dot, each with or without a port. */
function matches(exception: string, { hostname, port, protocol }: URL): boolean {
  if (exception === '') return false;
  if (exception === '*') return true;
  const [, host = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(exception.replace(/^\*?\./, '')) ?? [];
  const actualPort = port || (protocol === 'https:' ? '443' : '80');
  if (wantedPort !== undefined && wantedPort !== actualPort) return false;
  return hostname === host || hostname.endsWith(`.${host}`);
}

const withScheme = (address: string): string =>
  /^[a-z]+:\/\//i.test(address) ? address : `http://${address}`;
