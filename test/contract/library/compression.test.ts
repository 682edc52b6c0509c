// Compressed bodies, intact and damaged, over real sockets.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { closeConnections, HostedApiProvider } from '../../../src/library';
import { failure } from '../../support/failure';
import type { TestServer } from '../../support/servers/http-server';
import { startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';

const REPLY = JSON.stringify({ choices: [{ message: { content: 'Grüße ☀' }, finish_reason: 'stop' }] });
const chat = ({ url }: TestServer, onDelta?: () => void) =>
  new HostedApiProvider({ host: url, apiKey: '', auth: 'none', retry: { initialDelayMs: 1 } }).chat({
    messages: HELLO,
    onDelta,
  });

const serve = (body: Buffer, encoding: string): Promise<TestServer> =>
  startServer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

afterAll(closeConnections);

describe('a compressed body', () => {
  test.each([
    ['gzip', gzipSync(REPLY)],
    ['x-gzip', gzipSync(REPLY)],
    ['deflate', deflateSync(REPLY)],
    // without the header of zlib, as some servers send it
    ['deflate', deflateRawSync(REPLY)],
    ['br', brotliCompressSync(REPLY)],
    ['identity', Buffer.from(REPLY)],
    ['gzip, br', brotliCompressSync(gzipSync(REPLY))],
  ])('in %s is read', async (encoding, body) => {
    await using server = await serve(body, encoding);
    const turn = await chat(server);
    expect(turn.raw.content).toBe('Grüße ☀');
    expect(turn.exchange.response?.body).toBe(REPLY);
  });

  test.each([
    ['deflate', deflateSync(REPLY)],
    ['deflate', deflateRawSync(REPLY)],
  ])('in %s is read although something follows it', async (encoding, body) => {
    await using server = await serve(Buffer.concat([body, Buffer.from('and more')]), encoding);
    expect((await chat(server)).raw.content).toBe('Grüße ☀');
  });

  test('is requested, except when the reply is streamed', async () => {
    await using server = await startServer((_, response) => response.end(REPLY));
    await chat(server);
    await chat(server, () => undefined);
    expect(server.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'gzip, deflate, br',
      undefined,
    ]);
  });

  test.each([
    ['gzip', Buffer.from('this is no gzip')],
    ['br', Buffer.from('this is no brotli, but long enough to be noticed')],
    ['gzip', gzipSync(REPLY).subarray(0, 30)],
    ['deflate', Buffer.from('this is neither')],
    ['deflate', deflateSync(REPLY).subarray(0, 30)],
    ['deflate', deflateRawSync(REPLY).subarray(0, 30)],
    ['zstd', Buffer.from(REPLY)],
  ])('in %s that is damaged or was not requested is an error after one attempt', async (encoding, body) => {
    await using server = await serve(body, encoding);
    expect(await failure(chat(server))).toMatchObject({ code: 'response-format', attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test.each(['gzip', 'br', 'deflate', 'gzip, br'])(
    'in %s that is empty is an empty body',
    async (encoding) => {
      await using server = await startServer((_, response, count) => {
        response.writeHead(count === 1 ? 503 : 403, { 'content-encoding': encoding }).end();
      });
      const error = await failure(chat(server));
      expect(error).toMatchObject({
        code: 'http',
        status: 403,
        attempts: 2,
        exchange: { response: { body: '' } },
      });
      expect(error.message).toContain('The server gave no reason.');
    },
  );

  test.each([
    ['gzip', Buffer.from('this is no gzip'), 'The compressed body is damaged.'],
    ['gzip', gzipSync('{"error":"busy"}').subarray(0, 15), 'The compressed body is damaged.'],
    ['zstd', Buffer.from('busy'), 'The body has the encoding zstd, which was not requested.'],
  ])(
    'in %s that cannot be decoded does not change the result of an error status',
    async (encoding, body, problem) => {
      await using server = await startServer((_, response, count) => {
        response.writeHead(count === 1 ? 503 : 401, { 'content-encoding': encoding }).end(body);
      });
      for (const onDelta of [undefined, () => undefined]) {
        server.requests.length = 0;
        const error = await failure(chat(server, onDelta));
        expect(error).toMatchObject({
          code: 'http',
          status: 401,
          ledger: [{ status: 503 }, { status: 401 }],
        });
        expect(error.message).toContain(`cannot be read: ${problem}`);
      }
    },
  );

  test('that is encoded thousands of times is rejected before any of it is decoded', async () => {
    const encoding = Array.from({ length: 3000 }, () => 'br').join(',');
    await using server = await serve(brotliCompressSync(REPLY), encoding);
    const error = await failure(chat(server));
    expect(error).toMatchObject({ code: 'response-format', attempts: 1 });
    expect(error.message).toContain('The body is encoded 3000 times over, and at most 4 times is undone.');
  });

  test('that decompresses beyond the size limit is an error', async () => {
    await using server = await serve(gzipSync(Buffer.alloc(65 * 1024 * 1024, 32)), 'gzip');
    const error = await failure(chat(server));
    expect(error).toMatchObject({ code: 'response-too-large', attempts: 1 });
    expect(error.message).toContain('64 MiB');
  });
});
