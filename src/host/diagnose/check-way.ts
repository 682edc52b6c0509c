// The way from here to the server, step by step: the machine, the proxy, the name, the addresses, the tunnel, the TLS. Knows
// no vscode.
import type { Socket } from 'node:net';
import type { NetworkOptions } from '../../library';
import { isLoopback } from '../connections/origin';
import type { Diagnosis, DiagnosisLine } from './diagnosis';
import { measure } from './diagnosis';
import type { Address, Certificate, Handshake } from './network-probes';
import { isAddress, lookUp, openSocket, openTunnel, PROBE_LIMIT_MS, shakeHands } from './network-probes';
import { findElsewhere } from './other-addresses';
import { describePlace, explainLocalhost } from './place';
import { codeOf, count, quote } from './words';

type Line = Omit<DiagnosisLine, 'section'>;

/** @returns whether a request can get there */
export async function checkWay(diagnosis: Diagnosis, host: string): Promise<boolean> {
  const way = new Way(diagnosis, new URL(host));
  return way.check();
}

/** @param isLocal Whether the address of the server means that machine itself. */
export function tellPlace({ place, tell }: Diagnosis, isLocal: boolean): void {
  const note = isLocal ? explainLocalhost(place) : undefined;
  const text = [`${capitalize(describePlace(place))}.`, note].filter(Boolean).join(' ');
  tell({ section: 'Way to the server', level: 'ok', name: 'Requests leave from', text });
}

class Way {
  readonly #diagnosis: Diagnosis;
  readonly #target: URL;
  readonly #network: NetworkOptions;
  readonly #whyProxy: string;

  constructor(diagnosis: Diagnosis, target: URL) {
    this.#diagnosis = diagnosis;
    this.#target = target;
    const { options, why } = diagnosis.chooseNetwork(target.origin);
    this.#network = options;
    this.#whyProxy = why;
  }

  async check(): Promise<boolean> {
    this.#tellPlace();
    const { proxy: address } = this.#network;
    if (address !== undefined && !/^https?:\/\/./.test(address)) return this.#refuseProxy(address);
    const proxy = address === undefined ? undefined : new URL(address);
    this.#tellProxy(proxy);
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

  #tell(line: Line): void {
    this.#diagnosis.tell({ section: 'Way to the server', ...line });
  }

  #tellPlace(): void {
    tellPlace(this.#diagnosis, isLoopback(this.#target.origin));
    if (/^(0\.0\.0\.0|\[::\])$/.test(this.#target.hostname)) {
      const text = `${quote(this.#target.hostname)} is an address to listen on, and not every machine connects to it.`;
      this.#tell({ level: 'warning', name: 'Address', text, next: 'Write `127.0.0.1` in `host` instead.' });
    }
  }

  #tellProxy(proxy: URL | undefined): void {
    const text = proxy ? `${quote(proxy.host)}, ${this.#whyProxy}.` : `None: ${this.#whyProxy}.`;
    this.#tell({ level: 'ok', name: 'Proxy', text });
  }

  #refuseProxy(address: string): false {
    const scheme = quote(address.replace(/:.*/s, ''));
    this.#tell({
      level: 'failed',
      name: 'Proxy',
      text: `It begins with ${scheme}, ${this.#whyProxy}: only proxies of HTTP are used.`,
      next: 'Name a proxy that begins with `http://` or `https://`, or except this host in `http.noProxy`.',
    });
    return false;
  }

  async #resolve({ hostname }: URL, isProxy: boolean): Promise<string[] | undefined> {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    const name = isProxy ? 'Name of the proxy' : 'Name';
    if (isAddress(bare)) {
      this.#tell({ level: 'ok', name, text: `${quote(bare)} is an address: nothing is looked up.` });
      return [bare];
    }
    this.#diagnosis.doing(`Looking up ${bare}`);
    try {
      const { value, tookMs } = await measure(this.#diagnosis, () => lookUp(bare));
      const also = isProxy ? ' The proxy looks up the name of the server.' : '';
      const text = `${quote(bare)} is ${value.map((address) => quote(address)).join(', ')}.${also}`;
      this.#tell({ level: 'ok', name, text, tookMs });
      return value;
    } catch (error) {
      this.#diagnosis.signal.throwIfAborted();
      const text = `${quote(bare)} is not found (${codeOf(error)}).`;
      const elsewhere = isProxy || !isOfHome(bare) ? undefined : await this.#findElsewhere([]);
      const isProxysOwn = isProxy ? 'in `http.proxy`' : 'in `host`';
      const next = elsewhere ?? `Correct the name ${isProxysOwn}, or check the network, its DNS and a VPN.`;
      this.#tell({ level: 'failed', name, text, next });
      return undefined;
    }
  }

  /** Every address is attempted; the first that answers is used. */
  async #connect(target: URL, addresses: readonly string[], isProxy: boolean): Promise<Socket | undefined> {
    const port = portOf(target);
    const name = isProxy ? 'Connection to the proxy' : 'Connection';
    this.#diagnosis.doing(`Connecting to ${target.host}`);
    const outcomes = await Promise.all(addresses.map((host) => this.#attempt({ host, port })));
    const [open, ...more] = outcomes.flatMap(({ socket }) => socket ?? []);
    for (const socket of more) socket.destroy();
    const next = open ? undefined : await this.#whatElse(target, addresses, isProxy);
    const [last] = outcomes.slice(-1);
    for (const outcome of outcomes) {
      const { socket, where, error, tookMs } = outcome;
      const level = socket ? 'ok' : open ? 'warning' : 'failed';
      const text = socket ? `${where} answers.` : `${where} ${explainRefusal(error)}.`;
      const skipped = level === 'warning' ? 'Nothing: the other address is used.' : next;
      this.#tell({
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

  async #whatElse(target: URL, addresses: readonly string[], isProxy: boolean): Promise<string> {
    if (isProxy) return 'Start the proxy, correct `http.proxy`, or except this host in `http.noProxy`.';
    const elsewhere = addresses.every(isNear) ? await this.#findElsewhere(addresses) : undefined;
    if (elsewhere !== undefined) return elsewhere;
    const isLocal = isLoopback(target.origin);
    const note = isLocal ? explainLocalhost(this.#diagnosis.place) : undefined;
    const start = isLocal
      ? 'Start the server, such as with `ollama serve`, or correct `host`.'
      : 'Check that the server runs and listens on this address (Ollama: `OLLAMA_HOST=0.0.0.0`), and that no firewall is between.';
    return [start, note].filter(Boolean).join(' ');
  }

  async #findElsewhere(attempted: readonly string[]): Promise<string | undefined> {
    this.#diagnosis.doing('Looking whether it listens elsewhere');
    return findElsewhere(this.#diagnosis, this.#target, attempted);
  }

  async #tunnel(socket: Socket, proxy: URL): Promise<Socket | undefined> {
    const { signal } = this.#diagnosis;
    const outer = proxy.protocol === 'https:' ? (await this.#secure(socket, proxy))?.socket : socket;
    if (!outer) return undefined;
    const target = `${this.#target.hostname}:${portOf(this.#target)}`;
    const authorization = this.#network.proxyAuthorization ?? authorizationOf(proxy);
    this.#diagnosis.doing('Asking the proxy for a tunnel');
    const name = 'Tunnel';
    try {
      const open = (): ReturnType<typeof openTunnel> => openTunnel(outer, { target, authorization }, signal);
      const { value, tookMs } = await measure(this.#diagnosis, open);
      if (value.status === 200) {
        this.#tell({ level: 'ok', name, text: `The proxy leads to ${quote(target)}.`, tookMs });
        return outer;
      }
      const text = `The proxy answers ${quote(`${value.status} ${value.reason}`.trim())} to ${quote(target)}.`;
      this.#tell({ level: 'failed', name, text, tookMs, next: adviseTunnel(value.status, authorization) });
    } catch (error) {
      signal.throwIfAborted();
      const text = `The proxy opens none (${quote(codeOf(error))}).`;
      this.#tell({ level: 'failed', name, text, next: 'Check that `http.proxy` names an HTTP proxy.' });
    }
    return undefined;
  }

  async #secure(socket: Socket, url: URL): Promise<Handshake | undefined> {
    const { hostname, host } = url;
    const { ca } = this.#network;
    const end = url === this.#target ? SERVER_END : PROXY_END;
    const servername = hostname.replace(/^\[(.*)\]$/, '$1');
    this.#diagnosis.doing(`Shaking hands with ${host}`);
    try {
      const { value, tookMs } = await measure(this.#diagnosis, () =>
        shakeHands(socket, { servername, ca }, this.#diagnosis.signal),
      );
      return this.#judge(value, tookMs, end) ? value : undefined;
    } catch (error) {
      this.#diagnosis.signal.throwIfAborted();
      const text = `${quote(host)} does not answer as TLS (${quote(codeOf(error))}).`;
      const next = `If it does not speak TLS, write \`http://\` in ${end.setting}; else look into its log.`;
      this.#tell({ level: 'failed', name: `TLS${end.of}`, text, next });
      return undefined;
    }
  }

  #judge({ protocol, chain, problem }: Handshake, tookMs: number, end: TlsEnd): boolean {
    const isStrict = this.#network.rejectUnauthorized !== false;
    const level = problem === undefined ? 'ok' : isStrict ? 'failed' : 'warning';
    const trust = this.#network.ca
      ? `${count(this.#network.ca.length, 'certificate')} of this machine and of Node`
      : "Node's own list";
    const verdict = problem === undefined ? `trusted by ${trust}` : `not trusted: ${explainTrust(problem)}`;
    const next = problem === undefined ? undefined : adviseTrust(problem, end);
    this.#tell({ level, name: `TLS${end.of}`, text: `${protocol}, ${verdict}.`, tookMs, next });
    for (const certificate of chain) this.#tellCertificate(certificate, end);
    return problem === undefined || !isStrict;
  }

  #tellCertificate({ subject, issuer, validTo }: Certificate, { of }: TlsEnd): void {
    const days = Math.floor((validTo.getTime() - this.#diagnosis.clock.now()) / DAY_MS);
    const until = Number.isNaN(days) ? 'an unknown day' : validTo.toISOString().slice(0, 10);
    const text = `${quote(subject)}, issued by ${quote(issuer)}, valid until ${until}.`;
    const isShort = days < SHORT_DAYS;
    const next = days < 0 ? 'It has expired: renew it.' : `It expires in ${count(days, 'day')}: renew it.`;
    const level = isShort ? 'warning' : 'ok';
    this.#tell({ level, name: `Certificate${of}`, text, ...(isShort && { next }) });
  }
}

/** Who speaks TLS, and where its address is set. */
interface TlsEnd {
  of: string;
  setting: string;
}
const SERVER_END: TlsEnd = { of: '', setting: '`host`' };
const PROXY_END: TlsEnd = { of: ' of the proxy', setting: '`http.proxy`' };

const DAY_MS = 24 * 60 * 60 * 1000;
/** Those that renew themselves do it a month before. */
const SHORT_DAYS = 14;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** A name of a home or an office network, or of a container's. */
const isOfHome = (name: string): boolean => !name.includes('.') || /\.(local|lan|home|internal)$/.test(name);

/** On this machine or in its own network: another server there may be the one that is meant. */
const isNear = (address: string): boolean =>
  /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254|0\.0)\.|^(::1?$|f[cde])/i.test(address);

function explainRefusal(code: string | undefined): string {
  const words: Record<string, string> = {
    ECONNREFUSED: 'refuses: nothing listens there',
    ETIMEDOUT: `says nothing within ${PROBE_LIMIT_MS / 1000} s`,
    EHOSTUNREACH: 'has no way to it',
    ENETUNREACH: 'has no way to it',
    EADDRNOTAVAIL: 'cannot be used on this machine',
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
  if (status !== 407) return 'Ask whoever runs the proxy, or except this host in `http.noProxy`.';
  return authorization === undefined
    ? 'The proxy wants a user: put `user:password@` into the address in `http.proxy`, or set `http.proxyAuthorization`.'
    : 'The proxy refuses the user: correct it in `http.proxy` or in `http.proxyAuthorization`.';
}

function explainTrust(code: string): string {
  const words: Record<string, string> = {
    DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known here',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known here',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known here',
    ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
    CERT_HAS_EXPIRED: 'the certificate has expired',
  };
  return `${words[code] ?? 'the certificate cannot be checked'} (${quote(code)})`;
}

function adviseTrust(code: string, { setting }: TlsEnd): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `Use a name in ${setting} that the certificate has.`;
  if (code === 'CERT_HAS_EXPIRED') return 'Renew it where it is used, or check the clock of this machine.';
  return (
    'Add it, or its authority, to the certificates of this machine (with `http.systemCertificates` on they are trusted), ' +
    'or name its file in `NODE_EXTRA_CA_CERTS` before VS Code starts. Then reload the window.'
  );
}
