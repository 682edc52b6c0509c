// Why a connection failed and what to do next, by the code or the message of the network error.
import type { ErrorExplanation } from '../../errors';
import { CONNECT_TIMEOUT_MS } from '../client/http-client';
import { isCertificateCode, TLS_TIMEOUT_CODE } from './error-code';

type NetworkAdvice = Pick<ErrorExplanation, 'why' | 'next'>;

/** Names the library's option for a certificate, and the alternative to it. */
function trust(what: string): string {
  return `Add ${what} to network.ca, or to the certificates of this machine (NODE_EXTRA_CA_CERTS).`;
}

const NETWORK_ADVICE: Record<string, NetworkAdvice> = {
  ECONNREFUSED: {
    why: 'Nothing listens at that address.',
    next: 'Start the server, or correct the address of the connection.',
  },
  ENOTFOUND: {
    why: 'The name of the server cannot be found.',
    next: 'Correct the name, or check the network.',
  },
  EAI_AGAIN: { why: 'Host names cannot be resolved now.', next: 'Check the network.' },
  EHOSTUNREACH: {
    why: 'The machine of that address cannot be reached.',
    next: 'Check that it is on, and that the network has a way to it.',
  },
  ENETUNREACH: { why: 'There is no way to the network of that address.', next: 'Check the network.' },
  ECONNRESET: { why: 'The connection was reset.', next: 'Check the log of the server.' },
  EPIPE: {
    why: 'The server closed the connection while the request was being sent.',
    next: 'Check the log of the server.',
  },
  UND_ERR_SOCKET: {
    why: 'The server closed the connection before its answer was complete.',
    next: 'Check the log of the server.',
  },
  // undici uses this code for everything that is wrong in a response with a Content-Length.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    why: 'The answer is not as long as its headers say, or they break the rules of HTTP.',
    next: 'Check the log of the server, or of a proxy in front of it.',
  },
  // undici's messages for two responses that it refuses; the code of both is UND_ERR_SOCKET.
  'bad response': {
    why: 'The server answers 100 Continue, which was not requested.',
    next: 'Check the log of the server, or of a proxy in front of it.',
  },
  'bad upgrade': {
    why: 'The server switches to another protocol, which was not requested.',
    next: 'Check that the address is the one of a server that speaks HTTP/1.1.',
  },
  UND_ERR_CONNECT_TIMEOUT: {
    why: `No connection was opened within ${CONNECT_TIMEOUT_MS / 1000} s.`,
    next: 'Check that the address is reachable from here: a firewall, a VPN or a proxy may be in the way.',
  },
  ETIMEDOUT: {
    why: 'No connection was opened in time.',
    next: 'Check that the address is reachable from here.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    why: 'The server does not speak TLS.',
    next: 'Use http:// instead of https://.',
  },
  [TLS_TIMEOUT_CODE]: {
    why: `The connection was opened, but the TLS handshake was not answered within ${CONNECT_TIMEOUT_MS / 1000} s.`,
    next: 'Use http:// if the server does not speak TLS; if it does, check its log.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    why: 'The certificate is signed by an authority that is not known here.',
    next: trust('that authority'),
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: { why: 'The certificate is self-signed.', next: trust('it') },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: 'The certificate is for another name.',
    next: 'Use a name that the certificate has as the address of the connection.',
  },
  CERT_HAS_EXPIRED: {
    why: 'The certificate has expired.',
    next: 'Renew it on the server, or check the clock of this machine.',
  },
};

/** For all other certificates that are not trusted. */
const UNTRUSTED = { why: 'The certificate cannot be checked.', next: trust('its authority') };

/** @returns undefined when nothing is known of it */
export function adviseOnNetwork(message: string, code: string | undefined): NetworkAdvice | undefined {
  const untrusted = isCertificateCode(code) ? UNTRUSTED : undefined;
  return NETWORK_ADVICE[message] ?? NETWORK_ADVICE[code ?? ''] ?? untrusted;
}
