// The door of `npm start`: who is let in, who is not.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
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
const behind = http.createServer((_, response) => response.writeHead(200).end('in'));
let front: Front;
let cookie = '';

function ask(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(front.url + path, { method, headers, agent: false });
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
  behind.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.on('data', (chunk) => socket.write(`echo ${String(chunk)}`));
    socket.on('end', () => socket.end()).on('error', () => undefined);
  });
  await once(behind.listen(socketPath), 'listening');
  front = await startFront({ socketPath, home: '/?folder=%2Fhome' });
  const { headers } = await ask(`/?tkn=${front.token}`);
  cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
});

afterAll(() => {
  front.close();
  behind.close();
  behind.closeAllConnections();
  rmSync(scratch, { recursive: true, force: true });
});

describe('startFront', () => {
  it('exchanges the token for a cookie that scripts and other sites do not get', async () => {
    const { status, headers } = await ask(`/?folder=%2Fx&tkn=${front.token}`);
    expect(status).toBe(303);
    expect(headers.location).toBe('/?folder=%2Fx');
    expect(headers['set-cookie']?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('leads home when the address holds nothing but the token', async () => {
    const { headers } = await ask(`/?tkn=${front.token}`);
    expect(headers.location).toBe('/?folder=%2Fhome');
  });

  it('lets requests and upgrades with the cookie pass', async () => {
    expect(cookie).not.toBe('');
    expect(await ask('/', { cookie })).toMatchObject({ status: 200, data: 'in' });
    expect(await statusOf('/', { cookie, host: `localhost:${portOf(front.url)}` })).toBe(200);
    expect(await statusOf('/', { cookie, origin: front.url }, 'POST')).toBe(200);
    expect(await upgrade({ cookie, origin: front.url })).toMatchObject({ status: 101, data: 'echo ping' });
  });

  it('refuses another Host, with the token and the cookie too', async () => {
    for (const host of ['evil.example', `evil.example:${portOf(front.url)}`, '127.0.0.1']) {
      expect(await statusOf('/', { cookie, host })).toBe(421);
      expect(await statusOf(`/?tkn=${front.token}`, { host })).toBe(421);
      expect(await upgrade({ cookie, host, origin: `http://${host}` })).toMatchObject({ status: 421 });
    }
  });

  it('refuses who brings no token, a wrong one or a wrong cookie', async () => {
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
});
