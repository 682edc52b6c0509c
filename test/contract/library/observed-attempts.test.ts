// What an observer of a call receives for each attempt, over real sockets: all bytes sent and received, with their times and
// without secrets.
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { AttemptEvidence, ChatOptions, ObservedAttempt } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import { startFaultServer } from '../../support/servers/fault-server';
import type { Answer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

const KEY = 'sk-canary-0123456789';
const REPLY = { choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] };
const HTML = '<!doctype html>\n<h1>502 Bad Gateway</h1>\r\n';

afterAll(closeConnections);

interface Observed {
  attempts: number[];
  evidence: AttemptEvidence[];
  ledger: number;
}

async function observe(
  answer: Answer,
  options: Partial<ChatOptions> & { maxAttempts?: number } = {},
): Promise<Observed & { url: string }> {
  await using server = await startServer(answer);
  return { ...(await observeAt(server.url, options)), url: server.url };
}

async function observeAt(
  host: string,
  { maxAttempts = 3, ...options }: Partial<ChatOptions> & { maxAttempts?: number } = {},
): Promise<Observed> {
  const provider = new HostedApiProvider({ host, apiKey: KEY, retry: { maxAttempts } });
  const seen: ObservedAttempt[] = [];
  const call = new FakeClock({ isSkipping: true }).run(() =>
    provider.chat({ messages: HELLO, ...options, onAttempt: (attempt) => void seen.push(attempt) }),
  );
  const { ledger } = await call.catch((error: { ledger: [] }) => error);
  return {
    attempts: seen.map(({ attempt }) => attempt),
    evidence: seen.map(({ evidence }) => evidence()),
    ledger: ledger.length,
  };
}

const streamed = { onDelta: () => undefined };

describe('an observer of the attempts', () => {
  test('receives request and answer of each attempt, including failed ones', async () => {
    const { attempts, evidence, url } = await observe((_, response, count) => {
      if (count === 1) response.writeHead(502, { 'content-type': 'text/html' }).end(HTML);
      else if (count === 2) response.writeHead(503).end();
      else sendJson(response, 200, REPLY);
    });
    expect(attempts).toEqual([1, 2, 3]);
    const [first, second, third] = evidence;
    expect(first?.request).toMatchObject({ method: 'POST', url: `${url}/chat/completions` });
    expect(JSON.parse(first?.request.body ?? '')).toMatchObject({ messages: [{ content: 'Hello' }] });
    expect(first?.response).toMatchObject({
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: HTML,
      isComplete: true,
    });
    expect(second?.response).toMatchObject({ status: 503, body: '', isComplete: true, arrivals: [] });
    expect(third?.response).toMatchObject({ status: 200, body: JSON.stringify(REPLY) });
    // The same text, however often it was sent.
    expect(third?.request).toBe(first?.request);
  });

  test.each([204, 200])('receives an answer of %i without a body', async (status) => {
    const { evidence } = await observe((_, response) => response.writeHead(status).end(), {
      maxAttempts: 1,
    });
    expect(evidence[0]?.response).toMatchObject({ status, body: '', isComplete: true });
  });

  test('receives a request without an answer', async () => {
    await using server = await startFaultServer('request', (socket) => void socket.destroy());
    const { evidence } = await observeAt(`http://127.0.0.1:${server.port}`, { maxAttempts: 1 });
    expect(evidence[0]?.request.body).toContain('Hello');
    expect(evidence[0]).not.toHaveProperty('response');
  });

  test('receives the part of a stream that arrived before it broke off, with the time of each piece', async () => {
    const pieces = ['data: {"choices":[{"index":0,"delta":{"content":"L"}}]}\n\n', 'data: {"choi'];
    await using server = await startFaultServer('request', async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 500\r\n\r\n');
      for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
      socket.destroy();
    });
    const { evidence } = await observeAt(`http://127.0.0.1:${server.port}`, { maxAttempts: 1, ...streamed });
    const { body, isComplete, arrivals = [] } = evidence[0]?.response ?? {};
    expect(body).toBe(pieces.join(''));
    expect(isComplete).toBe(false);
    expect(arrivals.at(-2)).toBe(Buffer.byteLength(pieces.join('')));
    const offsets = arrivals.filter((_, index) => index % 2 === 0);
    const times = arrivals.filter((_, index) => index % 2 === 1);
    expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test('receives bytes that are not UTF-8 as base64', async () => {
    const latin = Buffer.from('<h1>Dienst nicht verfügbar</h1>', 'latin1');
    const { evidence } = await observe((_, response) => response.writeHead(500).end(latin), {
      maxAttempts: 1,
    });
    expect(evidence[0]?.response?.isBase64).toBe(true);
    expect(Buffer.from(evidence[0]?.response?.body ?? '', 'base64')).toEqual(latin);
  });

  test('receives a compressed body decompressed', async () => {
    const { evidence } = await observe((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(REPLY))),
    );
    expect(evidence[0]?.response).toMatchObject({ body: JSON.stringify(REPLY), isComplete: true });
    // Arrival times refer to compressed bytes, which are not shown.
    expect(evidence[0]?.response).not.toHaveProperty('arrivals');
  });

  test('receives nothing of a body that cannot be decompressed, because it might contain a secret', async () => {
    const damaged = Buffer.alloc(60, 0xff);
    const { evidence } = await observe(
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(damaged),
      { maxAttempts: 1 },
    );
    expect(evidence[0]?.response).toMatchObject({ body: '', omittedBytes: 60 });
  });

  test('receives the beginning of a very long body', async () => {
    const line = `${'ü'.repeat(499)}.\n`;
    const body = line.repeat(9_000);
    const { evidence } = await observe((_, response) => response.writeHead(500).end(body), {
      maxAttempts: 1,
    });
    const kept = evidence[0]?.response?.body ?? '';
    expect(body.startsWith(kept)).toBe(true);
    expect(Buffer.byteLength(kept) + (evidence[0]?.response?.omittedBytes ?? 0)).toBe(
      Buffer.byteLength(body),
    );
    expect(Buffer.byteLength(kept)).toBeGreaterThan(8_000_000);
    expect(evidence[0]?.response).not.toHaveProperty('isBase64');
  });

  test('receives no secret: a mask has the length of the secret, and the scheme of the authorization stays', async () => {
    const echo = JSON.stringify({ error: { message: `Incorrect API key: ${KEY}` } });
    const binary = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(KEY), Buffer.from([0xfd])]);
    const { evidence } = await observe((_, response, count) => {
      const headers = { 'x-echo': KEY };
      if (count === 1) response.writeHead(503, headers).end(binary);
      else response.writeHead(401, headers).end(echo);
    });
    expect(JSON.stringify(evidence)).not.toContain(KEY);
    expect(evidence[0]?.request.headers['authorization']).toBe(`Bearer ${'*'.repeat(KEY.length)}`);
    const bytes = Buffer.from(evidence[0]?.response?.body ?? '', 'base64');
    expect(bytes).toHaveLength(binary.length);
    expect(bytes.includes(KEY)).toBe(false);
    expect(evidence[1]?.response?.body).toBe(echo.replace(KEY, '*'.repeat(KEY.length)));
    expect(evidence[1]?.response?.headers['x-echo']).toBe('*'.repeat(KEY.length));
  });

  test('receives no part of a secret at the end of a body that broke off', async () => {
    await using server = await startFaultServer('request', (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nYour key is ${KEY.slice(0, 12)}`, () =>
        socket.destroy(),
      );
    });
    const { evidence } = await observeAt(`http://127.0.0.1:${server.port}`, { maxAttempts: 1 });
    expect(evidence[0]?.response?.body).toBe(`Your key is ${'*'.repeat(12)}`);
  });

  test('is called once per attempt of the ledger, and an exception in it does not end the call', async () => {
    const { attempts, ledger } = await observe((_, response, count) =>
      count < 3 ? response.writeHead(500).end() : sendJson(response, 200, REPLY),
    );
    expect(attempts).toHaveLength(ledger);
    await using server = await startServer((_, response) => sendJson(response, 200, REPLY));
    const provider = new HostedApiProvider({ host: server.url, apiKey: KEY });
    const turn = await provider.chat({
      messages: HELLO,
      onAttempt: () => {
        throw new Error('an observer failed');
      },
    });
    expect(turn.raw.content).toBe('Hi');
  });

  test('receives the attempts of another provider that the call uses', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, { text: 'Hi' }));
    class Outer extends LocalHostProvider {
      protected override async chatInternal() {
        return (await new ProbeProvider(server.url, { apiKey: KEY }).chat({ messages: HELLO })).raw;
      }
    }
    const seen: ObservedAttempt[] = [];
    await new Outer({ host: 'http://127.0.0.1:1', model: 'm' }).chat({
      messages: HELLO,
      onAttempt: (attempt) => void seen.push(attempt),
    });
    expect(seen.map(({ evidence }) => evidence().response?.body)).toEqual(['{"text":"Hi"}']);
    expect(JSON.stringify(seen.map(({ evidence }) => evidence()))).not.toContain(KEY);
  });
});
