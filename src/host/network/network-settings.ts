// The network of this window, as its settings, its environment and this machine's certificates say.
import * as tls from 'node:tls';
import * as vscode from 'vscode';
import type { NetworkOptions } from '../../library';
import type { NetworkChoice } from './resolve-network';
import { chooseNetwork } from './resolve-network';

/** As it is now: whatever changes counts from the next request on. */
export const readNetwork = (origin: string): NetworkOptions => readNetworkChoice(origin).options;

/** VS Code's own proxy and certificate support does not reach the client of the library, so it is read anew here. */
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

/** Node's own list and that of the operating system; reading it costs some milliseconds, so it is kept. */
function systemCertificates(): readonly string[] | undefined {
  // since Node 22.15
  if (typeof tls.getCACertificates !== 'function') return undefined;
  certificates ??= [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
  return certificates;
}
