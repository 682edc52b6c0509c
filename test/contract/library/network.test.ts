// A proxy and certificates, over real sockets and real TLS.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NetworkOptions } from '../../../src/library';
import { closeConnections, HostedApiProvider, InvalidOptionsError } from '../../../src/library';
import { failure } from '../../support/failure';
import { HELLO } from '../../support/probe-provider';

// made for these tests: CN=localhost, valid for a hundred years, trusted by nobody
const pem = (name: string): string =>
  readFileSync(new URL(`../../fixtures/tls/localhost-${name}.pem`, import.meta.url), 'utf8');
const cert = pem('cert');
const reply = JSON.stringify({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] });

const plain = http.createServer((_, response) => response.end(reply));
const secure = https.createServer({ key: pem('key'), cert }, (_, response) => response.end(reply));
/** What each tunnel was asked for, and with which authorization. */
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
const chat = (host: string, network: NetworkOptions) =>
  new HostedApiProvider({ host, apiKey: '', auth: 'none', retry: false, network }).chat({ messages: HELLO });

beforeAll(() =>
  Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
  ),
);
afterAll(async () => {
  await closeConnections();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a connection', () => {
  test('trusts the certificates it is given, and only those', async () => {
    const host = `https://localhost:${portOf(secure)}`;
    const error = await failure(chat(host, {}));
    expect(error).toMatchObject({ code: 'network', errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(error.story.next).toContain('certificates');
    expect((await chat(host, { ca: [cert] })).raw.content).toBe('hi');
    expect((await chat(host, { rejectUnauthorized: false })).raw.content).toBe('hi');
    // a configuration that trusts it must not help one that does not
    expect(await failure(chat(host, {}))).toMatchObject({ code: 'network' });
  });

  test('goes through the proxy it is given, to plain and to secure servers, with its authorization', async () => {
    const network = {
      proxy: `http://127.0.0.1:${portOf(proxy)}`,
      proxyAuthorization: 'Basic c2VjcmV0',
      ca: [cert],
    };
    tunnels.length = 0;
    expect((await chat(`http://localhost:${portOf(plain)}`, network)).raw.content).toBe('hi');
    expect((await chat(`https://localhost:${portOf(secure)}`, network)).raw.content).toBe('hi');
    expect(tunnels).toEqual([
      [`localhost:${portOf(plain)}`, 'Basic c2VjcmV0'],
      [`localhost:${portOf(secure)}`, 'Basic c2VjcmV0'],
    ]);
  });

  test('that its proxy refuses or that has none is an error without the password', async () => {
    const refused = {
      proxy: `http://127.0.0.1:${portOf(proxy)}`,
      proxyAuthorization: 'Basic refused-by-proxy',
    };
    const error = await failure(chat(`http://localhost:${portOf(plain)}`, refused));
    expect(error.code).toBe('network');
    expect(JSON.stringify([error.message, error.exchange])).not.toContain('refused-by-proxy');
    const gone = await failure(chat('http://localhost:1', { proxy: 'http://user:canary-pw@127.0.0.1:9' }));
    expect(gone).toMatchObject({ code: 'network', errorCode: 'ECONNREFUSED' });
    expect(gone.message).not.toContain('canary');
  });

  test.each([
    ['network.proxy', { proxy: 'canary:pw@corp' }],
    ['network.ca', { ca: 'PEM' }],
    ['network.rejectUnauthorized', { rejectUnauthorized: 'no' }],
    ['network', 'http://corp'],
  ])('with a bad %s is refused by name', (field, network) => {
    const make = (): unknown => new HostedApiProvider({ apiKey: 'k', network: network as NetworkOptions });
    expect(make).toThrow(InvalidOptionsError);
    expect(make).toThrow(expect.objectContaining({ field, message: expect.not.stringContaining('canary') }));
  });
});
