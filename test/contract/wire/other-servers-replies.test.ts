// Known replies of other servers. Nothing here was recorded. Pieces of tool calls are tested with the reader of streams.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn } from '../../../src/library';
import { closeConnections } from '../../../src/library';
import { answerChat } from './replay-chat';
import { CALL, chunk, DONE, OSLO, read, reply, stream } from './synthetic-answers';

type Case = [sentence: string, body: object | string, expected: object];

afterAll(closeConnections);

describe('synthetic replies', () => {
  test.each<Case>([
    [
      'vLLM names reasoning `reasoning`',
      reply({ content: 'Hi', reasoning: 'hm' }),
      { content: 'Hi', reasoning: 'hm' },
    ],
    [
      'vLLM named it `reasoning_content` before',
      reply({ content: 'Hi', reasoning_content: 'hm' }),
      { reasoning: 'hm' },
    ],
    [
      'vLLM stops, by its own word, after a named tool',
      reply({ content: '', tool_calls: [CALL] }),
      { calls: [OSLO] },
    ],
    [
      'vLLM says that it calls tools where it found no call',
      reply({ content: 'get_weather(Oslo)', tool_calls: [] }, 'tool_calls'),
      { content: 'get_weather(Oslo)', calls: [], finishReason: 'tool_calls' },
    ],
    [
      'Mistral sends parts, reasoning among them, in a stream too',
      stream(
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
        chunk({ content: [{ type: 'text', text: 'Hel' }] }),
        chunk({ content: 'lo' }, 'stop'),
        DONE,
      ),
      { content: 'Hello', reasoning: 'hm' },
    ],
    [
      'parts may lack a type, be texts themselves, or refuse',
      reply({
        content: [{ text: 'a' }, 'b', { type: 'image', text: 'c' }, { type: 'refusal', refusal: 'd' }],
      }),
      { content: 'abd' },
    ],
    [
      'OpenRouter sends comments while it waits',
      stream(
        ': OPENROUTER PROCESSING\n\n',
        chunk({ content: 'Hi' }, 'stop'),
        ': OPENROUTER PROCESSING\n\n',
        DONE,
      ),
      { content: 'Hi' },
    ],
    [
      'OpenRouter tells reasoning as details, and repeats it as a text',
      reply({ content: 'Hi', reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }),
      { reasoning: 'hm' },
    ],
    [
      'OpenRouter may tell it as details only, some of them encrypted',
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
      'OpenRouter gives an empty reply when its provider lost the connection, without counts',
      reply({ content: null }, 'error', { usage: { prompt_tokens: null, completion_tokens: null } }),
      { content: '', calls: [], finishReason: 'error', promptTokens: undefined, completionTokens: undefined },
    ],
    [
      'Azure begins with a chunk without choices and names, and ends with one without a delta',
      stream(
        { id: '', model: '', choices: [], prompt_filter_results: [] },
        chunk({ content: 'Hi' }, 'stop'),
        { choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] },
        DONE,
      ),
      { content: 'Hi', finishReason: 'stop' },
    ],
    [
      'Azure sends no content where its filter stopped the reply',
      reply({}, 'content_filter'),
      { content: '', finishReason: 'content_filter' },
    ],
    [
      'Gemini stops, by its own word, after calls in a stream that have no index',
      stream(chunk({ tool_calls: [CALL] }), chunk({}, 'stop'), DONE),
      { calls: [OSLO], finishReason: 'stop' },
    ],
    [
      'DeepSeek sends blank lines before the document while a request is queued',
      `\n\n\n${JSON.stringify(reply({ content: 'Hi', reasoning_content: 'hm' }))}`,
      { content: 'Hi', reasoning: 'hm' },
    ],
    [
      'DeepSeek sends comments while a stream is queued',
      stream(': keep-alive\n\n', ': keep-alive\n\n', chunk({ content: 'Hi' }, 'stop'), DONE),
      { content: 'Hi' },
    ],
    [
      'DeepSeek runs out of resources, and says so',
      reply({ content: 'Hi' }, 'insufficient_system_resource'),
      { finishReason: 'insufficient_system_resource' },
    ],
    [
      'LM Studio gives calls an empty id, for which one is made',
      reply({ tool_calls: [{ ...CALL, id: '' }] }),
      { calls: [OSLO] },
    ],
    ['xAI has its own word for the end', reply({ content: 'Hi' }, 'end_turn'), { finishReason: 'end_turn' }],
    ['z.AI has another', reply({ content: 'Hi' }, 'sensitive'), { finishReason: 'sensitive' }],
    ['some say nothing about the end', reply({ content: 'Hi' }, null), { finishReason: undefined }],
    [
      'any server may send empty arguments to a tool without parameters',
      reply({ tool_calls: [{ id: 'a', function: { name: 'now', arguments: '' } }] }),
      { calls: [{ name: 'now', arguments: '' }] },
    ],
  ])('%s', async (_, body, expected) => {
    expect(await read(body)).toMatchObject({ is: 'turn', ...expected });
  });

  test('of Gemini keep the thought signature with its call, streamed or not, and it is sent back', async () => {
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
