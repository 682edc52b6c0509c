// Runs the copied text as a person would paste it; it must send the original request again, to a server that records each
// request.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CopyForm } from '../../../../src/inspect';
import { copyAs, copyForms } from '../../../../src/inspect';
import type { ExchangeRequest, Message, Providers } from '../../../../src/library';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  PROVIDER_CATALOG,
  ResponsesApiProvider,
} from '../../../../src/library';
import type { CopyBench } from '../../../support/texts/copy-bench';
import { canRun, KEY, openCopyBench } from '../../../support/texts/copy-bench';

const HOSTILE =
  'it\'s "so" $(touch copied) `id` ${HOME} $HOME %PATH% !! \\ \\\' ‘a’ ‚b‛ “c” „d” # @x <tag> \u2028 🌦️ é\nnext\ttab\r\n' +
  "'@\nEOF\n";

let bench: CopyBench;

beforeAll(async () => {
  bench = await openCopyBench();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await closeConnections();
});

const MESSAGES: Message[] = [
  { role: 'system', content: HOSTILE },
  { role: 'user', content: 'Weather?' },
  {
    role: 'assistant',
    content: '',
    reasoning: 'Hm.',
    toolCalls: [
      {
        id: 'c1',
        name: 'get_weather',
        arguments: { city: "O'Slo", days: 9007199254740991 },
        source: 'native',
      },
      { id: 'c2', name: 'get_weather', arguments: '{"city" : "Bergen"}', source: 'native' },
    ],
  },
  { role: 'tool', toolCallId: 'c1', toolName: 'get_weather', content: '{"temp": true, "none": null}' },
  { role: 'tool', toolCallId: 'c2', toolName: 'get_weather', content: 'no', isError: true },
];
const TOOLS = [
  {
    name: 'get_weather',
    description: HOSTILE,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

const hosted = (more = {}): HostedApiProvider =>
  new HostedApiProvider({
    host: `${bench.server.url}/v1`,
    apiKey: KEY,
    model: "m'1",
    headers: { 'x-token': 'token-9876543210', 'x-title': 'It\'s "me" $(x)' },
    raw: { top_k: 40, nested: { a: [], b: {}, __proto__x: null } },
    ...more,
  });
const local = (): LocalHostProvider =>
  new LocalHostProvider({
    host: bench.server.url,
    model: 'm',
    raw: { options: { num_batch: 64 }, keep_alive: '5m' },
  });
const SAMPLING = { temperature: 0, stop: ['a', HOSTILE], seed: -1, maxTokens: 12 };
const followed = { onDelta: () => undefined };

const messages = (more = {}): MessagesApiProvider =>
  new MessagesApiProvider({
    host: bench.server.url,
    apiKey: KEY,
    model: "m'1",
    headers: { 'x-token': 'token-9876543210', 'x-title': 'It\'s "me" $(x)' },
    raw: { thinking: { type: 'disabled' }, nested: { a: [], b: {}, none: null } },
    ...more,
  });
const responses = (more = {}): ResponsesApiProvider =>
  new ResponsesApiProvider({
    host: `${bench.server.url}/v1`,
    apiKey: KEY,
    model: "m'1",
    headers: { 'x-token': 'token-9876543210', 'x-title': 'It\'s "me" $(x)' },
    raw: { parallel_tool_calls: false, nested: { a: [], b: {}, none: null } },
    ...more,
  });

const SIDES: readonly { side: string; make: () => Providers; clients: CopyForm[] }[] = [
  { side: 'hosted', make: hosted, clients: ['openai', 'openai-python'] },
  { side: 'local', make: local, clients: ['ollama'] },
  { side: 'messages', make: messages, clients: ['anthropic', 'anthropic-python'] },
  { side: 'responses', make: responses, clients: ['openai-responses', 'openai-responses-python'] },
];
const PLAIN: readonly CopyForm[] = ['bash', 'powershell', 'fetch', 'python'];
const CASES = SIDES.flatMap(({ side, make, clients }) =>
  [...PLAIN, ...clients, 'provider' as const].flatMap((form) =>
    ['whole', 'streamed'].map((way) => ({ side, make, form, way })),
  ),
);
const HEADERS = ['authorization', 'api-key', 'x-api-key', 'anthropic-version', 'x-token', 'x-title'];

describe('a copied request', () => {
  test.each(CASES.filter(({ form }) => canRun(form)))(
    'as $form, $side, $way, sends an equal request',
    async ({ form, side, make, way }) => {
      const { request, sent, seen } = await bench.record(make(), {
        messages: MESSAGES,
        tools: TOOLS,
        sampling: SAMPLING,
        ...(way === 'streamed' && followed),
      });
      const copied = copyAs(form, request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
      expect(copied?.text).not.toContain(KEY);
      expect(copied?.variables.includes('MY_KEY')).toBe(side !== 'local');
      const again = await bench.paste(form, copied?.text ?? '');
      expect(again.url).toBe(seen.url);
      expect(again.method).toBe('POST');
      expect(JSON.parse(again.body)).toEqual(JSON.parse(seen.body));
      for (const name of HEADERS) expect(again.headers[name]).toBe(seen.headers[name]);
    },
  );

  test.each(SIDES)('of $side is offered in its own clients only', async ({ make, clients }) => {
    const { request } = await bench.record(make(), { messages: MESSAGES });
    expect(copyForms(request, PROVIDER_CATALOG)).toEqual([...PLAIN, ...clients, 'provider']);
  });

  test.each([
    [
      'a query, and the key in the header api-key',
      { auth: 'api-key', query: '?api-version=2024-10+21&x=%26é&y' },
    ],
    ['a query that contains a key', { auth: 'none', query: `?key=${KEY}&alt=json` }],
    ['no key', { auth: 'none', query: '' }],
    ['another token limit', { auth: 'bearer', query: '', tokenLimitKey: 'max_completion_tokens' }],
    [
      'a key with another authorization scheme',
      { auth: 'none', query: '', headers: { authorization: `Basic ${KEY}` } },
    ],
    ['two keys', { auth: 'bearer', query: '', headers: { 'api-key': KEY } }],
  ] as const)(
    'with %s sends an equal request as openai and as provider',
    async (_, { auth, query, ...more }) => {
      const provider = hosted({
        host: `${bench.server.url}/v1${query}`,
        apiKey: auth === 'none' ? '' : KEY,
        auth,
        headers: {},
        ...more,
      });
      const { request, sent, seen } = await bench.record(provider, {
        messages: MESSAGES,
        sampling: SAMPLING,
      });
      for (const form of ['openai', 'provider'] as const) {
        const copied = copyAs(form, request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
        expect(copied?.text).not.toContain(KEY);
        const again = await bench.paste(form, copied?.text ?? '');
        expect([...new URL(again.url, bench.server.url).searchParams]).toEqual([
          ...new URL(seen.url, bench.server.url).searchParams,
        ]);
        expect(new URL(again.url, bench.server.url).pathname).toBe('/v1/chat/completions');
        expect(JSON.parse(again.body)).toEqual(JSON.parse(seen.body));
        for (const name of ['authorization', 'api-key']) expect(again.headers[name]).toBe(seen.headers[name]);
      }
    },
  );

  test('of the local protocol with a query and an authorization is not offered as ollama, and keeps both as provider', async () => {
    const provider = new LocalHostProvider({
      host: `${bench.server.url}?key=${KEY}`,
      model: 'm',
      headers: { authorization: `Bearer ${KEY}` },
    });
    const { request, sent, seen } = await bench.record(provider, { messages: MESSAGES });
    expect(copyForms(request, PROVIDER_CATALOG)).not.toContain('ollama');
    const copied = copyAs('provider', request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
    const again = await bench.paste('provider', copied?.text ?? '');
    expect([again.url, again.headers.authorization]).toEqual([seen.url, seen.headers.authorization]);
  });

  test.each(['bash', 'powershell', 'fetch', 'python'] as const)(
    'as %s sends a body that is not compact JSON byte for byte',
    async (form) => {
      if (!canRun(form)) return;
      const body = `{ "a": 1.50, "a": "it's\\u00e9", "b": "‘x’ “y” $(touch copied) 🌦️" }\n\tnot JSON 'EOF'`;
      const request = {
        method: 'PUT',
        url: `${bench.server.url}/talk?key=***&x=[1]{2}'`,
        headers: { 'content-type': 'text/plain', 'accept-language': '*' },
        body,
      };
      expect(copyForms(request, PROVIDER_CATALOG)).toEqual(['bash', 'powershell', 'fetch', 'python']);
      const copied = copyAs(form, request, { variable: 'MY_KEY', sent: {}, catalog: PROVIDER_CATALOG });
      const again = await bench.paste(form, copied?.text ?? '');
      expect(again.body).toBe(body);
      expect(again.method).toBe('PUT');
      expect(decodeURIComponent(again.url)).toBe(`/talk?key=${KEY}&x=[1]{2}'`);
      expect(again.headers['content-type']).toBe('text/plain');
      expect(again.headers['accept-language']).toBe('*');
    },
  );

  test.each(['bash', 'powershell'] as const)(
    'as %s has the headers that were sent, and adds no content type',
    async (form) => {
      if (!canRun(form)) return;
      const request = {
        method: 'POST',
        url: `${bench.server.url}/talk`,
        headers: { 'x-empty': '', 'x-a': 'b', 'x-path': 'C:\\a b\\', 'x-said': '"a" "b c" \\"d\\\\' },
        body: 'a=b',
      };
      const { headers } = await bench.paste(
        form,
        copyAs(form, request, { variable: 'MY_KEY', sent: {}, catalog: PROVIDER_CATALOG })?.text ?? '',
      );
      expect(headers).toMatchObject(request.headers);
      expect(headers).not.toHaveProperty('content-type');
    },
  );

  test.each([
    ['bash', 'x'.repeat(300_000)],
    ['bash', '長'.repeat(60_000)],
    ['powershell', 'x'.repeat(300_000)],
  ] as const)('as %s may have any length: %#', async (form, text) => {
    if (!canRun(form)) return;
    const body = JSON.stringify({ messages: [{ role: 'user', content: `${HOSTILE}${text}` }] });
    const request = { method: 'POST', url: `${bench.server.url}/v1/chat/completions`, headers: {}, body };
    const copied = copyAs(form, request, { variable: 'MY_KEY', sent: {}, catalog: PROVIDER_CATALOG });
    expect((await bench.paste(form, copied?.text ?? '')).body).toBe(body);
  });

  test('executes nothing that it quotes', () => {
    expect(() => readFileSync(join(bench.folder, 'copied'))).toThrow();
  });

  test('mentions that a secret in its body was masked', () => {
    const request: ExchangeRequest = {
      method: 'POST',
      url: 'http://h/api/chat',
      headers: {},
      body: '{"model":"m","messages":[],"note":"********"}',
      isBodyMasked: true,
    };
    for (const form of copyForms(request, PROVIDER_CATALOG)) {
      expect(copyAs(form, request, { variable: 'K', sent: {}, catalog: PROVIDER_CATALOG })?.text).toMatch(
        /secret in the body was masked/,
      );
    }
  });

  test('keeps messages and tools with shapes that neutral input lacks', async () => {
    const raw = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      tools: [{ type: 'web_search' }],
      stream_options: { include_usage: false },
    };
    const { request, sent, seen } = await bench.record(hosted({ raw }), { messages: MESSAGES, ...followed });
    const copied = copyAs('provider', request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
    expect(JSON.parse((await bench.paste('provider', copied?.text ?? '')).body)).toEqual(
      JSON.parse(seen.body),
    );
  });
});
