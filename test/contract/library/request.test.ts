// What `request()` offers to the author of a custom provider, over real sockets; attempts.test.ts covers all kinds of
// providers.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatOptions, RawAssistant, RequestOptions } from '../../../src/library';
import { closeConnections, HostedApiProvider } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import type { ProbeCredentials } from '../../support/connections/probe-provider';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

afterAll(closeConnections);

describe('request', () => {
  test('returns a final answer other than 2xx to the provider', async () => {
    await using server = await startServer((_, response) => sendJson(response, 404, {}));
    const turn = await new ProbeProvider(server.url).chat({ messages: HELLO });
    expect(turn.raw.content).toBe('status 404');
    expect(turn.ledger).toMatchObject([{ decision: 'stop', reason: '404 is not retried.' }]);
  });

  test.each([
    ['a line break', { 'x-a': 'b\r\nx-evil: 1' }],
    ['a character beyond Latin-1', { 'x-a': '☕' }],
    ['a blank in its name', { 'x a': 'b' }],
    ['a length other than that of the body', { 'content-length': '5' }],
    ['a transfer-encoding', { 'transfer-encoding': 'chunked' }],
  ])('a header with %s is an invalid option, not a failed connection', (_, headers) => {
    expect(() => new ProbeProvider('http://127.0.0.1', { headers })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
  });

  test('header names are case-insensitive: each header is sent once', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    await new ProbeProvider(server.url, { headers: { AUTHORIZATION: 'Bearer mine', 'X-Title': 'me' } }).chat({
      messages: HELLO,
    });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer no-key', 'x-title': 'me' });
  });
});

describe('request with the types that fetch accepts', () => {
  class Asking extends ProbeProvider {
    readonly #url: string;
    readonly #options: RequestOptions;
    constructor(url: string, options: RequestOptions, credentials: ProbeCredentials = {}) {
      super(url, credentials);
      this.#url = url;
      this.#options = options;
    }
    protected override async chatInternal(): Promise<RawAssistant> {
      const { attempts } = await this.request(this.#url, this.#options);
      return { content: '', toolCalls: [], usage: {}, attempts };
    }
  }
  const fields = { authorization: 'Bearer canary-key', 'x-title': 'me' };

  test.each([
    ['a Headers', new Headers(fields)],
    ['a Map', new Map(Object.entries(fields))],
    ['pairs', Object.entries(fields)],
  ])('sends the header fields of %s', async (_, headers) => {
    await using server = await startServer((_request, response) => sendJson(response, 200, {}));
    const turn = await new Asking(server.url, { headers }).chat({ messages: HELLO });
    expect(server.requests[0]?.headers).toMatchObject(fields);
    expect(JSON.stringify(turn)).not.toContain('canary');
  });

  test.each([
    ['post', 'POST'],
    ['Put', 'PUT'],
    ['PATCH', 'PATCH'],
    [undefined, 'POST'],
  ])('sends the method %j as %s', async (method, expected) => {
    await using server = await startServer((_request, response) => sendJson(response, 200, {}));
    await new Asking(server.url, { method, body: '{}' }).chat({ messages: HELLO });
    expect(server.requests[0]?.method).toBe(expected);
  });

  test.each(['push', 'end', 'isComplete'])(
    'fails with the code truncated-stream when %s of its reader throws',
    async (name) => {
      await using server = await startServer((_request, response) => sendJson(response, 200, {}));
      const broken = (): never => {
        throw new Error('broken reader');
      };
      const nothing = (): void => undefined;
      const reader = { push: nothing, end: nothing, partial: () => ({ content: '' }), [name]: broken };
      const asking = new Asking(server.url, { createReader: () => reader }, { retry: false });
      const error = await failure(asking.chat({ messages: HELLO }));
      expect(error).toMatchObject({ code: 'truncated-stream', cause: { message: 'broken reader' } });
    },
  );

  test.each([
    ['headers that are a string', { headers: 'x-title: me' }, 'headers'],
    ['headers that are a list of texts', { headers: ['x-title: me'] }, 'headers'],
    ['a method with a blank', { method: 'PO ST' }, 'method'],
    ['a method that is not a string', { method: 1 }, 'method'],
    ['a body of bytes', { body: new Uint8Array([1]) }, 'body'],
    ['a body that is an object', { body: { a: 1 } }, 'body'],
    ['null as options', null, 'options'],
    ['a text as signal', { signal: 'abc' }, 'signal'],
    ['a reader that is not a function', { createReader: 5 }, 'createReader'],
  ])('refuses %s with the name of the field', async (_, options, field) => {
    const asking = new Asking('http://127.0.0.1:9', options as unknown as RequestOptions);
    expect(await failure(asking.chat({ messages: HELLO }))).toMatchObject({ code: 'invalid-options', field });
  });
});

test.each([
  ['no messages', {}, 'messages'],
  ['a string as messages', { messages: 'Hello' }, 'messages'],
  ['null as a message', { messages: [null] }, 'messages'],
  ['null as the calls of a message', { messages: [...HELLO, { toolCalls: null }] }, 'messages[1].toolCalls'],
  ['null as a call', { messages: [{ toolCalls: [null] }] }, 'messages[0].toolCalls'],
  ['null as tools', { messages: HELLO, tools: null }, 'tools'],
  ['a list with null as tools', { messages: HELLO, tools: [null], onDelta: () => undefined }, 'tools'],
])('chat with %s is an invalid option', async (_, options, field) => {
  const provider = new HostedApiProvider({ host: 'http://127.0.0.1:9', apiKey: 'k' });
  const error = await failure(provider.chat(options as unknown as ChatOptions));
  expect(error).toMatchObject({ code: 'invalid-options', field });
});

test.each([[5], [undefined], [null]])('the text %j is an invalid option of embed', async (text) => {
  const provider = new HostedApiProvider({ host: 'http://127.0.0.1:9', apiKey: 'k' });
  const error = await failure(provider.embed(text as unknown as string));
  expect(error).toMatchObject({ code: 'invalid-options', field: 'texts[0]' });
});

test('a schema that cannot be written as JSON Schema is an invalid option, with the reason', async () => {
  const refuse = (): never => {
    throw new Error('Date cannot be represented in JSON Schema');
  };
  const tools = [
    { name: 'one', parameters: {} },
    { name: 'two', parameters: { toJSONSchema: refuse } },
  ];
  const provider = new HostedApiProvider({ host: 'http://127.0.0.1:9', apiKey: 'k' });
  for (const onDelta of [undefined, () => undefined]) {
    const error = await failure(provider.chat({ messages: HELLO, tools, onDelta }));
    expect(error).toMatchObject({ code: 'invalid-options', field: 'tools[1].parameters' });
    expect(error.message).toContain('Date cannot be represented in JSON Schema.');
  }
});
