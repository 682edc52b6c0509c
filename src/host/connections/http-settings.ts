// The network settings of VS Code.
import * as vscode from 'vscode';
import type { HttpSettings } from '../../connections';

export function readHttpSettings(): HttpSettings & { systemCertificates: boolean } {
  const http = vscode.workspace.getConfiguration('http');
  return {
    proxy: toText(http.get('proxy')),
    proxySupport: toText(http.get('proxySupport')),
    noProxy: toTexts(http.get('noProxy')),
    // Only `false` permits trusting every certificate.
    proxyStrictSSL: http.get('proxyStrictSSL') !== false,
    proxyAuthorization: toText(http.get('proxyAuthorization')) || undefined,
    systemCertificates: http.get('systemCertificates') !== false,
  };
}

/** Settings are written by hand: VS Code passes on values of any type. */
const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** @param value A list, or one text with commas, as in `NO_PROXY`. */
function toTexts(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : toText(value).split(',');
  return list.map(toText);
}
