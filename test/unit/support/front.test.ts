// The reverse proxy of `npm start`: which requests it lets through and which it refuses.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFront, type Front } from '../../support/host/front.mjs';

interface Answer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly data: string;
}

const scratch = mkdtempSync(join(tmpdir(), 'front-'));
const socketPath = join(scratch, 'server.sock');
/** Headers of the latest request or upgrade that was let through. */
let received: http.IncomingHttpHeaders = {};
const behind = http.createServer(({ headers }, response) => {
  received = headers;
  response.writeHead(200).end('in');
});
let front: Front;
let cookie = '';

/** Sends a request to the address that a browser would resolve the localhost name to. */
function ask(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host, port } = new URL(front.url);
    const address = { host: '127.0.0.1', port, path };
    const request = http.request({ ...address, method, headers: { host, ...headers }, agent: false });
    request.on('response', (response) => {
      let data = '';
      response.on('data', (chunk) => (data += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, data }));
    });
    request.on('upgrade', (response, socket) => {
      socket.once('data', (chunk) => {
        socket.destroy();
        resolve({ status: response.statusCode, headers: response.headers, data: String(chunk) });
      });
      socket.write('ping');
    });
    request.on('error', reject).end();
  });
}

async function statusOf(...request: Parameters<typeof ask>): Promise<number | undefined> {
  return (await ask(...request)).status;
}

function upgrade(headers: http.OutgoingHttpHeaders): Promise<Answer> {
  return ask('/socket', { connection: 'Upgrade', upgrade: 'websocket', ...headers });
}

const portOf = (url: string): string => new URL(url).port;

beforeAll(async () => {
  behind.on('upgrade', ({ headers }, socket) => {
    received = headers;
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.on('data', (chunk) => socket.write(`echo ${String(chunk)}`));
    socket.on('end', () => socket.end()).on('error', () => undefined);
  });
  await once(behind.listen(socketPath), 'listening');
  front = await startFront({ socketPath, name: 'a-name', home: '/?folder=%2Fhome' });
  const { headers } = await ask(`/?tkn=${front.token}`);
  cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
});

afterAll(() => {
  front.close();
  behind.close();
  behind.closeAllConnections();
  rmSync(scratch, { recursive: true, force: true });
});

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

function listenAt(port: number, host: string): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** The headers by which a browser describes the origin of a request. */
function from(site: string, mode = 'no-cors', target = 'empty'): http.OutgoingHttpHeaders {
  return { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target };
}

describe('startFront', () => {
  it('is reached by a name of localhost, so that no other page of this machine gets its cookie', () => {
    expect(front.url).toBe(`http://a-name.localhost:${portOf(front.url)}`);
  });

  it('exchanges the token for a cookie that scripts and other sites cannot read', async () => {
    const { status, headers } = await ask(`/?folder=%2Fx&tkn=${front.token}`);
    expect(status).toBe(303);
    expect(headers.location).toBe('/?folder=%2Fx');
    expect(headers['set-cookie']?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('redirects to the home folder when the URL contains only the token', async () => {
    const { headers } = await ask(`/?tkn=${front.token}`);
    expect(headers.location).toBe('/?folder=%2Fhome');
  });

  it('lets requests and upgrades with the cookie through', async () => {
    expect(cookie).not.toBe('');
    expect(await ask('/', { cookie, ...from('same-origin') })).toMatchObject({ status: 200, data: 'in' });
    expect(await statusOf('/', { cookie, origin: front.url }, 'POST')).toBe(200);
    expect(await upgrade({ cookie, origin: front.url })).toMatchObject({ status: 101, data: 'echo ping' });
  });

  it('asks the server for nothing compressed, because both are on one machine', async () => {
    await ask('/', { cookie, origin: front.url, 'accept-encoding': 'gzip, br' });
    expect(received['accept-encoding']).toBe('identity');
    await upgrade({ cookie, origin: front.url, 'sec-websocket-extensions': 'permessage-deflate' });
    expect(received).toMatchObject({ upgrade: 'websocket', origin: front.url });
    expect(received['sec-websocket-extensions']).toBeUndefined();
  });

  it('refuses another Host, even with the token or the cookie', async () => {
    const names = ['evil.example', '127.0.0.1', 'localhost', 'other.localhost'];
    for (const host of ['evil.example', ...names.map((name) => `${name}:${portOf(front.url)}`)]) {
      expect(await statusOf('/', { cookie, host })).toBe(421);
      expect(await statusOf(`/?tkn=${front.token}`, { host })).toBe(421);
      expect(await upgrade({ cookie, host, origin: `http://${host}` })).toMatchObject({ status: 421 });
    }
  });

  it('refuses requests without token or cookie, or with a wrong one', async () => {
    expect(await statusOf('/')).toBe(403);
    expect(await statusOf(`/?tkn=${'0'.repeat(front.token.length)}`)).toBe(403);
    expect(await statusOf('/x', { cookie: `${cookie}0` })).toBe(403);
    expect(await statusOf('/x', { cookie: cookie.replace(/=.*/, '=') })).toBe(403);
    expect(await upgrade({ origin: front.url })).toMatchObject({ status: 403 });
  });

  it('refuses a foreign Origin, and an upgrade without one', async () => {
    const { host } = new URL(front.url);
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', `https://${host}`]) {
      expect(await upgrade({ cookie, origin })).toMatchObject({ status: 403 });
      expect(await statusOf('/mint-key', { cookie, origin }, 'POST')).toBe(403);
    }
    expect(await upgrade({ cookie })).toMatchObject({ status: 403 });
  });

  it('refuses requests of pages elsewhere, even of the same name on another port', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect(await statusOf('/x', { cookie, ...from(site) })).toBe(403);
      expect(await statusOf('/mint-key', { cookie, ...from(site, 'navigate', 'document') }, 'POST')).toBe(
        403,
      );
      expect(await upgrade({ cookie, origin: front.url, ...from(site, 'websocket') })).toMatchObject({
        status: 403,
      });
    }
    expect(await statusOf('/', { cookie, ...from('same-site', 'navigate', 'document') })).toBe(403);
    expect(await statusOf('/', { cookie, ...from('none', 'navigate', 'iframe') })).toBe(403);
    const token = `/?tkn=${front.token}`;
    expect(await statusOf(token, from('cross-site', 'navigate', 'document'))).toBe(403);
  });

  it('refuses requests with neither Sec-Fetch-Site nor Origin', async () => {
    for (const method of ['GET', 'HEAD', 'POST']) expect(await statusOf('/x', { cookie }, method)).toBe(403);
    expect(await statusOf('/x', { cookie, origin: front.url })).toBe(200);
  });

  it('lets its own pages and the address bar through', async () => {
    expect(await statusOf('/x', { cookie, ...from('same-origin') })).toBe(200);
    expect(await statusOf('/', { cookie, ...from('none', 'navigate', 'document') })).toBe(200);
    expect(await statusOf(`/?tkn=${front.token}`, from('none', 'navigate', 'document'))).toBe(303);
    expect(await upgrade({ cookie, origin: front.url, ...from('same-origin', 'websocket') })).toMatchObject({
      status: 101,
    });
  });

  it.runIf(hasIpv6)(
    'listens on both loopback addresses, and on neither if one of them is taken',
    async () => {
      const port = Number(portOf(front.url));
      await expect(listenAt(port, '::1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
      const other = await listenAt(0, '::1');
      const taken = (other.address() as AddressInfo).port;
      await expect(startFront({ socketPath, name: 'a-name', port: taken })).rejects.toMatchObject({
        code: 'EADDRINUSE',
      });
      (await listenAt(taken, '127.0.0.1')).close();
      other.close();
    },
  );
});
