// The network settings of this window, read from VS Code, the environment and this machine's certificates.
import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import type { NetworkOptions } from '../../library';
import type { NetworkChoice } from './resolve-network';
import { chooseNetwork } from './resolve-network';

/** Reads the current settings, so that changes apply from the next request on. */
export const readNetwork = (origin: string): NetworkOptions => readNetworkChoice(origin).options;

/**
 * VS Code's own support for proxies and certificates does not apply to the library's HTTP client, so it is
 * repeated here.
 */
export function readNetworkChoice(origin: string): NetworkChoice {
  const http = vscode.workspace.getConfiguration('http');
  const settings = {
    proxy: http.get('proxy', ''),
    proxySupport: http.get('proxySupport', 'override'),
    noProxy: http.get<string[]>('noProxy', []),
    proxyStrictSSL: http.get('proxyStrictSSL', true),
    proxyAuthorization: http.get<string | null>('proxyAuthorization', null) ?? undefined,
  };
  const ca =
    http.get('systemCertificates', true) && origin.startsWith('https:') ? systemCertificates() : undefined;
  return chooseNetwork(origin, settings, process.env, ca);
}

let certificates: readonly string[] | undefined;

/** Certificates of Node and the operating system. Reading them takes some milliseconds, so they are cached. */
function systemCertificates(): readonly string[] | undefined {
  // Available since Node 22.15.
  if (typeof getCACertificates !== 'function') return undefined;
  certificates ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return certificates;
}
