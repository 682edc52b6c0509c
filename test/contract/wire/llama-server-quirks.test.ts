// Known behaviour of llama-server, replayed from recordings. The titles are the rules.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, ProviderError } from '../../../src/library';
import { closeConnections } from '../../../src/library';
import { readRecorded } from '../../support/recorded';
import { answerChat, outcomeOf, replayChat } from './replay-chat';

const PARIS = { name: 'get_weather', arguments: '{"city": "Paris"}' };
const OSLO = { name: 'get_weather', arguments: '{"city": "Oslo"}' };
const HELLO = 'Hello from the tiny model.';
const THOUGHT = 'Let me ponder this.\n';

afterAll(closeConnections);

describe('llama-server', () => {
  test.each([
    [
      'calls another tool than the one that was demanded by name',
      'llamacpp-chat-tools-named',
      { calls: [PARIS] },
    ],
    [
      'calls none at all where one was demanded by name',
      'llamacpp-named-choice-loop',
      { calls: [], finishReason: 'length' },
    ],
    [
      'speaks until its limit where a call is required',
      'llamacpp-required-loop',
      { calls: [], finishReason: 'length', completionTokens: 120 },
    ],
    [
      'speaks first where a call is required, and may never come to it',
      'llamacpp-required-after-text',
      { calls: [], content: expect.stringMatching(/^Café 🌞/), finishReason: 'length' },
    ],
    [
      'makes parallel calls where they were forbidden',
      'llamacpp-chat-tools-parallel-false',
      { calls: [PARIS, OSLO] },
    ],
    [
      'writes the call as text where no tool may be called',
      'llamacpp-chat-tools-none',
      { calls: [], content: expect.stringMatching(/^<tool_call>/) },
    ],
    [
      'tells a call that was cut, with what there is of its arguments',
      'llamacpp-chat-tools-truncated',
      { calls: [{ name: 'get_weather', arguments: '{"city": "Paris"' }], finishReason: 'length' },
    ],
    [
      'tells it in a stream as well',
      'llamacpp-chat-tools-truncated-stream',
      { calls: [{ name: 'get_weather', arguments: '{"city": "Paris"' }], finishReason: 'length' },
    ],
    [
      'puts the arguments of a stream together from pieces',
      'llamacpp-chat-tools-parallel-stream',
      { calls: [PARIS, OSLO], finishReason: 'tool_calls' },
    ],
    [
      'thinks before it calls',
      'llamacpp-reasoning-tools-stream',
      { content: '', reasoning: THOUGHT, calls: [PARIS] },
    ],
    ['takes an empty conversation', 'llamacpp-chat-messages-empty', { content: HELLO }],
    [
      'continues a text of its own that comes last, and repeats it',
      'llamacpp-chat-assistant-last',
      { content: expect.stringMatching(/^Hel/) },
    ],
    ['chats with an embedding model', 'llamacpp-embeddings-chat-on-embed', { finishReason: 'stop' }],
    ['ends at the size of its context', 'llamacpp-chat-ctx-full', { finishReason: 'length' }],
    [
      'writes one token where none was allowed',
      'llamacpp-chat-max0',
      { content: 'tick', completionTokens: 1 },
    ],
    ['gives two choices, of which the first is the reply', 'llamacpp-chat-n2', { content: HELLO }],
    ['ignores the name of the model', 'llamacpp-chat-othermodel', { content: HELLO }],
    ['takes the request without /v1 as well', 'llamacpp-no-v1-prefix', { content: HELLO }],
    [
      'leaves reasoning in the text where it is told to',
      'llamacpp-chat-reasoning-format-none',
      { content: `<think>\n${THOUGHT}</think>\n\n${HELLO}`, reasoning: '' },
    ],
    ['does not think where it is told to', 'llamacpp-chat-reasoning-off', { content: HELLO, reasoning: '' }],
    [
      'uses up its limit with reasoning, and says nothing',
      'llamacpp-reasoning-truncated',
      { content: '', reasoning: 'Let me', finishReason: 'length' },
    ],
    [
      'cuts a document in the middle',
      'llamacpp-chat-json-truncated',
      { content: '{"col', finishReason: 'length' },
    ],
    ['tells no counts in a stream unless it is asked', 'llamacpp-chat-stream', { promptTokens: undefined }],
    ['tells them in a chunk without choices', 'llamacpp-chat-stream-usage', { completionTokens: 6 }],
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
    ['refuses a key that is missing', 'llamacpp-auth-none', 401, 'Invalid API Key'],
    [
      'fails when a model leaves its grammar',
      'llamacpp-chat-tools-unknown',
      500,
      'Unexpected empty grammar stack',
    ],
    [
      'refuses a stream that is too long before it begins',
      'llamacpp-chat-overflow-stream',
      400,
      /^request \(\d+ tokens\) exceeds/,
    ],
    ['calls arguments that do not parse a failure of its own', 'llamacpp-chat-tool-args-bad', 500, 'parse'],
    ['calls a tool of an unknown type one too', 'llamacpp-chat-tools-badtype', 500, 'tool'],
    ['knows nothing of the other protocol', 'llamacpp-api-chat', 404, 'File Not Found'],
  ])('%s (%s)', async (_, name, status, words) => {
    const outcome = outcomeOf(await replayChat(readRecorded(name)));
    expect(outcome).toMatchObject({ is: 'refused', status });
    expect(outcome.is === 'refused' && outcome.words).toMatch(words);
  });

  test.each([
    ['fails in a stream that began with a role only', 'llamacpp-chat-tools-unknown-stream', ''],
    ['fails in a stream without an end mark', 'llamacpp-midstream-error', ''],
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

  test('refuses a prompt that is too long, which is not retried (llamacpp-chat-overflow)', async () => {
    const error = await replayChat(readRecorded('llamacpp-chat-overflow'), { credentials: { retry: true } });
    expect((error as ProviderError).attempts).toBe(1);
  });
});
