// Derives the network options for an origin from settings, the environment, and this machine's certificates.
import { BlockList, isIP } from 'node:net';
import * as tls from 'node:tls';
import { t } from '@vscode/l10n';
import type { NetworkOptions } from '../../library';
import { isLoopback } from '../origin';

/** The relevant settings of `http.*`. */
export interface HttpSettings {
  proxy: string;
  proxySupport: string;
  noProxy: readonly string[];
  proxyStrictSSL: boolean;
  proxyAuthorization: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface NetworkSettings {
  /** Read anew for each request, so that changes apply from the next one on. */
  http: () => HttpSettings & {
    /** Whether the certificates of the operating system are trusted. */
    systemCertificates: boolean;
  };
  environment: Environment;
}

export interface NetworkChoice {
  options: NetworkOptions;
  /** Where the proxy is configured, or why there is none; follows a colon. */
  why: string;
}

/**
 * The choice for an origin according to the current settings. The editor's own support for proxies and certificates does not
 * apply to the library's HTTP client, so it is repeated here.
 */
export function readNetwork(origin: string, { http, environment }: NetworkSettings): NetworkChoice {
  const { systemCertificates, ...settings } = http();
  const ca = systemCertificates && origin.startsWith('https:') ? readCertificates() : undefined;
  return chooseNetwork(origin, settings, environment, ca);
}

let certificates: readonly string[] | undefined;

/** Certificates of Node and the operating system. Reading them takes some milliseconds, so they are cached. */
function readCertificates(): readonly string[] | undefined {
  // Available since Node 22.15. An import by name would keep a module from loading on older versions.
  if (typeof tls.getCACertificates !== 'function') return undefined;
  certificates ??= [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
  return certificates;
}

/**
 * Uses the proxy of the setting, otherwise of the environment, unless the target is this machine or matches an
 * exception. A proxy that is known only to a PAC file or the operating system is not found.
 * @param ca Certificates to trust; undefined for Node's own list.
 */
export function chooseNetwork(
  origin: string,
  settings: HttpSettings,
  environment: Environment,
  ca: readonly string[] | undefined,
): NetworkChoice {
  const { proxy, why } = findProxy(new URL(origin), settings, environment);
  const options = {
    ...(proxy !== undefined && { proxy }),
    ...(proxy !== undefined &&
      settings.proxyAuthorization && { proxyAuthorization: settings.proxyAuthorization }),
    ...(ca && { ca }),
    ...(!settings.proxyStrictSSL && { rejectUnauthorized: false }),
  };
  return { options, why };
}

function findProxy(
  target: URL,
  settings: HttpSettings,
  environment: Environment,
): { proxy?: string; why: string } {
  if (isLoopback(target.origin)) return { why: t('the server runs on the machine that sends the requests') };
  if (settings.proxySupport === 'off') return { why: t('the setting http.proxySupport is off') };
  const [address, from] = namedProxy(target, settings, environment);
  if (address === '') return { why: t('neither a setting nor an environment variable names a proxy') };
  const read = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name];
  const isExcepted = (entries: readonly string[]): boolean =>
    entries.some((entry) => matches(entry.trim().toLowerCase(), target));
  if (isExcepted(settings.noProxy)) return { why: t('the setting http.noProxy excludes this host') };
  if (isExcepted((read('NO_PROXY') ?? '').split(/[,\s]+/))) return { why: t('NO_PROXY excludes this host') };
  return { proxy: withScheme(address), why: t('from {0}', from) };
}

/** @returns '' as the address when there is none. */
function namedProxy(
  { protocol }: URL,
  { proxy }: HttpSettings,
  environment: Environment,
): [address: string, from: string] {
  if (proxy !== '') return [proxy, t('the setting http.proxy')];
  const names = protocol === 'https:' ? ['HTTPS_PROXY', 'HTTP_PROXY'] : ['HTTP_PROXY'];
  const found = names.flatMap((name) => {
    const address = environment[name.toLowerCase()] ?? environment[name];
    return address ? [{ name, address }] : [];
  });
  const [first] = found;
  return first ? [first.address, t('the environment variable {0}', first.name)] : ['', ''];
}

/**
 * Matches `*`, a host, a domain with or without its leading dot, an address, or a range of addresses such as `10.0.0.0/8`;
 * each but a range with or without a port.
 */
function matches(exception: string, { hostname, port, protocol }: URL): boolean {
  if (exception === '') return false;
  if (exception === '*') return true;
  const { host, port: wantedPort } = splitPort(exception.replace(/^\*?\./, ''));
  const actualPort = port || (protocol === 'https:' ? '443' : '80');
  if (wantedPort !== undefined && wantedPort !== actualPort) return false;
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return isInRange(address, host);
  return hostname === host || hostname.endsWith(`.${host}`);
}

/** An IPv6 address may stand in brackets, and has no port without them. */
function splitPort(exception: string): { host: string; port: string | undefined } {
  const isBareIpv6 = /^[^[]*:.*:/.test(exception);
  const [, bracketed, named, port] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(exception) ?? [];
  return isBareIpv6 ? { host: exception, port: undefined } : { host: bracketed ?? named ?? '', port };
}

/** @param range An address, or a network with the length of its prefix. */
function isInRange(address: string, range: string): boolean {
  const [, base = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const version = isIP(base);
  const bits = version === 4 ? 32 : 128;
  const length = Number(prefix ?? bits);
  if (version === 0 || version !== isIP(address) || length > bits) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(base, length, family);
  return list.check(address, family);
}

const withScheme = (address: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
