// What `request()` gives to the author of a custom provider, over real sockets; attempts.test.ts has what holds for all.
import { afterAll, describe, expect, test } from 'vitest';
import { closeConnections } from '../../../src/library';
import { sendJson, startServer } from '../../support/http-server';
import { HELLO, ProbeProvider } from '../../support/probe-provider';

afterAll(closeConnections);

describe('request', () => {
  test('returns a final answer that is not 2xx to the provider', async () => {
    await using server = await startServer((_, response) => sendJson(response, 404, {}));
    const turn = await new ProbeProvider(server.url).chat({ messages: HELLO });
    expect(turn.raw.content).toBe('status 404');
    expect(turn.ledger).toMatchObject([{ decision: 'stop', reason: '404 is not retried.' }]);
  });

  test.each([
    ['a line break', { 'x-a': 'b\r\nx-evil: 1' }],
    ['a character beyond Latin-1', { 'x-a': '☕' }],
    ['a blank in its name', { 'x a': 'b' }],
    ['a length that is not the body’s', { 'content-length': '5' }],
    ['another encoding of the transfer', { 'transfer-encoding': 'chunked' }],
  ])('a header with %s is a bad option, not a failed connection', (_, headers) => {
    expect(() => new ProbeProvider('http://127.0.0.1', { headers })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
  });

  test('headers are one field in whatever case they are written', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    await new ProbeProvider(server.url, { headers: { AUTHORIZATION: 'Bearer mine', 'X-Title': 'me' } }).chat({
      messages: HELLO,
    });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer no-key', 'x-title': 'me' });
  });
});
