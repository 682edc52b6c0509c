// The single steps below HTTP: name resolution, connection, tunnel, TLS handshake. Sends no provider request and
// no API key.
import { t } from '@vscode/l10n';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import type { PeerCertificate } from 'node:tls';
import { codeOf } from './words';

/** Time limit of each step, in milliseconds. */
export const PROBE_LIMIT_MS = 10_000;

export interface Address {
  host: string;
  port: number;
}

/** @returns the addresses in the order in which they are tried. @throws Error with a `code` such as `ENOTFOUND` */
export async function lookUp(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** @throws Error with a `code` such as `ECONNREFUSED`, or `ETIMEDOUT` after the limit */
export function openSocket({ host, port }: Address, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port });
  return settle(socket, signal, (done) => socket.once('connect', () => done(socket)));
}

export interface TunnelAnswer {
  status: number;
  /** Reason phrase of the proxy's response. */
  reason: string;
}

const MAX_HEAD_LENGTH = 64 * 1024;

/** Asks a proxy for a tunnel (CONNECT). After status 200 the socket leads to the target. */
export function openTunnel(
  socket: Socket,
  { target, authorization }: { target: string; authorization: string | undefined },
  signal: AbortSignal,
): Promise<TunnelAnswer> {
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`);
  return settle(socket, signal, (done, fail) => {
    let head = '';
    const read = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n') && head.length < MAX_HEAD_LENGTH) return;
      socket.off('data', read);
      const [, status, reason = ''] = /^HTTP\/1\.\d (\d{3}) ?([^\r\n]*)/.exec(head) ?? [];
      if (status === undefined) fail(new Error(t('the server at that address is not an HTTP proxy')));
      else done({ status: Number(status), reason });
    };
    socket.on('data', read);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

export interface Certificate {
  subject: string;
  issuer: string;
  validTo: Date;
}

export interface Handshake {
  socket: Socket;
  /** Such as `TLSv1.3`. */
  protocol: string;
  /** From the server's own certificate to the last known issuer. */
  chain: Certificate[];
  /** Why the certificate is not trusted, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
  problem: string | undefined;
}

/** Accepts servers that are not trusted in order to read their certificates; nothing is sent over the connection. */
export function startTls(
  socket: Socket,
  { servername, ca }: { servername: string; ca: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<Handshake> {
  const secure = tls.connect({
    socket,
    rejectUnauthorized: false,
    // Server names for SNI must not be IP addresses.
    ...(isAddress(servername) ? { host: servername } : { servername }),
    ...(ca && { ca: [...ca] }),
  });
  return settle(secure, signal, (done) =>
    secure.once('secureConnect', () =>
      done({
        socket: secure,
        protocol: secure.getProtocol() ?? 'TLS',
        chain: readChain(secure.getPeerCertificate(true)),
        problem: secure.authorized ? undefined : nameProblem(secure.authorizationError),
      }),
    ),
  );
}

export const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host);

/** At run time Node provides only the code as a string, contrary to its types. */
const nameProblem = (error: unknown): string => (typeof error === 'string' ? error : codeOf(error));

const MAX_CHAIN = 10;

function readChain(first: tls.DetailedPeerCertificate): Certificate[] {
  const chain: Certificate[] = [];
  // A root certificate names itself as its issuer.
  for (let at = first; chain.length < MAX_CHAIN; at = at.issuerCertificate) {
    chain.push({ subject: nameOf(at.subject), issuer: nameOf(at.issuer), validTo: new Date(at.valid_to) });
    if (!at.issuerCertificate || at.issuerCertificate.fingerprint256 === at.fingerprint256) break;
  }
  return chain;
}

function nameOf(holder: PeerCertificate['subject'] | undefined): string {
  const name = holder?.CN ?? holder?.O;
  return (Array.isArray(name) ? name.join(', ') : name) ?? t('without a name');
}

/** Waits for one step of a socket. If the step fails, times out or is aborted, the socket is destroyed. */
function settle<T>(
  socket: Socket,
  signal: AbortSignal,
  begin: (done: (value: T) => void, fail: (error: Error) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = (): void => fail(Object.assign(new Error(t('it took too long')), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(late, PROBE_LIMIT_MS);
    const closed = (): void =>
      fail(Object.assign(new Error(t('the connection was closed')), { code: 'ECONNRESET' }));
    const stop = (): void => fail(new Error('stopped'));
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.off('error', fail).off('close', closed);
      // Later errors are ignored; without a listener they would be thrown.
      socket.on('error', () => undefined);
    };
    const fail = (error: Error): void => {
      end();
      socket.destroy();
      reject(error);
    };
    socket.on('error', fail).on('close', closed);
    signal.addEventListener('abort', stop, { once: true });
    begin((value) => {
      end();
      resolve(value);
    }, fail);
    if (signal.aborted) stop();
  });
}
