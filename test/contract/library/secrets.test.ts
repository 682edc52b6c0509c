// No secret of a connection appears in anything that is recorded, thrown or shown, whatever the server does with it.
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { RawAssistant, RetryAttempt, RetryPolicy } from '../../../src/library';
import {
  closeConnections,
  HostedApiProvider,
  HttpError,
  LocalHostProvider,
  ProviderError,
  Providers,
} from '../../../src/library';
import type { SeenRequest } from '../../support/servers/http-server';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';
import { PROVIDER_KINDS } from '../../support/connections/provider-kinds';

afterAll(closeConnections);

const inHeader = (request: SeenRequest): string => String(request.headers.authorization);

describe.each(PROVIDER_KINDS)('no secret of $name', ({ make, reply }) => {
  const apiKey = 'canary-0123456789-canary-ABCDEFGHIJKL';

  test('appears in the exchange, even if the server echoes it', async () => {
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
    'appears in an error that quotes a body with it at offset %d',
    async (offset) => {
      for (const status of [200, 500]) {
        await using server = await startServer((_, response) =>
          response.writeHead(status).end('x'.repeat(offset) + apiKey),
        );
        const provider = make(server.url, { apiKey, retry: false });
        const error = await failure(provider.chat({ messages: HELLO }));
        const shown = JSON.stringify([error.message, error.explanation, error.exchange, error.ledger, error]);
        expect(shown + String(error.cause)).not.toContain('canary');
      }
    },
  );
});

describe('no secret', () => {
  test('appears from a cookie, an address or an escaped slash', async () => {
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

  test('appears in the error for an invalid address', () => {
    for (const host of ['user:canary-pw@host', 'ftp://user:canary-pw@host', 'canary-key-canary']) {
      const make = (): unknown => new LocalHostProvider({ host, model: 'm' });
      expect(make).toThrow(
        expect.objectContaining({ field: 'host', message: expect.not.stringContaining('canary') }),
      );
    }
  });
});

describe('no secret that a stream echoes', () => {
  const apiKey = 'canary-0123456789-canary-ABCDEFGHIJKL';
  const sides: [string, (url: string, retry: RetryPolicy) => Providers, (message: string) => string][] = [
    [
      'hosted',
      (url, retry) => new HostedApiProvider({ host: url, apiKey, retry }),
      (message) => `data: ${JSON.stringify({ error: { message } })}\n\n`,
    ],
    [
      'local',
      (host, retry) => new LocalHostProvider({ host, model: 'm', retry, headers: { authorization: apiKey } }),
      (message) => `${JSON.stringify({ error: message })}\n`,
    ],
  ];

  test.each(sides)(
    'in an error document appears in the error, its cause, or what callbacks receive: %s',
    async (_, make, toBody) => {
      for (const offset of [10, 3980, 3999]) {
        await using server = await startServer((_request, response) =>
          response.end(toBody('x'.repeat(offset) + apiKey)),
        );
        const seenErrors: (Error | undefined)[] = [];
        const recordError = ({ error }: RetryAttempt): boolean => seenErrors.push(error) > 0;
        const retry = { maxAttempts: 2, initialDelayMs: 0, isRetryable: recordError, onRetry: recordError };
        const call = make(server.url, retry).chat({ messages: HELLO, onDelta: () => undefined });
        const error = (await failure(call)) as HttpError;
        expect(error.serverMessage).toMatch(/\*$/);
        expect(inspect([error, error.cause, error.serverMessage, seenErrors], { depth: 9 })).not.toContain(
          'canary',
        );
        expect(seenErrors).toHaveLength(2);
      }
    },
  );
});

describe('no beginning of a secret', () => {
  const apiKey = 'canary/0123+456789=ABCDEF';
  const spellings = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')];

  test.each(spellings)(
    'appears in the text that had arrived when a stream broke off: %s',
    async (written) => {
      await using server = await startServer((_, response) => {
        const pieces = Array.from(`It is ${written.slice(0, 14)}`, (content) => ({
          choices: [{ delta: { content } }],
        }));
        for (const piece of pieces) response.write(`data: ${JSON.stringify(piece)}\n\n`);
        response.end();
      });
      const provider = new HostedApiProvider({ host: server.url, apiKey, retry: false });
      const error = await failure(provider.chat({ messages: HELLO, onDelta: () => undefined }));
      expect(error.code).toBe('truncated-stream');
      expect(error.partial?.content).toBe(`It is ${'*'.repeat(14)}`);
    },
  );
});

test('no secret appears where an error quotes the encoding of a body', async () => {
  const apiKey = 'sk-Canary-0123456789';
  await using server = await startServer((_, response) =>
    response.writeHead(200, { 'content-encoding': apiKey, [apiKey]: '1' }).end('x'),
  );
  const provider = new HostedApiProvider({ host: server.url, apiKey, retry: false });
  const error = await failure(provider.chat({ messages: HELLO }));
  expect(String(error)).toContain('which was not requested');
  expect(inspect(error, { depth: 9 }).toLowerCase()).not.toContain('canary');
});

describe('a secret that is different in each request', () => {
  class Signing extends ProbeProvider {
    readonly #url: string;
    #count = 0;
    constructor(url: string) {
      super(url);
      this.#url = url;
    }
    protected override async chatInternal(): Promise<RawAssistant> {
      this.#count += 1;
      const headers = { authorization: `Bearer canary-${this.#count}-signature` };
      const { response, attempts } = await this.request(this.#url, { method: 'POST', headers });
      return { content: await response.text(), toolCalls: [], usage: {}, attempts };
    }
  }

  test('is redacted in its own call only, so that the list of secrets does not grow', async () => {
    const seen: string[] = [];
    await using server = await startServer((request, response) => {
      seen.push(inHeader(request));
      response.end(seen.join('\n'));
    });
    const provider = new Signing(server.url);
    const turns = [await provider.chat({ messages: HELLO }), await provider.chat({ messages: HELLO })];
    const masked = `Bearer ${'*'.repeat('canary-1-signature'.length)}`;
    // Read after both calls have ended.
    expect(turns.map(({ exchange }) => exchange.response?.body)).toEqual([
      masked,
      `Bearer canary-1-signature\n${masked}`,
    ]);
  });
});

describe('no secret of a provider whose own code throws', () => {
  const key = 'canary-own-key';
  const explanation = { what: `The key ${key} was refused.`, why: key, next: key };
  const headers = { authorization: `Bearer ${key}` };

  test.each<[string, unknown]>([
    ['its message and its cause', new TypeError(`bad key ${key}`, { cause: new Error(key) })],
    ['the request attached to the error', Object.assign(new Error('401'), { config: { headers } })],
    ['a request with another secret', Object.assign(new Error('401'), { headers: { cookie: 'a canary' } })],
    ['the errors of an aggregate error', new AggregateError([new Error(`bad key ${key}`)], 'all failed')],
    ['a cause that is not an error', new Error('401', { cause: { request: { headers } } })],
    ['its name', Object.assign(new Error('401'), { name: `Refused ${key}` })],
    ['an object thrown instead of an error', { message: `bad key ${key}` }],
    ['an error of the library', new ProviderError('network', explanation, { cause: new Error(key) })],
    ['an error with the message of the server', new HttpError(401, `bad key ${key}`, explanation)],
  ])('appears in %s', async (_, thrown) => {
    class Careless extends ProbeProvider {
      protected override chatInternal(): Promise<RawAssistant> {
        return Promise.reject(thrown);
      }
    }
    const provider = new Careless('http://127.0.0.1', { apiKey: key });
    const error = await failure(provider.chat({ messages: HELLO }));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
    expect(error.message).toContain(thrown instanceof ProviderError ? 'The key ****' : 'failed while');
  });

  test('appears if the secret is a member of a field', async () => {
    class Careless extends Providers {
      constructor() {
        super();
        const fields = { oauth: { clientSecret: key, scope: 'all-of-it-please' } };
        this.configure(fields as object);
      }
      protected chatInternal(): Promise<RawAssistant> {
        throw new Error(`${key} has no all-of-it-please`);
      }
    }
    const error = await failure(new Careless().chat({ messages: HELLO }));
    expect(error.cause).toMatchObject({ message: '************** has no all-of-it-please' });
  });
});

test('an exception of a provider’s own code without a secret is kept as the cause', async () => {
  const thrown = Object.assign(new Error('401'), { code: 'E_401', config: { retries: 3 } });
  class Failing extends ProbeProvider {
    protected override chatInternal(): Promise<RawAssistant> {
      return Promise.reject(thrown);
    }
  }
  const error = await failure(
    new Failing('http://127.0.0.1', { apiKey: 'canary-own-key' }).chat({ messages: HELLO }),
  );
  expect(error.cause).toBe(thrown);
});

test.each(['canary:in:basic', 'short'])(
  'the password %s of a Basic authorization for the proxy is masked if a server repeats it',
  async (password) => {
    await using server = await startServer((_, response) =>
      response.writeHead(407).end(`the user proxy-user:${password} may not`),
    );
    const proxyAuthorization = `Basic ${Buffer.from(`proxy-user:${password}`).toString('base64')}`;
    const provider = new LocalHostProvider({ host: server.url, model: 'm', network: { proxyAuthorization } });
    const error = await failure(provider.chat({ messages: HELLO }));
    expect(error.message).toContain('***** may not');
    expect(inspect(error, { depth: 9 })).not.toContain(password);
  },
);

test('no password of a Basic authorization appears if the server echoes it', async () => {
  await using server = await startServer((request, response) => {
    const [, encoded = ''] = inHeader(request).split(' ');
    response.writeHead(401).end(Buffer.from(encoded, 'base64').toString());
  });
  const authorization = `Basic ${Buffer.from('me:canary:in:basic').toString('base64')}`;
  const provider = new LocalHostProvider({ host: server.url, model: 'm', headers: { authorization } });
  const error = await failure(provider.chat({ messages: HELLO }));
  expect(error.message).toContain('me:***************');
  expect(inspect(error, { depth: 9 })).not.toContain('canary');
});
