// Known behaviour of llama-server, replayed from recordings. Each title states the behaviour and names its recording.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, ProviderError } from '../../../src/library';
import { closeConnections } from '../../../src/library';
import { readRecorded } from '../../support/messages/recorded';
import { answerChat, outcomeOf, replayChat } from './replay-chat';

const PARIS = { name: 'get_weather', arguments: '{"city": "Paris"}' };
const OSLO = { name: 'get_weather', arguments: '{"city": "Oslo"}' };
const HELLO = 'Hello from the tiny model.';
const THOUGHT = 'Let me ponder this.\n';

afterAll(closeConnections);

describe('llama-server', () => {
  test.each([
    [
      'calls another tool than the one that tool_choice names',
      'llamacpp-chat-tools-named',
      { calls: [PARIS] },
    ],
    [
      'calls no tool although tool_choice names one',
      'llamacpp-named-choice-loop',
      { calls: [], finishReason: 'length' },
    ],
    [
      'writes text up to the token limit although a call is required',
      'llamacpp-required-loop',
      { calls: [], finishReason: 'length', completionTokens: 120 },
    ],
    [
      'writes text before a required call, and may reach the token limit before the call',
      'llamacpp-required-after-text',
      { calls: [], content: expect.stringMatching(/^Café 🌞/), finishReason: 'length' },
    ],
    [
      'makes parallel calls although parallel_tool_calls is false',
      'llamacpp-chat-tools-parallel-false',
      { calls: [PARIS, OSLO] },
    ],
    [
      'writes a call as text when tool_choice is none',
      'llamacpp-chat-tools-none',
      { calls: [], content: expect.stringMatching(/^<tool_call>/) },
    ],
    [
      'returns a truncated call with the arguments so far',
      'llamacpp-chat-tools-truncated',
      { calls: [{ name: 'get_weather', arguments: '{"city": "Paris"' }], finishReason: 'length' },
    ],
    [
      'returns a truncated call with the arguments so far in a stream, too',
      'llamacpp-chat-tools-truncated-stream',
      { calls: [{ name: 'get_weather', arguments: '{"city": "Paris"' }], finishReason: 'length' },
    ],
    [
      'streams the arguments of parallel calls in pieces',
      'llamacpp-chat-tools-parallel-stream',
      { calls: [PARIS, OSLO], finishReason: 'tool_calls' },
    ],
    [
      'streams reasoning before a call',
      'llamacpp-reasoning-tools-stream',
      { content: '', reasoning: THOUGHT, calls: [PARIS] },
    ],
    ['accepts an empty list of messages', 'llamacpp-chat-messages-empty', { content: HELLO }],
    [
      'continues an assistant message that comes last, and repeats it',
      'llamacpp-chat-assistant-last',
      { content: expect.stringMatching(/^Hel/) },
    ],
    ['answers a chat with an embedding model', 'llamacpp-embeddings-chat-on-embed', { finishReason: 'stop' }],
    [
      'ends a reply with “length” when the context is full',
      'llamacpp-chat-ctx-full',
      { finishReason: 'length' },
    ],
    ['writes one token for max_tokens 0', 'llamacpp-chat-max0', { content: 'tick', completionTokens: 1 }],
    ['returns two choices for n 2, of which the first is the reply', 'llamacpp-chat-n2', { content: HELLO }],
    ['ignores the name of the model in the request', 'llamacpp-chat-othermodel', { content: HELLO }],
    ['accepts a request without /v1, too', 'llamacpp-no-v1-prefix', { content: HELLO }],
    [
      'leaves reasoning in the content with reasoning_format none',
      'llamacpp-chat-reasoning-format-none',
      { content: `<think>\n${THOUGHT}</think>\n\n${HELLO}`, reasoning: '' },
    ],
    [
      'returns no reasoning when enable_thinking is false',
      'llamacpp-chat-reasoning-off',
      { content: HELLO, reasoning: '' },
    ],
    [
      'returns no content when reasoning uses up the token limit',
      'llamacpp-reasoning-truncated',
      { content: '', reasoning: 'Let me', finishReason: 'length' },
    ],
    [
      'truncates a JSON document at the token limit',
      'llamacpp-chat-json-truncated',
      { content: '{"col', finishReason: 'length' },
    ],
    [
      'sends no token counts in a stream unless they are requested',
      'llamacpp-chat-stream',
      { promptTokens: undefined },
    ],
    [
      'sends requested token counts in a chunk without choices',
      'llamacpp-chat-stream-usage',
      { completionTokens: 6 },
    ],
  ])('%s (%s)', async (_, name, expected) => {
    const outcome = outcomeOf(await replayChat(readRecorded(name)));
    expect(outcome).toMatchObject({ is: 'turn', ...expected });
  });

  test('writes a call as text, which is rescued (llamacpp-chat-tools-none)', async () => {
    const result = await replayChat(readRecorded('llamacpp-chat-tools-none'), {
      credentials: { rescueToolCalls: true },
    });
    expect((result as ChatTurn).toolCalls).toMatchObject([
      { name: 'get_weather', arguments: { city: 'Paris' }, source: 'rescued' },
    ]);
  });

  test.each([
    ['rejects a request without a key', 'llamacpp-auth-none', 401, 'Invalid API Key'],
    [
      'fails when the model violates the grammar',
      'llamacpp-chat-tools-unknown',
      500,
      'Unexpected empty grammar stack',
    ],
    [
      'rejects a prompt that is too long before a stream begins',
      'llamacpp-chat-overflow-stream',
      400,
      /^request \(\d+ tokens\) exceeds/,
    ],
    ['rejects arguments that are not JSON with status 500', 'llamacpp-chat-tool-args-bad', 500, 'parse'],
    ['rejects a tool of an unknown type with status 500', 'llamacpp-chat-tools-badtype', 500, 'tool'],
    ['answers the local protocol with 404', 'llamacpp-api-chat', 404, 'File Not Found'],
  ])('%s (%s)', async (_, name, status, words) => {
    const outcome = outcomeOf(await replayChat(readRecorded(name)));
    expect(outcome).toMatchObject({ is: 'refused', status });
    expect(outcome.is === 'refused' && outcome.words).toMatch(words);
  });

  test.each([
    ['sends an error in a stream that has only sent a role', 'llamacpp-chat-tools-unknown-stream', ''],
    ['sends an error in a stream that then ends without its end mark', 'llamacpp-midstream-error', ''],
  ])('%s (%s)', async (_, name, partial) => {
    const error = await replayChat(readRecorded(name));
    expect(error).toMatchObject({ code: 'http', attempts: 1 });
    expect(outcomeOf(error)).toEqual({
      is: 'broken',
      words: expect.stringContaining('Unexpected empty grammar stack'),
      partial,
    });
  });

  test('closes the connection while it loads its model and names no wait; the request is retried (llamacpp-loading)', async () => {
    const { response } = readRecorded('llamacpp-loading');
    const error = await answerChat('hosted', response.body, {
      status: response.status,
      headers: { connection: 'close' },
      credentials: { retry: { maxAttempts: 2, initialDelayMs: 1 } },
    });
    expect(error).toMatchObject({
      attempts: 2,
      serverMessage: 'Loading model',
      ledger: [{ status: 503, decision: 'retry', delaySource: 'backoff' }, { decision: 'stop' }],
    });
  });

  test('rejects a prompt that is too long, which is not retried (llamacpp-chat-overflow)', async () => {
    const error = await replayChat(readRecorded('llamacpp-chat-overflow'), { credentials: { retry: true } });
    expect((error as ProviderError).attempts).toBe(1);
  });
});
