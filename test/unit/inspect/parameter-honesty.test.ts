import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { samplingWays } from '../../../src/inspect';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  PROVIDER_CATALOG,
  ResponsesApiProvider,
} from '../../../src/library';
import type { SamplingParams } from '../../../src/types';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const RECORDING = new URL(
  '../../fixtures/recorded-messages/ollama-responses-max-tokens-stream.json',
  import.meta.url,
);

const SIDES = { hosted: 'hosted-api', local: 'local-host' } as const;

/** What samplingWays returns for a chat of a real provider of this protocol. */
async function ways(
  side: keyof typeof SIDES,
  { lane = {}, connection = {}, raw }: { lane?: SamplingParams; connection?: SamplingParams; raw?: object },
) {
  await using server = await startServer((_, response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, message: { content: 'hi' }, finish_reason: 'stop' }],
      message: { content: 'hi' },
      done: true,
    }),
  );
  const options = { host: server.url, model: 'm', sampling: connection, raw: { ...raw } };
  const provider =
    side === 'hosted'
      ? new HostedApiProvider({ ...options, apiKey: '', auth: 'none' })
      : new LocalHostProvider(options);
  const { exchange } = await provider.chat({ messages: HELLO, sampling: lane });
  const keys = PROVIDER_CATALOG.find(({ id }) => id === SIDES[side])?.samplingKeys ?? {};
  const { sent, dropped, request } = exchange;
  return Object.fromEntries(
    samplingWays({ lane, connection, keys, sent, dropped }, request.body).map(({ key, ...way }) => [
      key,
      way,
    ]),
  );
}

describe('samplingWays', () => {
  test('reports what the hosted protocol sent, from the lane or the connection, and what it dropped', async () => {
    expect(
      await ways('hosted', {
        lane: { temperature: 0, topK: 40 },
        connection: { temperature: 1, maxTokens: 512, numCtx: 8192 },
      }),
    ).toEqual({
      temperature: { value: '0', setIn: 'lane', way: 'sent', sentAs: 'temperature', sentValue: '0' },
      topP: { way: 'not-set' },
      topK: { value: '40', setIn: 'lane', way: 'dropped' },
      seed: { way: 'not-set' },
      maxTokens: { value: '512', setIn: 'connection', way: 'sent', sentAs: 'max_tokens', sentValue: '512' },
      numCtx: { value: '8192', setIn: 'connection', way: 'dropped' },
      stop: { way: 'not-set' },
      repeatPenalty: { way: 'not-set' },
    });
  });

  test('reports what the local protocol sent, with the names under options', async () => {
    const { numCtx, maxTokens, stop } = await ways('local', {
      lane: { numCtx: 4096, stop: ['a'] },
      connection: { maxTokens: 5 },
    });
    expect(numCtx).toMatchObject({ way: 'sent', sentAs: 'options.num_ctx', sentValue: '4096' });
    expect(maxTokens).toMatchObject({ setIn: 'connection', sentAs: 'options.num_predict' });
    expect(stop).toMatchObject({ value: '["a"]', sentValue: '["a"]' });
  });

  test('reports what raw overrides, removes, or sets alone', async () => {
    const hosted = await ways('hosted', {
      lane: { maxTokens: 512, temperature: 0, topP: 0.9 },
      raw: { max_tokens: 256, temperature: undefined, seed: 7, top_p: 0.9 },
    });
    expect(hosted).toMatchObject({
      maxTokens: { value: '512', way: 'overridden', sentAs: 'max_tokens', sentValue: '256' },
      temperature: { value: '0', way: 'removed' },
      seed: { way: 'raw', sentAs: 'seed', sentValue: '7' },
      // The same value, so nothing is overridden.
      topP: { value: '0.9', way: 'sent' },
    });
    const local = await ways('local', { lane: { seed: 1 }, raw: { options: { seed: 2, top_k: 5 } } });
    expect(local).toMatchObject({
      seed: { way: 'overridden', sentAs: 'options.seed', sentValue: '2' },
      topK: { way: 'raw', sentAs: 'options.top_k', sentValue: '5' },
    });
  });

  test('reports values as removed if the request is not JSON', () => {
    const input = { lane: { seed: 1 }, connection: {}, keys: {}, sent: {}, dropped: [] };
    expect(samplingWays(input, 'seed=1')[3]).toEqual({
      key: 'seed',
      value: '1',
      setIn: 'lane',
      way: 'removed',
    });
  });

  test.each([
    [MessagesApiProvider, 'messages-api', 'claude-opus-4-7', { temperature: 0.2, topK: 40, seed: 1 }],
    [ResponsesApiProvider, 'responses-api', 'gpt-5-mini', { temperature: 0.2, topP: 0.9, seed: 1 }],
  ] as const)(
    'tells what a model refuses from what %o has no place for',
    async (Provider, id, model, lane) => {
      await using server = await startServer((_, response) =>
        sendJson(response, 200, { content: [], output: [], status: 'completed' }),
      );
      const provider = new Provider({ host: server.url, apiKey: '', auth: 'none', model });
      const { exchange } = await provider.chat({ messages: HELLO, sampling: lane });
      const keys = PROVIDER_CATALOG.find((entry) => entry.id === id)?.samplingKeys ?? {};
      const { sent, dropped, request } = exchange;
      const found = samplingWays({ lane, connection: {}, keys, sent, dropped }, request.body);
      const [first, second] = Object.keys(lane);
      expect(Object.fromEntries(found.map(({ key, way }) => [key, way]))).toMatchObject({
        [String(first)]: 'refused',
        [String(second)]: 'refused',
        seed: 'dropped',
      });
    },
  );

  const keys = PROVIDER_CATALOG.find(({ id }) => id === 'responses-api')?.samplingKeys ?? {};
  const lane = { temperature: 0, maxTokens: 5 };
  const input = { lane, connection: {}, keys, sent: {}, dropped: [] };
  const body = JSON.stringify({ temperature: 0, max_output_tokens: 5 });
  const reportedIn = (reply: string | undefined): object =>
    Object.fromEntries(
      samplingWays(input, body, reply).flatMap(({ key, reported }) =>
        reported === undefined ? [] : [[key, reported]],
      ),
    );

  test('reports the sampling that a recorded response of Ollama says it was made with', () => {
    const { response } = JSON.parse(readFileSync(RECORDING, 'utf8')) as { response: { body: string } };
    expect(reportedIn(response.body)).toEqual({ temperature: '1', topP: '1', maxTokens: '5' });
    expect(reportedIn(`${response.body}data: [DONE]\n\n`)).toMatchObject({ maxTokens: '5' });
    expect(reportedIn(response.body.replaceAll('\n', '\r\n'))).toMatchObject({ maxTokens: '5' });
  });

  test.each([
    ['no reply', undefined],
    ['a reply that repeats nothing', '{"object":"response","temperature":null}'],
    ['a reply of another protocol', '{"object":"chat.completion","temperature":1}'],
    ['a stream that was cut', 'data: {"response":{"object":"response","temp'],
    ['a text', 'temperature'],
  ])('reports nothing of %s', (_name, reply) => {
    expect(reportedIn(reply)).toEqual({});
  });

  test('reports what an unstreamed response says', () => {
    expect(reportedIn(' {"object":"response","temperature":1,"top_p":0.98}')).toEqual({
      temperature: '1',
      topP: '0.98',
    });
  });
});
