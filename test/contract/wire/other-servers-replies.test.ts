// Known replies of other servers. Nothing here was recorded. The pieces of streamed tool calls have tests of their own.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn } from '../../../src/library';
import { closeConnections } from '../../../src/library';
import { answerChat } from './replay-chat';
import { CALL, chunk, DONE, OSLO, read, reply, stream } from './synthetic-answers';

type Case = [sentence: string, body: object | string, expected: object];

afterAll(closeConnections);

describe('a synthetic reply', () => {
  test.each<Case>([
    [
      'vLLM: reasoning in the field reasoning',
      reply({ content: 'Hi', reasoning: 'hm' }),
      { content: 'Hi', reasoning: 'hm' },
    ],
    [
      'older vLLM: reasoning in the field reasoning_content',
      reply({ content: 'Hi', reasoning_content: 'hm' }),
      { reasoning: 'hm' },
    ],
    [
      'vLLM: a call with the finish reason stop for a named tool choice',
      reply({ content: '', tool_calls: [CALL] }),
      { calls: [OSLO] },
    ],
    [
      'vLLM: the finish reason tool_calls without a call',
      reply({ content: 'get_weather(Oslo)', tool_calls: [] }, 'tool_calls'),
      { content: 'get_weather(Oslo)', calls: [], finishReason: 'tool_calls' },
    ],
    [
      'Mistral: content in parts, with reasoning, in a stream',
      stream(
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
        chunk({ content: [{ type: 'text', text: 'Hel' }] }),
        chunk({ content: 'lo' }, 'stop'),
        DONE,
      ),
      { content: 'Hello', reasoning: 'hm' },
    ],
    [
      'any server: parts without a type, plain strings, and refusals',
      reply({
        content: [{ text: 'a' }, 'b', { type: 'image', text: 'c' }, { type: 'refusal', refusal: 'd' }],
      }),
      { content: 'abd' },
    ],
    [
      'OpenRouter: comments in a stream while it waits',
      stream(
        ': OPENROUTER PROCESSING\n\n',
        chunk({ content: 'Hi' }, 'stop'),
        ': OPENROUTER PROCESSING\n\n',
        DONE,
      ),
      { content: 'Hi' },
    ],
    [
      'OpenRouter: reasoning as details and again as text',
      reply({ content: 'Hi', reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }),
      { reasoning: 'hm' },
    ],
    [
      'OpenRouter: reasoning as details only, some of them encrypted',
      reply({
        content: 'Hi',
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'h' },
          { type: 'reasoning.encrypted', data: 'xyz' },
          { type: 'reasoning.text', text: 'm' },
        ],
      }),
      { reasoning: 'hm' },
    ],
    [
      'OpenRouter: an empty reply without counts after its provider lost the connection',
      reply({ content: null }, 'error', { usage: { prompt_tokens: null, completion_tokens: null } }),
      { content: '', calls: [], finishReason: 'error', promptTokens: undefined, completionTokens: undefined },
    ],
    [
      'Azure: a first chunk without choices, and a last one without a delta',
      stream(
        { id: '', model: '', choices: [], prompt_filter_results: [] },
        chunk({ content: 'Hi' }, 'stop'),
        { choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] },
        DONE,
      ),
      { content: 'Hi', finishReason: 'stop' },
    ],
    [
      'Azure: no content after its filter stopped the reply',
      reply({}, 'content_filter'),
      { content: '', finishReason: 'content_filter' },
    ],
    [
      'Gemini: streamed calls without an index, with the finish reason stop',
      stream(chunk({ tool_calls: [CALL] }), chunk({}, 'stop'), DONE),
      { calls: [OSLO], finishReason: 'stop' },
    ],
    [
      'DeepSeek: blank lines before the document while a request is queued',
      `\n\n\n${JSON.stringify(reply({ content: 'Hi', reasoning_content: 'hm' }))}`,
      { content: 'Hi', reasoning: 'hm' },
    ],
    [
      'DeepSeek: comments while a stream is queued',
      stream(': keep-alive\n\n', ': keep-alive\n\n', chunk({ content: 'Hi' }, 'stop'), DONE),
      { content: 'Hi' },
    ],
    [
      'DeepSeek: the finish reason insufficient_system_resource',
      reply({ content: 'Hi' }, 'insufficient_system_resource'),
      { finishReason: 'insufficient_system_resource' },
    ],
    ['LM Studio: a call with an empty id', reply({ tool_calls: [{ ...CALL, id: '' }] }), { calls: [OSLO] }],
    ['xAI: the finish reason end_turn', reply({ content: 'Hi' }, 'end_turn'), { finishReason: 'end_turn' }],
    [
      'z.AI: the finish reason sensitive',
      reply({ content: 'Hi' }, 'sensitive'),
      { finishReason: 'sensitive' },
    ],
    ['any server: no finish reason', reply({ content: 'Hi' }, null), { finishReason: undefined }],
    [
      'any server: empty arguments for a tool without parameters',
      reply({ tool_calls: [{ id: 'a', function: { name: 'now', arguments: '' } }] }),
      { calls: [{ name: 'now', arguments: '' }] },
    ],
  ])('is read: %s', async (_, body, expected) => {
    expect(await read(body)).toMatchObject({ is: 'turn', ...expected });
  });

  test('of a relay of Gemini has the arguments of several calls in one entry, streamed or not', async () => {
    const call = { id: 'a', function: { name: 'get_weather', arguments: '{"city":"}{"}{"city":"Bergen"}' } };
    const bodies = [
      reply({ content: '', tool_calls: [call] }),
      stream(chunk({ tool_calls: [{ index: 0, ...call }] }), chunk({}, 'stop'), DONE),
    ];
    for (const body of bodies) {
      const turn = (await answerChat('hosted', body, { isStreamed: typeof body === 'string' })) as ChatTurn;
      expect(turn.toolCalls).toMatchObject([
        { id: 'a', name: 'get_weather', arguments: { city: '}{' } },
        { id: expect.stringMatching(/./), name: 'get_weather', arguments: { city: 'Bergen' } },
      ]);
      expect(turn.exchange.toolCalls).toEqual([
        { rawArguments: '{"city":"}{"}' },
        { rawArguments: '{"city":"Bergen"}' },
      ]);
    }
  });

  test.each(['{"city":"Oslo"}{"city"', '{"city":"Oslo"}{}x', '{"city":"Oslo"}{bad}'])(
    'keeps arguments that are not several complete objects as one text: %s',
    async (text) => {
      const call = { ...CALL, function: { name: 'get_weather', arguments: text } };
      const turn = (await answerChat('hosted', reply({ tool_calls: [call] }))) as ChatTurn;
      expect(turn.toolCalls).toMatchObject([{ arguments: text }]);
      expect(turn.exchange.toolCalls).toMatchObject([{ parseError: expect.any(String) }]);
    },
  );

  test('of Gemini keeps the thought signature with its call, streamed or not, and it is sent back', async () => {
    const extraContent = { google: { thought_signature: 'c2lnbmF0dXJl' } };
    const signed = { ...CALL, extra_content: extraContent };
    const bodies = [
      reply({ content: '', tool_calls: [signed] }),
      stream(chunk({ tool_calls: [{ index: 0, ...signed }] }), chunk({}, 'stop'), DONE),
    ];
    for (const body of bodies) {
      const turn = (await answerChat('hosted', body, { isStreamed: typeof body === 'string' })) as ChatTurn;
      expect(turn.toolCalls).toMatchObject([{ id: 'a', extraContent }]);
      const next = await answerChat('hosted', reply({ content: 'x' }), {
        options: { messages: [turn.assistant] },
      });
      expect(JSON.parse((next as ChatTurn).exchange.request.body)).toMatchObject({
        messages: [{ role: 'assistant', tool_calls: [signed] }],
      });
    }
  });
});
