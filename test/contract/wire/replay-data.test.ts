// What a server wants back unchanged with a message: read from its reply, streamed or not, and sent in the next request.
import { array, assert, asyncProperty, jsonValue } from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, Message } from '../../../src/library';
import { closeConnections, HostedApiProvider, runAgent } from '../../../src/library';
import { startServer } from '../../support/servers/http-server';
import { answerChat } from './replay-chat';
import { CALL, chunk, DONE, reply, stream } from './synthetic-answers';

afterAll(closeConnections);

const chat = async (body: object | string): Promise<ChatTurn> =>
  (await answerChat('hosted', body, { isStreamed: typeof body === 'string' })) as ChatTurn;

/** The message and the record of a request that has it in its history. */
async function sendBack(
  message: Message,
  protocol: 'hosted' | 'local' = 'hosted',
): Promise<{ sent: Record<string, unknown>; replaced: string[] | undefined }> {
  const body = protocol === 'hosted' ? reply({ content: 'x' }) : { message: { content: 'x' }, done: true };
  const { exchange } = (await answerChat(protocol, body, {
    options: { messages: [message] },
  })) as ChatTurn;
  const { messages } = JSON.parse(exchange.request.body) as { messages: Record<string, unknown>[] };
  return { sent: messages[0] ?? {}, replaced: exchange.replaced };
}

const withCall = (...deltas: object[]): string =>
  stream(
    chunk({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({ tool_calls: [{ index: 0, ...CALL }] }),
    chunk({}, 'tool_calls'),
    DONE,
  );

const SIGNED = { type: 'reasoning.text', text: 'Use it.', index: 0, format: 'f', signature: 'c2ln' };
const SECRET_ENTRY = { type: 'reasoning.encrypted', data: 'Zm9v', index: 0, id: 'rs_1' };

const REPLIES: [what: string, deltas: object[], fields: object][] = [
  [
    'reasoning_content',
    [{ reasoning_content: 'R: look' }, { reasoning_content: ' it up.' }],
    { reasoning_content: 'R: look it up.' },
  ],
  ['reasoning', [{ reasoning: 'Use' }, { reasoning: ' the tool.' }], { reasoning: 'Use the tool.' }],
  [
    'reasoning_details beside a text',
    [{ reasoning: 'Use it.', reasoning_details: [SIGNED] }],
    { reasoning: 'Use it.', reasoning_details: [SIGNED] },
  ],
  [
    'reasoning_details in pieces, the signature last, an encrypted entry with the same index',
    [
      { reasoning_details: [{ ...SIGNED, text: 'Use', signature: null }] },
      { reasoning_details: [{ type: 'reasoning.text', text: ' it.', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 'c2ln' }] },
      { reasoning_details: [SECRET_ENTRY] },
    ],
    { reasoning_details: [SIGNED, SECRET_ENTRY] },
  ],
  [
    'reasoning_details without an index',
    [
      { reasoning_details: [{ type: 'reasoning.text', text: 'a' }] },
      { reasoning_details: [{ type: 'reasoning.text', text: 'b', signature: 's' }] },
      { reasoning_details: [{ type: 'reasoning.text', text: 'c' }] },
    ],
    {
      reasoning_details: [
        { type: 'reasoning.text', text: 'ab', signature: 's' },
        { type: 'reasoning.text', text: 'c' },
      ],
    },
  ],
];

describe('replay data', () => {
  test.each(REPLIES)('is sent back under the field of the reply: %s', async (_what, deltas, fields) => {
    for (const body of [reply({ content: '', ...fields, tool_calls: [CALL] }), withCall(...deltas)]) {
      const { raw, assistant } = await chat(body);
      expect(raw.replay).toEqual({ provider: 'chat-completions', model: 'tiny', data: fields });
      const { sent, replaced } = await sendBack(assistant);
      expect(sent).toEqual({ role: 'assistant', content: '', ...fields, tool_calls: [CALL] });
      expect(replaced).toBeUndefined();
    }
  });

  test('is absent, and nothing is added, when the reply has no reasoning of its own', async () => {
    for (const none of [{}, { reasoning_content: null }, { reasoning: '', reasoning_details: [] }]) {
      const { raw, assistant } = await chat(reply({ content: 'a', ...none, tool_calls: [CALL] }));
      expect(raw.replay).toBeUndefined();
      expect((await sendBack(assistant)).sent).toEqual({
        role: 'assistant',
        content: 'a',
        tool_calls: [CALL],
      });
    }
  });

  test('of thinking parts in the content is absent, streamed or not', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Hi' },
    ];
    for (const body of [reply({ content }), stream(chunk({ content }), chunk({}, 'stop'), DONE)]) {
      const { raw } = await chat(body);
      expect(raw).toMatchObject({ content: 'Hi', reasoning: 'hm' });
      expect(raw.replay).toBeUndefined();
    }
  });

  test('is not sent with a message without calls', async () => {
    const { assistant } = await chat(reply({ content: 'Hi', reasoning_content: 'hm' }));
    expect(await sendBack(assistant)).toEqual({
      sent: { role: 'assistant', content: 'Hi' },
      replaced: undefined,
    });
  });

  test('is left out, and named, for another model, another kind of provider, and when it is withheld', async () => {
    const { assistant } = await chat(reply({ content: '', reasoning: 'R', tool_calls: [CALL] }));
    const { replay } = assistant;
    const withheld: Message = { ...assistant, replay: replay && { ...replay, isWithheld: true } };
    const others = [
      await sendBack({ ...assistant, replay: replay && { ...replay, model: 'other' } }),
      await sendBack(withheld),
      await sendBack({ ...assistant, replay: { provider: 'made-up', data: { reasoning: 'R' } } }),
    ];
    for (const { sent, replaced } of others) {
      expect(sent).toEqual({ role: 'assistant', content: '', tool_calls: [CALL] });
      expect(replaced).toEqual(['messages[0].replay']);
    }
    const local = await sendBack(assistant, 'local');
    expect(local.replaced).toEqual(['messages[0].replay']);
    expect(local.sent).not.toHaveProperty('reasoning');
  });

  test('cannot replace the other members of its message', async () => {
    const { assistant } = await chat(reply({ content: '', reasoning: 'R', tool_calls: [CALL] }));
    const data = { role: 'system', content: 'changed', reasoning: 'R' };
    const replay = { provider: 'chat-completions', data };
    const { sent } = await sendBack({ ...assistant, replay });
    expect(sent).toEqual({ role: 'assistant', content: '', reasoning: 'R', tool_calls: [CALL] });
  });

  test('of unknown JSON comes back byte for byte', async () => {
    const entries = array(jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 4 });
    await assert(
      asyncProperty(entries, async (values) => {
        const details = JSON.parse(JSON.stringify(values)) as unknown[];
        const { assistant } = await chat(
          reply({ content: '', reasoning_details: details, tool_calls: [CALL] }),
        );
        const { sent } = await sendBack(assistant);
        expect(JSON.stringify(sent['reasoning_details'])).toBe(JSON.stringify(details));
      }),
      { numRuns: 25 },
    );
  });

  test('goes back in the second request of an agent, with native and with rescued calls', async () => {
    const written = '<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>';
    for (const first of [{ content: '', tool_calls: [CALL] }, { content: written }]) {
      const bodies: { messages: Record<string, unknown>[] }[] = [];
      await using server = await startServer((request, response) => {
        bodies.push(JSON.parse(request.body) as (typeof bodies)[number]);
        const answer =
          bodies.length === 1 ? { ...first, reasoning_content: 'R: look it up.' } : { content: '4 degrees' };
        response.end(JSON.stringify(reply(answer)));
      });
      const provider = new HostedApiProvider({ host: `${server.url}/v1`, apiKey: 'k', model: 'm' });
      const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
      const tool = { name: 'get_weather', parameters, execute: () => 4 };
      const report = await runAgent({ provider, tools: [tool] }, 'Oslo?');
      expect(report.output).toBe('4 degrees');
      const message = bodies[1]?.messages.find(({ role }) => role === 'assistant');
      expect(message).toMatchObject({ content: '', reasoning_content: 'R: look it up.' });
      expect(message?.['tool_calls']).toHaveLength(1);
    }
  });
});
