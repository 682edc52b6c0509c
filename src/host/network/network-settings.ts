// The network settings of this window, read from VS Code, the environment and this machine's certificates. Bundled as a
// chunk that is loaded before the first request.
import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import type { NetworkOptions } from '../../library';
import type { NetworkChoice } from '../../connections';
import { chooseNetwork } from '../../connections';

/** Reads the current settings, so that changes apply from the next request on. */
export const readNetwork = (origin: string): NetworkOptions => readNetworkChoice(origin).options;

/**
 * VS Code's own support for proxies and certificates does not apply to the library's HTTP client, so it is
 * repeated here.
 */
export function readNetworkChoice(origin: string): NetworkChoice {
  const http = vscode.workspace.getConfiguration('http');
  const settings = {
    proxy: toText(http.get('proxy')),
    proxySupport: toText(http.get('proxySupport')),
    noProxy: toTexts(http.get('noProxy')),
    // Only `false` permits trusting every certificate.
    proxyStrictSSL: http.get('proxyStrictSSL') !== false,
    proxyAuthorization: toText(http.get('proxyAuthorization')) || undefined,
  };
  const hasSystem = http.get('systemCertificates') !== false;
  const ca = hasSystem && origin.startsWith('https:') ? systemCertificates() : undefined;
  return chooseNetwork(origin, settings, process.env, ca);
}

/** Settings are written by hand: VS Code passes on values of any type. */
const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** @param value A list, or one text with commas, as in `NO_PROXY`. */
function toTexts(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : toText(value).split(',');
  return list.map(toText);
}

let certificates: readonly string[] | undefined;

/** Certificates of Node and the operating system. Reading them takes some milliseconds, so they are cached. */
function systemCertificates(): readonly string[] | undefined {
  // Available since Node 22.15.
  if (typeof getCACertificates !== 'function') return undefined;
  certificates ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return certificates;
}
