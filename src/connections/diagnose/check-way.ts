// Checks the way to the server step by step: this machine, the proxy, name resolution, the addresses, the tunnel,
// TLS.
import { t } from '@vscode/l10n';
import { countOf } from '../../inspect';
import type { Socket } from 'node:net';
import type { KnownServer, NetworkOptions } from '../../library';
import type { Face } from '../face';
import { isLoopback } from '../origin';
import type { Diagnosis, DiagnosisLine } from './diagnosis';
import { measure } from './diagnosis';
import type { Address, Certificate, Handshake } from './network-probes';
import { isAddress, lookUp, openSocket, openTunnel, startTls } from './network-probes';
import { findElsewhere } from './other-addresses';
import { describePlace, explainLocalhost } from './place';
import { adviseStart, adviseTrust, adviseTunnel, explainRefusal, explainTrust } from './way-words';
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

class Way {
  readonly #diagnosis: Diagnosis;
  readonly #target: URL;
  readonly #servers: readonly KnownServer[];
  readonly #network: NetworkOptions;
  readonly #face: Face;
  readonly #whyProxy: string;

  constructor(diagnosis: Diagnosis, target: URL, servers: readonly KnownServer[]) {
    this.#diagnosis = diagnosis;
    this.#target = target;
    this.#servers = servers;
    const { options, why } = diagnosis.connections.chooseNetwork(target.origin);
    this.#network = options;
    this.#face = diagnosis.connections.face;
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
      next: t(
        'Name a proxy that begins with `http://` or `https://`, or add this host to {0}.',
        this.#face.noProxy,
      ),
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
          ? t('Correct the name in {0}, or check the network, its DNS and a VPN.', this.#face.proxy)
          : t('Correct the name in {0}, or check the network, its DNS and a VPN.', '`host`'));
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
    if (isProxy)
      return t(
        'Start the proxy, correct {0}, or add this host to {1}.',
        this.#face.proxy,
        this.#face.noProxy,
      );
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
      this.#addLine({
        level: 'failed',
        name,
        text,
        tookMs,
        next: adviseTunnel(value.status, authorization, this.#face),
      });
    } catch (error) {
      signal.throwIfAborted();
      const text = t('The proxy opens no tunnel ({0}).', quote(codeOf(error)));
      this.#addLine({
        level: 'failed',
        name,
        text,
        next: t('Check that {0} names an HTTP proxy.', this.#face.proxy),
      });
    }
    return undefined;
  }

  async #secure(socket: Socket, url: URL): Promise<Handshake | undefined> {
    const { hostname, host } = url;
    const { ca } = this.#network;
    const end =
      url === this.#target
        ? { isProxy: false, setting: '`host`' }
        : { isProxy: true, setting: this.#face.proxy };
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
    const next = problem === undefined ? undefined : adviseTrust(problem, end.setting, this.#face);
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
