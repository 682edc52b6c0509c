// Which requests a recording takes, tried on a real one.
import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { ask, echo, pathOf, record } from '../../support/servers/recorded-server';

/** Sends these bytes, and returns everything that comes back until the connection is closed. */
async function sendRaw(address: string, text: string): Promise<string> {
  const { port } = new URL(address);
  const socket = net.connect(Number(port), '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (data: string) => (received += data));
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return received;
}

describe('what a recording refuses', () => {
  it('says nothing without its token', async () => {
    const { recording, server } = await record(echo);
    const { origin } = new URL(recording.root);
    for (const url of [
      origin,
      `${origin}/v1/models`,
      `${origin}/r/`,
      `${recording.root.slice(0, -1)}x/v1`,
      `${recording.root}x`,
    ]) {
      const { status, headers, body } = await ask(
        url,
        { method: 'POST', headers: { host: 'evil.example' } },
        'x',
      );
      expect([status, body.toString(), Object.keys(headers).toSorted()]).toEqual([
        404,
        '',
        ['connection', 'content-length'],
      ]);
    }
    expect(server.requests).toEqual([]);
  });

  it.each<[string, http.OutgoingHttpHeaders]>([
    ['another name for this computer', { host: 'evil.example' }],
    ['a name that only begins right', { host: 'localhost.evil.example' }],
    ['a page', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a page without a name', { origin: 'null' }],
    ['a picture or a link of a page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a picture or a link of a page of another port', { 'sec-fetch-site': 'same-site' }],
  ])('refuses %s, although it has the token', async (_, headers) => {
    const { recording, server } = await record(echo);
    for (const method of ['POST', 'OPTIONS', 'GET']) {
      const received = await ask(recording.address, { method, headers });
      expect(received.status).toBe(403);
      expect(Object.keys(received.headers).join()).not.toContain('access-control');
    }
    expect(server.requests).toEqual([]);
  });

  it('answers at localhost, and to its own pages', async () => {
    const { recording } = await record(echo);
    const { host, port } = new URL(recording.address);
    const atName = await ask(recording.address, { headers: { host: `localhost:${port}` } });
    const ownPage = await ask(recording.address, {
      headers: { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    });
    const typed = await ask(recording.address, { headers: { 'sec-fetch-site': 'none' } });
    expect([atName.status, ownPage.status, typed.status]).toEqual([200, 200, 200]);
  });

  it.each([
    ['two lengths', 'content-length: 5\r\ncontent-length: 6\r\n\r\nhello'],
    ['a length beside chunks', 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown coding', 'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a coding beside chunks', 'transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['a folded line', 'x-a: b\r\n c: d\r\n\r\n'],
    ['a space before the colon', 'content-length : 5\r\n\r\nhello'],
    ['a bare line feed in a field', 'x-a: b\nx-c: d\r\n\r\n'],
    ['a second host', 'host: localhost\r\n\r\n'],
  ])('does not pass %s on', async (_, rest) => {
    const { recording, server } = await record(echo);
    const { host } = new URL(recording.address);
    const head = `POST ${pathOf(recording.address)} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`;
    const received = await sendRaw(recording.address, head + rest);
    expect(received).toMatch(/^HTTP\/1\.1 (?:40[03]|501)/);
    expect(server.requests).toEqual([]);
  });

  it('does not become a tunnel or a proxy', async () => {
    const { recording, server } = await record(echo);
    const { host } = new URL(recording.address);
    const rest = `HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
    expect(await sendRaw(recording.address, `CONNECT ${host} ${rest}`)).toBe('');
    expect(await sendRaw(recording.address, `GET http://evil.example/ ${rest}`)).toMatch(/^HTTP\/1\.1 404/);
    expect(await sendRaw(recording.address, `GET ${recording.address} ${rest}`)).toMatch(/^HTTP\/1\.1 404/);
    expect(server.requests).toEqual([]);
  });

  it('knows nothing of the token of another recording', async () => {
    const [one, other] = [await record(echo), await record(echo)];
    const { origin } = new URL(one.recording.root);
    const { status } = await ask(`${origin}${pathOf(other.recording.root)}/v1`);
    expect(status).toBe(404);
    expect(pathOf(one.recording.root)).not.toBe(pathOf(other.recording.root));
    expect([one.server.requests, other.server.requests]).toEqual([[], []]);
  });
});
