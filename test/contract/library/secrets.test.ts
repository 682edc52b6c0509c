// No secret of a connection in anything that is recorded, thrown or shown, whatever the server does with it.
import { afterAll, describe, expect, test } from 'vitest';
import { closeConnections, LocalHostProvider } from '../../../src/library';
import type { SeenRequest } from '../../support/http-server';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/http-server';
import { HELLO, ProbeProvider } from '../../support/probe-provider';
import { PROVIDER_KINDS } from '../../support/provider-kinds';

afterAll(closeConnections);

describe.each(PROVIDER_KINDS)('no secret of $name', ({ make, reply }) => {
  const apiKey = 'canary-0123456789-canary-ABCDEFGHIJKL';
  const inHeader = (request: SeenRequest): string => String(request.headers.authorization);

  test('is in the exchange, even when the server repeats it', async () => {
    await using server = await startServer((request, response) => {
      const headers = { 'x-echo': inHeader(request) };
      sendJson(response, 200, { ...reply('fine'), echo: inHeader(request) }, headers);
    });
    const turn = await make(server.url, { apiKey }).chat({ messages: HELLO });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(JSON.stringify(turn)).not.toContain('canary');
    expect(turn.exchange.response?.body).toContain(`Bearer ${'*'.repeat(apiKey.length)}`);
  });

  test.each([60, 90, 110, 119, 1980, 3990])(
    'is in an error that quotes a body with it at offset %d',
    async (offset) => {
      for (const status of [200, 500]) {
        await using server = await startServer((_, response) =>
          response.writeHead(status).end('x'.repeat(offset) + apiKey),
        );
        const provider = make(server.url, { apiKey, retry: false });
        const error = await failure(provider.chat({ messages: HELLO }));
        const shown = JSON.stringify([error.message, error.story, error.exchange, error.ledger, error]);
        expect(shown + String(error.cause)).not.toContain('canary');
      }
    },
  );
});

describe('no secret', () => {
  test('is in what a cookie, an address or an escaped slash holds', async () => {
    const cookie = 'session=canary-in-a-cookie; theme=dark-theme';
    await using server = await startServer((request, response) => {
      const text = `${request.headers.cookie} ${request.url}`.replaceAll('/', '\\/');
      response.end(`{"text":"fine","echo":"${text}"}`);
    });
    const provider = new ProbeProvider(`${server.url}/?api_key=canary/in/address`, { headers: { cookie } });
    const turn = await provider.chat({ messages: HELLO });
    expect(server.requests[0]?.headers.cookie).toBe(cookie);
    expect(JSON.stringify(turn)).not.toContain('canary');
  });

  test('is repeated by the error for a bad address', () => {
    for (const host of ['user:canary-pw@host', 'ftp://user:canary-pw@host', 'canary-key-canary']) {
      const make = (): unknown => new LocalHostProvider({ host, model: 'm' });
      expect(make).toThrow(
        expect.objectContaining({ field: 'host', message: expect.not.stringContaining('canary') }),
      );
    }
  });
});
