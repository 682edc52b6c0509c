// Proxies and certificates with every kind of provider, over real sockets and real TLS.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NetworkOptions } from '../../../src/library';
import { closeConnections, HostedApiProvider, InvalidOptionsError } from '../../../src/library';
import { getHttpClient } from '../../../src/library/transport/client/open-clients';
import { failure } from '../../support/failure';
import { HELLO } from '../../support/connections/probe-provider';
import { PROVIDER_KINDS } from '../../support/connections/provider-kinds';

// Created for these tests: CN=localhost, valid for a hundred years, trusted by no machine.
const pem = (name: string): string =>
  readFileSync(new URL(`../../fixtures/tls/localhost-${name}.pem`, import.meta.url), 'utf8');
const cert = pem('cert');
/** A reply that is valid in every protocol. */
const reply = JSON.stringify(Object.assign({}, ...PROVIDER_KINDS.map((kind) => kind.reply('hi'))));

const plain = http.createServer((_, response) => response.end(reply));
const secure = https.createServer({ key: pem('key'), cert }, (_, response) => response.end(reply));
/** Target and authorization of each requested tunnel. */
const tunnels: [string, string | undefined][] = [];
const proxy = http.createServer((_, response) => response.writeHead(405).end());
proxy.on('connect', (request, socket: net.Socket) => {
  tunnels.push([request.url ?? '', request.headers['proxy-authorization']]);
  if (request.headers['proxy-authorization'] === 'Basic refused-by-proxy')
    return void socket.end('HTTP/1.1 407 No\r\n\r\n');
  const target = net.connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    target.pipe(socket).pipe(target);
  });
  target.on('error', () => socket.destroy());
  socket.on('error', () => target.destroy());
});

const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;
const servers = [plain, secure, proxy];

beforeAll(() =>
  Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
  ),
);
// A tunnel that is kept alive would not be requested again.
afterEach(closeConnections);
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe.each(PROVIDER_KINDS)('a connection of $name', ({ make }) => {
  const chat = (host: string, network: NetworkOptions) =>
    make(host, { retry: false, network }).chat({ messages: HELLO });

  test('trusts exactly the certificates that it is given', async () => {
    const host = `https://localhost:${portOf(secure)}`;
    const error = await failure(chat(host, {}));
    expect(error).toMatchObject({ code: 'network', errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(error.explanation.next).toContain('network.ca');
    expect(error.explanation.next).toContain('NODE_EXTRA_CA_CERTS');
    expect((await chat(host, { ca: [cert] })).raw.content).toBe('hi');
    expect((await chat(host, { rejectUnauthorized: false })).raw.content).toBe('hi');
    // A connection that trusts the certificate must not affect one that does not.
    expect(await failure(chat(host, {}))).toMatchObject({ code: 'network' });
  });

  test('uses the proxy that it is given, for plain and secure servers, with its authorization', async () => {
    const network = {
      proxy: `http://127.0.0.1:${portOf(proxy)}`,
      proxyAuthorization: 'Basic c2VjcmV0',
      ca: [cert],
    };
    tunnels.length = 0;
    const turn = await chat(`http://localhost:${portOf(plain)}`, network);
    expect(turn.raw.content).toBe('hi');
    // Headers that the HTTP client adds for the tunnel are not headers of the request.
    expect(turn.exchange.request.headers).not.toHaveProperty('host');
    expect((await chat(`https://localhost:${portOf(secure)}`, network)).raw.content).toBe('hi');
    expect(tunnels).toEqual([
      [`localhost:${portOf(plain)}`, 'Basic c2VjcmV0'],
      [`localhost:${portOf(secure)}`, 'Basic c2VjcmV0'],
    ]);
  });

  test('reads user and password from the address of a proxy, even with a percent sign that is not an escape', async () => {
    for (const [inAddress, meant] of [
      ['user:50%', 'user:50%'],
      ['a%40b:p%25w', 'a@b:p%w'],
    ] as const) {
      tunnels.length = 0;
      const network = { proxy: `http://${inAddress}@127.0.0.1:${portOf(proxy)}` };
      expect((await chat(`http://localhost:${portOf(plain)}`, network)).raw.content).toBe('hi');
      expect(tunnels.map(([, authorization]) => authorization)).toEqual([
        `Basic ${Buffer.from(meant).toString('base64')}`,
      ]);
    }
  });

  test('fails without exposing the password when its proxy refuses it or cannot be reached', async () => {
    const refused = {
      proxy: `http://127.0.0.1:${portOf(proxy)}`,
      proxyAuthorization: 'Basic refused-by-proxy',
    };
    const error = await failure(chat(`http://localhost:${portOf(plain)}`, refused));
    expect(error.code).toBe('network');
    expect(JSON.stringify([error.message, error.exchange])).not.toContain('refused-by-proxy');
    const gone = await failure(chat('http://localhost:1', { proxy: 'http://user:canary-pw@127.0.0.1:9' }));
    expect(gone).toMatchObject({ code: 'network', errorCode: 'ECONNREFUSED' });
    expect(gone.message).toContain('Nothing listens at the address of the proxy');
    expect(gone.message).not.toContain('canary');
  });

  test('fails with an error that names a header which is only for the proxy', async () => {
    const network = { proxy: `http://127.0.0.1:${portOf(proxy)}` };
    const headers = { 'proxy-authorization': 'Basic canary-of-a-header' };
    const provider = make(`http://localhost:${portOf(plain)}`, { retry: false, network, headers });
    const error = await failure(provider.chat({ messages: HELLO }));
    expect(error).toMatchObject({ code: 'network', attempts: 1 });
    expect(error.message).toContain('Proxy-Authorization');
    expect(error.message).not.toContain('canary');
  });

  test.each([
    ['network.proxy', { proxy: 'canary:pw@corp' }],
    ['network.proxy', { proxy: 'http://corp:3128/proxy.pac' }],
    ['network.proxy', { proxy: 'http://corp?x=1' }],
    ['network.proxyAuthorization', { proxy: 'http://corp', proxyAuthorization: 'Basic canary\r\nx: y' }],
    ['network.ca', { ca: 'PEM' }],
    ['network.rejectUnauthorized', { rejectUnauthorized: 'no' }],
    ['network', 'http://corp'],
  ])('with an invalid %s is refused with the name of the field', (field, network) => {
    const made = (): unknown => make('http://127.0.0.1', { network: network as NetworkOptions });
    expect(made).toThrow(InvalidOptionsError);
    expect(made).toThrow(expect.objectContaining({ field, message: expect.not.stringContaining('canary') }));
  });
});

test('each address of a name gets a quarter of the connect limit, and not 250 ms as Node would give it', async () => {
  const connect = vi.spyOn(net, 'connect');
  const provider = new HostedApiProvider({
    host: `http://localhost:${portOf(plain)}`,
    model: 'm',
    apiKey: 'k',
  });
  expect((await provider.chat({ messages: HELLO })).raw.content).toBe('hi');
  expect(connect.mock.lastCall).toMatchObject([{ autoSelectFamilyAttemptTimeout: 2500 }]);
  connect.mockRestore();
});

test('connections can be closed, and are tried anew, after a client that could not be opened', async () => {
  const network = { proxy: 'http://127.0.0.1/path' };
  const first = getHttpClient(network);
  await expect(first).rejects.toThrow('invalid url');
  expect(getHttpClient(network)).not.toBe(first);
  await expect(closeConnections()).resolves.toBeUndefined();
});
