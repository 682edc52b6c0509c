// What it means when a step on the way to a server fails, and what to do about it.
import { t } from '@vscode/l10n';
import type { KnownServer } from '../../library';
import type { Face } from '../face';
import { asSentence } from '../face';
import { PROBE_LIMIT_MS } from './network-probes';
import { quote } from './words';

/** Names the server that answered there before, or the one that usually listens there, if either is known. */
export function adviseStart(
  { port }: URL,
  servers: readonly KnownServer[],
  before: KnownServer | undefined,
): string {
  if (before && before.product !== 'ollama')
    return t('Start {0}, which answered there before, or correct `host`.', before.label);
  const near = servers.filter(({ kind }) => kind === 'local');
  const usual = near.find(({ host }) => new URL(host).port === port);
  const { product, label } = before ?? usual ?? (near.length === 1 ? near[0] : undefined) ?? {};
  if (product === 'ollama') return t('Start the server, for example with `ollama serve`, or correct `host`.');
  return label === undefined
    ? t('Start the server, or correct `host`.')
    : t('Start the server, or correct `host`: {0} usually listens on this port.', label);
}

export function explainRefusal(code: string | undefined): string {
  const words: Record<string, string> = {
    ECONNREFUSED: t('refuses the connection: nothing listens there'),
    ETIMEDOUT: t('does not respond within {0} s', PROBE_LIMIT_MS / 1000),
    EHOSTUNREACH: t('has no route to it'),
    ENETUNREACH: t('has no route to it'),
    EADDRNOTAVAIL: t('cannot be used on this machine'),
  };
  return `${words[code ?? ''] ?? 'fails'} (${code})`;
}

export function adviseTunnel(
  status: number,
  authorization: string | undefined,
  { noProxy, giveProxyUser }: Face,
): string {
  if (status !== 407) return t('Ask the administrator of the proxy, or add this host to {0}.', noProxy);
  return authorization === undefined
    ? t('The proxy requires a user name and password: {0}.', giveProxyUser)
    : t('The proxy refuses the user name or password: correct them where they were given.');
}

export function explainTrust(code: string): string {
  const words: Record<string, string> = {
    DEPTH_ZERO_SELF_SIGNED_CERT: t('the certificate is self-signed'),
    SELF_SIGNED_CERT_IN_CHAIN: t('its certificate authority is not known on this machine'),
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: t('its certificate authority is not known on this machine'),
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: t('its certificate authority is not known on this machine'),
    ERR_TLS_CERT_ALTNAME_INVALID: t('the certificate is for another name'),
    CERT_HAS_EXPIRED: t('the certificate has expired'),
  };
  return `${words[code] ?? t('the certificate cannot be checked')} (${quote(code)})`;
}

export function adviseTrust(code: string, setting: string, { trustCertificate }: Face): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return t('Use a name in {0} that is in the certificate.', setting);
  if (code === 'CERT_HAS_EXPIRED') return t('Renew it where it is used, or check the clock of this machine.');
  return asSentence(trustCertificate);
}
