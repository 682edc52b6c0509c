// What every kind of provider returns: the turn, its cost, rescued calls, and an explained error.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatDelta, ToolType } from '../../../src/library';
import { closeConnections, ProviderError } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';
import { PROVIDER_KINDS } from '../../support/connections/provider-kinds';

const FORECAST: ToolType = {
  name: 'forecast',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const CALL = '<tool_call>{"name": "forecast", "arguments": {"city": "Oslo"}}</tool_call>';

afterAll(closeConnections);

describe.each(PROVIDER_KINDS)('a turn of $name', (kind) => {
  const { make, reply, noCalls = { tool_choice: 'none' }, sent = { seed: 7 } } = kind;
  const serve = (text: string) =>
    startServer((_, response) =>
      sendJson(response, 200, reply(text, { promptTokens: 1000, completionTokens: 500 })),
    );

  test('contains the reply, the message for the history, the ledger and the exchange', async () => {
    await using server = await serve('hi');
    const turn = await make(server.url).chat({ messages: HELLO });
    expect(turn).toMatchObject({
      assistant: { role: 'assistant', content: 'hi' },
      raw: { content: 'hi', toolCalls: [], usage: { promptTokens: 1000 }, attempts: 1 },
      toolCalls: [],
      usage: { promptTokens: 1000, completionTokens: 500 },
      attempts: 1,
      ledger: [{ attempt: 1, status: 200, endedBy: 'server', decision: 'done' }],
      exchange: { request: { method: 'POST' }, response: { status: 200 } },
    });
    expect(turn.exchange.request.url.startsWith(server.url)).toBe(true);
    expect(turn.exchange.request.body).toBe(server.requests[0]?.body);
    expect(JSON.parse(turn.exchange.response?.body ?? '')).toEqual(
      JSON.parse(JSON.stringify(reply('hi', turn.raw.usage))),
    );
  });

  test('has a cost only if there are rates', async () => {
    await using server = await serve('hi');
    const rated = make(server.url, { costPer1kTokens: { input: 0.01, output: 0.02 } });
    expect(rated.hasRates).toBe(true);
    expect((await rated.chat({ messages: HELLO })).usage.costUsd).toBeCloseTo(0.02, 10);
    const unrated = make(server.url);
    expect(unrated.hasRates).toBe(false);
    expect((await unrated.chat({ messages: HELLO })).usage).not.toHaveProperty('costUsd');
  });

  test('contains a call that the model wrote as text, unless rescue is off or tool choice is none', async () => {
    await using server = await serve(`Sure.\n${CALL}`);
    const chat = { tools: [FORECAST], messages: HELLO };
    const turn = await make(server.url).chat(chat);
    expect(turn.raw).toMatchObject({ content: `Sure.\n${CALL}`, toolCalls: [] });
    expect(turn.toolCalls).toMatchObject([
      { name: 'forecast', arguments: { city: 'Oslo' }, source: 'rescued' },
    ]);
    expect(turn.assistant).toMatchObject({ content: 'Sure.', toolCalls: [{ name: 'forecast' }] });
    const off = await make(server.url, { rescueToolCalls: false }).chat(chat);
    expect([off.toolCalls, off.assistant.content]).toEqual([[], `Sure.\n${CALL}`]);
    expect(off.rescue?.calls).toMatchObject([{ name: 'forecast' }]);
    const forbidden = await make(server.url, { raw: noCalls }).chat(chat);
    expect(forbidden.toolCalls).toEqual([]);
    expect(forbidden.assistant).toEqual(off.assistant);
    expect(forbidden.rescue?.calls).toMatchObject([{ name: 'forecast' }]);
    expect(forbidden.exchange.toolChoice).toEqual({ choice: 'none', key: Object.keys(noCalls)[0] });
    const without = await make(server.url).chat({ messages: HELLO });
    expect([without.toolCalls, without.rescue]).toEqual([[], undefined]);
  });

  test.each([
    ['Standard', (schema: object) => ({ '~standard': { jsonSchema: { input: () => schema } } })],
    ['zod', (schema: object) => ({ toJSONSchema: () => schema })],
  ])('contains a call whose arguments have the types of a %s schema', async (_, toParameters) => {
    await using server = await serve('<function=forecast><parameter=days>3</parameter></function>');
    const properties = { days: { type: 'integer' } };
    const parameters = toParameters({ type: 'object', properties, required: ['days', 'city'] });
    const chat = { tools: [{ name: 'forecast', parameters }], messages: HELLO };
    const { rescue, toolCalls } = await make(server.url).chat(chat);
    expect(toolCalls).toMatchObject([{ name: 'forecast', arguments: { days: 3 } }]);
    expect(rescue?.calls[0]?.schemaIssues).toEqual([{ path: '/city', message: expect.any(String) }]);
  });

  test('is requested with the sampling of the call merged over the provider’s, key by key', async () => {
    await using server = await serve('hi');
    const provider = make(server.url, { sampling: { temperature: 0, seed: 7, topP: 0.5 } });
    await provider.chat({ messages: HELLO, sampling: { temperature: 1, seed: undefined, topP: undefined } });
    const body = JSON.parse(server.requests[0]?.body ?? '') as Record<string, unknown>;
    expect(kind.sampling(body)).toMatchObject({ temperature: 1, ...sent });
  });

  test('is the same when it is observed, with its pieces if the provider can stream', async () => {
    const { stream } = kind;
    await using server = await startServer((_, response) =>
      stream ? response.end(stream('hello')) : sendJson(response, 200, reply('hello')),
    );
    const deltas: ChatDelta[] = [];
    const turn = await make(server.url).chat({ messages: HELLO, onDelta: (delta) => deltas.push(delta) });
    expect([turn.raw.content, turn.assistant.content, turn.attempts]).toEqual(['hello', 'hello', 1]);
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe(stream ? 'hello' : '');
  });

  test('that fails is an error with an explanation, a ledger and an exchange', async () => {
    await using server = await startServer((_, response) => response.end('no JSON'));
    const error = await failure(make(server.url).chat({ messages: HELLO }));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({
      code: 'response-format',
      attempts: 1,
      ledger: [{ status: 200, decision: 'done' }],
      exchange: { request: { method: 'POST' }, response: { status: 200, body: 'no JSON' } },
    });
    const { what, why, next } = error.explanation;
    for (const sentence of [what, why, next]) expect(sentence).not.toBe('');
    expect(error.message).toContain(what);
  });
});

describe('embeddings', () => {
  test.each(PROVIDER_KINDS)(
    '$name: one vector per text, or an error that says there are none',
    async (kind) => {
      const { embeddings, make } = kind;
      await using server = await startServer((_, response) =>
        sendJson(
          response,
          200,
          embeddings?.([
            [1, 0],
            [0, 1],
          ]) ?? {},
        ),
      );
      const made = make(server.url).embedMany(['a', 'b']);
      if (embeddings)
        expect(await made).toEqual([
          [1, 0],
          [0, 1],
        ]);
      else {
        const { code, explanation } = await failure(made);
        expect(code).toBe('unsupported');
        expect(Object.values(explanation)).not.toContain('');
      }
      expect(server.requests).toHaveLength(embeddings ? 1 : 0);
    },
  );
});
