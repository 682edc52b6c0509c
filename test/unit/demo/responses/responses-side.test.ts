import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { toRequest, userMessage } from '../ask-model';
import { headerOf, sendRequest } from '../raw-request';
import type { RawReply } from '../raw-request';

const KEY = 'sekrit';

let open: DemoServer;
let keyed: DemoServer;
beforeEach(async () => {
  [open, keyed] = await Promise.all([startDemoServer(), startDemoServer({ apiKey: KEY })]);
});
afterEach(() => Promise.all([open.close(), keyed.close()]));

async function ask(model: string, more: object = {}): Promise<RawReply> {
  const messages = [userMessage('hi')];
  const { url, ...request } = toRequest(open, { protocol: 'responses', model, messages, more });
  return sendRequest(url, request);
}

const errorOf = ({ status, body }: RawReply): unknown => [status, JSON.parse(body)];

describe('the responses side of the demo server', () => {
  test.each([
    [{}, null],
    [{ authorization: 'Bearer other' }, 'invalid_api_key'],
    [{ 'x-api-key': KEY }, null],
  ])('refuses the key %j', async (headers, code) => {
    const reply = await sendRequest(`${keyed.hostedHost}/responses`, { headers, body: '{}' });
    expect(errorOf(reply)).toMatchObject([
      401,
      { error: { type: 'invalid_request_error', param: null, code } },
    ]);
    expect(headerOf(reply, 'x-request-id')).toMatch(/^req_\w{32}$/);
  });

  test('takes the bearer key', async () => {
    const headers = { authorization: `Bearer ${KEY}` };
    expect((await sendRequest(`${keyed.hostedHost}/responses`, { headers, body: '{}' })).status).toBe(400);
  });

  test.each([
    ['GET', '/responses', 405],
    ['PUT', '/responses/resp_1', 404],
    ['GET', '/responses/resp_1', 404],
    ['DELETE', '/responses/resp_1', 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    const reply = await sendRequest(open.hostedHost + path, { method });
    expect(errorOf(reply)).toMatchObject([status, { error: { type: 'invalid_request_error' } }]);
  });

  test('reports what is left of its limits, with a reply and with a refusal', async () => {
    const left = (reply: RawReply): unknown[] =>
      ['limit', 'remaining', 'reset'].map((name) => headerOf(reply, `x-ratelimit-${name}-requests`));
    expect(left(await ask('native-call'))).toEqual(['500', '499', '120ms']);
    const refused = await ask('rate-limited');
    expect([refused.status, headerOf(refused, 'retry-after'), ...left(refused)]).toEqual([
      429,
      '1',
      '500',
      '0',
      '1m0s',
    ]);
  });

  test('counts the tokens that a reply to the same prompt reports', async () => {
    const body = JSON.stringify({ model: 'native-call', input: [userMessage('hi')] });
    const counted = JSON.parse(
      (await sendRequest(`${open.hostedHost}/responses/input_tokens`, { body })).body,
    ) as object;
    expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
    expect(JSON.parse((await ask('native-call')).body)).toMatchObject({
      usage: { input_tokens: (counted as { input_tokens: number }).input_tokens },
    });
  });

  test('keeps a response only if the request lets it', async () => {
    const idOf = async (store: boolean): Promise<string> =>
      (JSON.parse((await ask('native-call', { store })).body) as { id: string }).id;
    const url = `${open.hostedHost}/responses/`;
    expect((await sendRequest(url + (await idOf(false)))).status).toBe(404);
    const id = await idOf(true);
    expect(JSON.parse((await sendRequest(url + id)).body)).toMatchObject({ id, status: 'completed' });
    expect(JSON.parse((await sendRequest(url + id, { method: 'DELETE' })).body)).toMatchObject({
      id,
      deleted: true,
    });
    expect((await sendRequest(url + id)).status).toBe(404);
  });
});
