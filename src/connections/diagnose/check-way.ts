// Checks the way to the server step by step: this machine, the proxy, name resolution, the addresses, the tunnel,
// TLS.
import { t } from '@vscode/l10n';
import { countOf } from '../../inspect';
import type { Socket } from 'node:net';
import type { KnownServer, NetworkOptions } from '../../library';
import { isLoopback } from '../origin';
import type { Diagnosis, DiagnosisLine } from './diagnosis';
import { measure } from './diagnosis';
import type { Address, Certificate, Handshake } from './network-probes';
import { isAddress, lookUp, openSocket, openTunnel, PROBE_LIMIT_MS, startTls } from './network-probes';
import { findElsewhere } from './other-addresses';
import { describePlace, explainLocalhost } from './place';
import { codeOf, quote } from './words';

type Line = Omit<DiagnosisLine, 'section'>;

/**
 * @param servers Those that speak the protocol of the connection.
 * @returns whether a request can reach the server.
 */
export async function checkWay(
  diagnosis: Diagnosis,
  host: string,
  servers: readonly KnownServer[],
): Promise<boolean> {
  const way = new Way(diagnosis, new URL(host), servers);
  return way.check();
}

/** @param isLocal Whether the server's address refers to the machine that requests leave from. */
export function addPlaceLine({ place, addLine }: Diagnosis, isLocal: boolean): void {
  const note = isLocal ? explainLocalhost(place) : undefined;
  const text = [`${capitalize(describePlace(place))}.`, note].filter(Boolean).join(' ');
  addLine({ section: 'Way to the server', level: 'ok', name: t('Requests leave from'), text });
}

/** Names the server that answered there before, or the one that usually listens there, if either is known. */
function adviseStart(
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

class Way {
  readonly #diagnosis: Diagnosis;
  readonly #target: URL;
  readonly #servers: readonly KnownServer[];
  readonly #network: NetworkOptions;
  readonly #whyProxy: string;

  constructor(diagnosis: Diagnosis, target: URL, servers: readonly KnownServer[]) {
    this.#diagnosis = diagnosis;
    this.#target = target;
    this.#servers = servers;
    const { options, why } = diagnosis.connections.chooseNetwork(target.origin);
    this.#network = options;
    this.#whyProxy = why;
  }

  async check(): Promise<boolean> {
    this.#addPlaceLine();
    const { proxy: address } = this.#network;
    if (address !== undefined && !/^https?:\/\/./.test(address)) return this.#refuseProxy(address);
    const proxy = address === undefined ? undefined : new URL(address);
    this.#addProxyLine(proxy);
    const first = proxy ?? this.#target;
    const addresses = await this.#resolve(first, proxy !== undefined);
    const socket = addresses && (await this.#connect(first, addresses, proxy !== undefined));
    if (!socket) return false;
    try {
      const tunnel = proxy ? await this.#tunnel(socket, proxy) : socket;
      if (!tunnel) return false;
      return this.#target.protocol === 'http:' || (await this.#secure(tunnel, this.#target)) !== undefined;
    } finally {
      socket.destroy();
    }
  }

  #addLine(line: Line): void {
    this.#diagnosis.addLine({ section: 'Way to the server', ...line });
  }

  #addPlaceLine(): void {
    addPlaceLine(this.#diagnosis, isLoopback(this.#target.origin));
    if (/^(0\.0\.0\.0|\[::\])$/.test(this.#target.hostname)) {
      const text = t(
        '{0} is an address to listen on, and not every machine connects to it.',
        quote(this.#target.hostname),
      );
      this.#addLine({
        level: 'warning',
        name: t('Address'),
        text,
        next: t('Write `127.0.0.1` in `host` instead.'),
      });
    }
  }

  #addProxyLine(proxy: URL | undefined): void {
    const text = proxy ? `${quote(proxy.host)}, ${this.#whyProxy}.` : t('None: {0}.', this.#whyProxy);
    this.#addLine({ level: 'ok', name: t('Proxy'), text });
  }

  #refuseProxy(address: string): false {
    const scheme = quote(address.replace(/:.*/s, ''));
    this.#addLine({
      level: 'failed',
      name: t('Proxy'),
      text: t('It begins with {0}, {1}: only HTTP proxies are supported.', scheme, this.#whyProxy),
      next: t('Name a proxy that begins with `http://` or `https://`, or add this host to `http.noProxy`.'),
    });
    return false;
  }

  async #resolve({ hostname }: URL, isProxy: boolean): Promise<string[] | undefined> {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    const name = isProxy ? t('Name of the proxy') : t('Name');
    if (isAddress(bare)) {
      this.#addLine({
        level: 'ok',
        name,
        text: t('{0} is an IP address: nothing is looked up.', quote(bare)),
      });
      return [bare];
    }
    this.#diagnosis.doing(t('Looking up {0}', bare));
    try {
      const { value, tookMs } = await measure(this.#diagnosis, () => lookUp(bare));
      const found = t('{0} is {1}.', quote(bare), value.map((address) => quote(address)).join(', '));
      const text = isProxy ? `${found} ${t('The proxy looks up the name of the server.')}` : found;
      this.#addLine({ level: 'ok', name, text, tookMs });
      return value;
    } catch (error) {
      this.#diagnosis.signal.throwIfAborted();
      const text = t('{0} is not found ({1}).', quote(bare), codeOf(error));
      const elsewhere = isProxy || !isLocalNetworkName(bare) ? undefined : await this.#findElsewhere([]);
      const next =
        elsewhere ??
        (isProxy
          ? t('Correct the name in `http.proxy`, or check the network, its DNS and a VPN.')
          : t('Correct the name in `host`, or check the network, its DNS and a VPN.'));
      this.#addLine({ level: 'failed', name, text, next });
      return undefined;
    }
  }

  /** Tries every address; the first that answers is used. */
  async #connect(target: URL, addresses: readonly string[], isProxy: boolean): Promise<Socket | undefined> {
    const port = portOf(target);
    const name = isProxy ? t('Connection to the proxy') : t('Connection');
    this.#diagnosis.doing(t('Connecting to {0}', target.host));
    const outcomes = await Promise.all(addresses.map((host) => this.#attempt({ host, port })));
    const [open, ...more] = outcomes.flatMap(({ socket }) => socket ?? []);
    for (const socket of more) socket.destroy();
    const next = open ? undefined : await this.#suggestAlternative(target, addresses, isProxy);
    const [last] = outcomes.slice(-1);
    for (const outcome of outcomes) {
      const { socket, where, error, tookMs } = outcome;
      const level = socket ? 'ok' : open ? 'warning' : 'failed';
      const text = socket ? t('{0} answers.', where) : `${where} ${explainRefusal(error)}.`;
      const skipped = level === 'warning' ? t('Nothing: the other address is used.') : next;
      this.#addLine({
        level,
        name,
        text,
        tookMs,
        ...(outcome === last || level === 'warning' ? { next: skipped } : {}),
      });
    }
    return open;
  }

  async #attempt({ host, port }: Address): Promise<{
    where: string;
    tookMs: number;
    socket?: Socket | undefined;
    error?: string;
  }> {
    const { clock, signal } = this.#diagnosis;
    const where = quote(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
    const start = clock.elapsed();
    try {
      const socket = await openSocket({ host, port }, signal);
      return { where, socket, tookMs: clock.elapsed() - start };
    } catch (error) {
      signal.throwIfAborted();
      return { where, error: codeOf(error), tookMs: clock.elapsed() - start };
    }
  }

  async #suggestAlternative(target: URL, addresses: readonly string[], isProxy: boolean): Promise<string> {
    if (isProxy) return t('Start the proxy, correct `http.proxy`, or add this host to `http.noProxy`.');
    const elsewhere = addresses.every(isNear) ? await this.#findElsewhere(addresses) : undefined;
    if (elsewhere !== undefined) return elsewhere;
    const { connection, connections } = this.#diagnosis;
    const isLocal = isLoopback(target.origin);
    const note = isLocal ? explainLocalhost(this.#diagnosis.place) : undefined;
    const start = isLocal
      ? adviseStart(target, this.#servers, connections.answeredBefore(connection))
      : t(
          'Check that the server runs and listens on this address (Ollama: `OLLAMA_HOST=0.0.0.0`), and that no firewall blocks it.',
        );
    return [start, note].filter(Boolean).join(' ');
  }

  async #findElsewhere(attempted: readonly string[]): Promise<string | undefined> {
    this.#diagnosis.doing(t('Checking whether it listens elsewhere'));
    return findElsewhere(this.#diagnosis, this.#target, attempted);
  }

  async #tunnel(socket: Socket, proxy: URL): Promise<Socket | undefined> {
    const { signal } = this.#diagnosis;
    const outer = proxy.protocol === 'https:' ? (await this.#secure(socket, proxy))?.socket : socket;
    if (!outer) return undefined;
    const target = `${this.#target.hostname}:${portOf(this.#target)}`;
    const authorization = this.#network.proxyAuthorization ?? authorizationOf(proxy);
    this.#diagnosis.doing(t('Asking the proxy for a tunnel'));
    const name = t('Tunnel');
    try {
      const open = (): ReturnType<typeof openTunnel> => openTunnel(outer, { target, authorization }, signal);
      const { value, tookMs } = await measure(this.#diagnosis, open);
      if (value.status === 200) {
        this.#addLine({ level: 'ok', name, text: t('The proxy leads to {0}.', quote(target)), tookMs });
        return outer;
      }
      const text = t(
        'The proxy answers {0} to {1}.',
        quote(`${value.status} ${value.reason}`.trim()),
        quote(target),
      );
      this.#addLine({ level: 'failed', name, text, tookMs, next: adviseTunnel(value.status, authorization) });
    } catch (error) {
      signal.throwIfAborted();
      const text = t('The proxy opens no tunnel ({0}).', quote(codeOf(error)));
      this.#addLine({ level: 'failed', name, text, next: t('Check that `http.proxy` names an HTTP proxy.') });
    }
    return undefined;
  }

  async #secure(socket: Socket, url: URL): Promise<Handshake | undefined> {
    const { hostname, host } = url;
    const { ca } = this.#network;
    const end = url === this.#target ? SERVER_END : PROXY_END;
    const servername = hostname.replace(/^\[(.*)\]$/, '$1');
    this.#diagnosis.doing(t('Shaking hands with {0}', host));
    try {
      const { value, tookMs } = await measure(this.#diagnosis, () =>
        startTls(socket, { servername, ca }, this.#diagnosis.signal),
      );
      return this.#judge(value, tookMs, end) ? value : undefined;
    } catch (error) {
      this.#diagnosis.signal.throwIfAborted();
      const text = t('{0} does not answer as TLS ({1}).', quote(host), quote(codeOf(error)));
      const next = t(
        'If the server does not use TLS, write `http://` in {0}; otherwise check the log of the server.',
        end.setting,
      );
      this.#addLine({ level: 'failed', name: tlsName(end), text, next });
      return undefined;
    }
  }

  #judge({ protocol, chain, problem }: Handshake, tookMs: number, end: TlsEnd): boolean {
    const isStrict = this.#network.rejectUnauthorized !== false;
    const level = problem === undefined ? 'ok' : isStrict ? 'failed' : 'warning';
    const trust = this.#network.ca
      ? countOf(
          this.#network.ca.length,
          t('{0} certificate of this machine and of Node'),
          t('{0} certificates of this machine and of Node'),
        )
      : t("Node's own list");
    const verdict =
      problem === undefined ? t('trusted by {0}', trust) : t('not trusted: {0}', explainTrust(problem));
    const next = problem === undefined ? undefined : adviseTrust(problem, end);
    this.#addLine({ level, name: tlsName(end), text: `${protocol}, ${verdict}.`, tookMs, next });
    for (const certificate of chain) this.#addCertificateLine(certificate, end);
    return problem === undefined || !isStrict;
  }

  #addCertificateLine({ subject, issuer, validTo }: Certificate, { isProxy }: TlsEnd): void {
    const days = Math.floor((validTo.getTime() - this.#diagnosis.clock.now()) / DAY_MS);
    const until = Number.isNaN(days) ? t('an unknown day') : validTo.toISOString().slice(0, 10);
    const text = t('{0}, issued by {1}, valid until {2}.', quote(subject), quote(issuer), until);
    const isShort = days < SHORT_DAYS;
    const next =
      days < 0
        ? t('The certificate has expired: renew it.')
        : countOf(
            days,
            t('The certificate expires in {0} day: renew it.'),
            t('The certificate expires in {0} days: renew it.'),
          );
    const level = isShort ? 'warning' : 'ok';
    this.#addLine({
      level,
      name: isProxy ? t('Certificate of the proxy') : t('Certificate'),
      text,
      ...(isShort && { next }),
    });
  }
}

/** The TLS endpoint, and the setting that holds its address. */
interface TlsEnd {
  isProxy: boolean;
  setting: string;
}
const tlsName = ({ isProxy }: TlsEnd): string => (isProxy ? t('TLS of the proxy') : 'TLS');

const SERVER_END: TlsEnd = { isProxy: false, setting: '`host`' };
const PROXY_END: TlsEnd = { isProxy: true, setting: '`http.proxy`' };

const DAY_MS = 24 * 60 * 60 * 1000;
/** In days; certificates that are renewed automatically are renewed about a month before they expire. */
const SHORT_DAYS = 14;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** True for a name in a home or office network, or of a container. */
const isLocalNetworkName = (name: string): boolean =>
  !name.includes('.') || /\.(local|lan|home|internal)$/.test(name);

/** True for this machine and its local network, where a server at another address may be the intended one. */
const isNear = (address: string): boolean =>
  /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254|0\.0)\.|^(::1?$|f[cde])/i.test(address);

function explainRefusal(code: string | undefined): string {
  const words: Record<string, string> = {
    ECONNREFUSED: t('refuses the connection: nothing listens there'),
    ETIMEDOUT: t('does not respond within {0} s', PROBE_LIMIT_MS / 1000),
    EHOSTUNREACH: t('has no route to it'),
    ENETUNREACH: t('has no route to it'),
    EADDRNOTAVAIL: t('cannot be used on this machine'),
  };
  return `${words[code ?? ''] ?? 'fails'} (${code})`;
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const user = [username, password].map((part) => decode(part)).join(':');
  return `Basic ${Buffer.from(user).toString('base64')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function adviseTunnel(status: number, authorization: string | undefined): string {
  if (status !== 407) return t('Ask the administrator of the proxy, or add this host to `http.noProxy`.');
  return authorization === undefined
    ? t(
        'The proxy requires a user name and password: add `user:password@` to the address in `http.proxy`, or set `http.proxyAuthorization`.',
      )
    : t(
        'The proxy refuses the user name or password: correct it in `http.proxy` or in `http.proxyAuthorization`.',
      );
}

function explainTrust(code: string): string {
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

function adviseTrust(code: string, { setting }: TlsEnd): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return t('Use a name in {0} that is in the certificate.', setting);
  if (code === 'CERT_HAS_EXPIRED') return t('Renew it where it is used, or check the clock of this machine.');
  return t(
    'Add it, or its authority, to the certificates of this machine (with `http.systemCertificates` on they are trusted), or name its file in `NODE_EXTRA_CA_CERTS` before VS Code starts. Then reload the window.',
  );
}
