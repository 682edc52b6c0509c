import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_MODELS, startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { toRequest, userMessage } from '../ask-model';
import { headerOf, sendRequest } from '../raw-request';
import type { RawReply } from '../raw-request';

const KEY = 'sekrit';
const VERSION = { 'anthropic-version': '2023-06-01' };

let open: DemoServer;
let keyed: DemoServer;
beforeEach(async () => {
  [open, keyed] = await Promise.all([startDemoServer(), startDemoServer({ apiKey: KEY })]);
});
afterEach(() => Promise.all([open.close(), keyed.close()]));

async function ask(model: string, more: object = {}): Promise<RawReply> {
  const { url, ...request } = toRequest(open, {
    protocol: 'messages',
    model,
    messages: [userMessage('hi')],
    more,
  });
  return sendRequest(url, request);
}

const errorOf = ({ status, body }: RawReply): unknown => [status, JSON.parse(body)];

describe('the messages side of the demo server', () => {
  test.each([{ 'x-api-key': KEY }, { authorization: `Bearer ${KEY}` }])(
    'takes the key as %j',
    async (headers) => {
      const reply = await sendRequest(`${keyed.localHost}/v1/models`, {
        headers: { ...VERSION, ...headers },
      });
      expect(reply.status).toBe(200);
    },
  );

  test.each([
    [{}, 'x-api-key header is required'],
    [{ 'x-api-key': 'other' }, 'invalid x-api-key'],
    [{ authorization: 'Bearer other' }, 'Invalid bearer token'],
  ])('refuses %j with its own error', async (headers, message) => {
    const reply = await sendRequest(`${keyed.localHost}/v1/messages`, {
      headers: { ...VERSION, ...headers },
      body: '{}',
    });
    const id = headerOf(reply, 'request-id');
    expect(id).toMatch(/^req_01\w{22}$/);
    expect(errorOf(reply)).toEqual([
      401,
      { type: 'error', error: { type: 'authentication_error', message }, request_id: id },
    ]);
    expect(headerOf(reply, 'x-should-retry')).toBe('false');
  });

  test('demands the header with the version', async () => {
    const reply = await sendRequest(`${open.localHost}/v1/messages`, { body: '{}' });
    expect(errorOf(reply)).toMatchObject([
      400,
      { error: { message: 'anthropic-version: header is required' } },
    ]);
  });

  test.each([
    ['GET', '/v1/messages', 405, 'invalid_request_error'],
    ['POST', '/v1/messages/other', 404, 'not_found_error'],
    ['GET', '/v1/models/other', 404, 'not_found_error'],
  ])('answers %s %s with %i', async (method, path, status, type) => {
    const reply = await sendRequest(open.localHost + path, { method, headers: VERSION });
    expect(errorOf(reply)).toMatchObject([status, { type: 'error', error: { type } }]);
  });

  test('refuses a body that is too long', async () => {
    const body = `{"x":"${'x'.repeat(8 * 1024 * 1024)}"}`;
    const reply = await sendRequest(`${open.localHost}/v1/messages`, { headers: VERSION, body });
    expect(errorOf(reply)).toMatchObject([413, { error: { type: 'request_too_large' } }]);
  });

  test('reports what is left of its limits, with a reply and with a refusal', async () => {
    const left = (reply: RawReply): unknown => [
      headerOf(reply, 'anthropic-ratelimit-requests-limit'),
      headerOf(reply, 'anthropic-ratelimit-requests-remaining'),
    ];
    expect(left(await ask('native-call'))).toEqual(['50', '49']);
    const refused = await ask('rate-limited');
    expect([refused.status, headerOf(refused, 'retry-after'), ...(left(refused) as string[])]).toEqual([
      429,
      '1',
      '50',
      '0',
    ]);
    expect(headerOf(refused, 'anthropic-ratelimit-requests-reset')).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    );
    expect(headerOf(refused, 'x-should-retry')).toBe('true');
  });

  test('generates nothing for a limit of 0', async () => {
    expect(JSON.parse((await ask('native-call', { max_tokens: 0 })).body)).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 0 },
    });
  });

  test('counts the tokens that a reply to the same prompt reports', async () => {
    const body = { model: 'native-call', messages: [userMessage('What is the weather in Oslo?')] };
    const url = `${open.localHost}/v1/messages`;
    const send = async (path: string, more: object): Promise<{ input_tokens: number; usage: unknown }> =>
      JSON.parse(
        (await sendRequest(url + path, { headers: VERSION, body: JSON.stringify({ ...body, ...more }) }))
          .body,
      ) as { input_tokens: number; usage: unknown };
    const { input_tokens } = await send('/count_tokens', {});
    expect(input_tokens).toBeGreaterThan(5);
    expect((await send('', { max_tokens: 9 })).usage).toMatchObject({ input_tokens });
  });
});

describe('the models of the messages side', () => {
  interface List {
    data: { id: string; type: string }[];
    has_more: boolean;
    first_id: string | null;
    last_id: string | null;
  }
  const list = async (query: string): Promise<List> =>
    JSON.parse((await sendRequest(`${open.localHost}/v1/models${query}`, { headers: VERSION })).body) as List;
  const idsOf = ({ data }: List): string[] => data.map(({ id }) => id);
  const chatModels = DEMO_MODELS.filter((name) => name !== 'demo-embed');

  test('are all but the embedding model', async () => {
    const all = await list('');
    expect(idsOf(all)).toEqual(chatModels);
    expect(all).toMatchObject({ has_more: false, first_id: chatModels[0], last_id: chatModels.at(-1) });
  });

  test('come in pages, forwards and backwards', async () => {
    const first = await list('?limit=2');
    expect([idsOf(first), first.has_more]).toEqual([chatModels.slice(0, 2), true]);
    const rest = await list(`?limit=100&after_id=${first.last_id}`);
    expect([idsOf(rest), rest.has_more]).toEqual([chatModels.slice(2), false]);
    const back = await list(`?limit=1&before_id=${rest.first_id}`);
    expect([idsOf(back), back.has_more]).toEqual([chatModels.slice(1, 2), true]);
  });

  test.each(['?limit=0', '?limit=x', '?after_id=other'])('refuse %s', async (query) => {
    const reply = await sendRequest(`${open.localHost}/v1/models${query}`, { headers: VERSION });
    expect(reply.status).toBe(400);
  });

  test('are each described', async () => {
    const reply = await sendRequest(`${open.localHost}/v1/models/native-call`, { headers: VERSION });
    expect(JSON.parse(reply.body)).toMatchObject({ id: 'native-call', max_tokens: 128_000, type: 'model' });
  });
});
