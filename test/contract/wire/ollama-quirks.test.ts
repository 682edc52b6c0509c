// Known behaviour of Ollama, replayed from recordings unless the title says otherwise. Each title states the behaviour and
// names its recording.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, ProviderError } from '../../../src/library';
import { closeConnections } from '../../../src/library';
import { readRecorded } from '../../support/messages/recorded';
import { answerChat, outcomeOf, replayChat } from './replay-chat';

const PARIS = { name: 'get_weather', arguments: '{"city":"Paris"}' };
const OSLO = { name: 'get_weather', arguments: '{"city":"Oslo"}' };
const HELLO = 'Hello from the tiny model.';
const NOTHING = { is: 'turn', content: '', reasoning: '', calls: [] };
const brokenWith = (words: string): object => ({ is: 'broken', words: expect.stringContaining(words) });

afterAll(closeConnections);

describe('Ollama', () => {
  test.each([
    ['calls a tool on /v1 although tool_choice is none', 'ollama-v1-chat-tools-none', { calls: [PARIS] }],
    [
      'calls no tool on /v1 although tool_choice is required',
      'ollama-v1-chat-tools-required',
      { calls: [], finishReason: 'length' },
    ],
    [
      'ignores max_completion_tokens on /v1',
      'ollama-v1-chat-maxcompletion',
      { finishReason: 'length', completionTokens: 20_480 },
    ],
    ['returns one choice on /v1 for n 2', 'ollama-v1-chat-n2', { content: HELLO }],
    ['enforces a format in its native path', 'ollama-chat-format-schema', { content: /^\{"color":.*\}$/ }],
    [
      'enforces a format after reasoning, too',
      'ollama-chat-format-schema-think',
      { content: /^\{"color":.*\}$/, reasoning: 'Let me ponder this.\n' },
    ],
    ['ignores a format in its Go template path', 'ollama-go-format-schema', { content: HELLO }],
    [
      'prefers a format to tools in its native path',
      'ollama-chat-format-and-tools',
      { content: /^\{"color":/, calls: [] },
    ],
    [
      'prefers tools to a format in its Go template path',
      'ollama-go-format-and-tools',
      { content: '', calls: [PARIS] },
    ],
    [
      'sends all calls in the last object of a stream in its native path',
      'ollama-chat-tools-parallel-stream',
      { calls: [PARIS, OSLO], finishReason: 'stop' },
    ],
    [
      'sends each call in an object of its own before the last one in its Go template path',
      'ollama-go-tools-parallel-stream',
      { calls: [PARIS, OSLO], finishReason: 'stop' },
    ],
    ['drops a call of an unknown tool in its Go template path', 'ollama-go-tools-unknown', NOTHING],
    ['drops a damaged call in its Go template path', 'ollama-go-tools-broken', NOTHING],
    [
      'drops a truncated call in its Go template path, with the finish reason “length”',
      'ollama-go-tools-truncated',
      { ...NOTHING, finishReason: 'length' },
    ],
    [
      'leaves reasoning in the content if the model writes it although think is false',
      'ollama-go-chat-think-false',
      { content: /^<think>\n.*\n<\/think>\n\nHello/s, reasoning: '' },
    ],
    [
      'truncates a long prompt in its Go template path without an error',
      'ollama-go-overflow',
      { content: HELLO, promptTokens: 1026 },
    ],
    [
      'ends a reply with “length” when the context is full',
      'ollama-chat-ctx-runaway',
      { finishReason: 'length' },
    ],
    [
      'answers a request that loads a model without content',
      'ollama-chat-load',
      { ...NOTHING, finishReason: 'load' },
    ],
    ['loads a model for a request without messages', 'ollama-chat-load-nomessages', { finishReason: 'load' }],
    [
      'answers a request that unloads a model without content',
      'ollama-chat-unload',
      { ...NOTHING, finishReason: 'unload' },
    ],
    ['omits token counts that are zero', 'ollama-chat-load', { promptTokens: undefined }],
  ])('%s (%s)', async (_, name, expected: Record<string, unknown>) => {
    const outcome = outcomeOf(await replayChat(readRecorded(name)));
    expect(outcome).toMatchObject({ is: 'turn', ...withPatterns(expected) });
  });

  test('answers a request that loads a model with a single document even when a stream was requested; it is read', async () => {
    const outcome = outcomeOf(await replayChat(readRecorded('ollama-chat-load'), { isStreamed: true }));
    expect(outcome).toMatchObject({ ...NOTHING, finishReason: 'load' });
  });

  test('sends ids of its calls, in another form on each path; they are kept', async () => {
    const idsOf = async (name: string): Promise<string[]> => {
      const result = await replayChat(readRecorded(name));
      return (result as ChatTurn).toolCalls.map(({ id }) => id);
    };
    const native = await idsOf('ollama-chat-tools-parallel');
    const parser = await idsOf('ollama-go-tools-parallel');
    expect(native).toEqual([expect.stringMatching(/^\w{32}$/), expect.stringMatching(/^\w{32}$/)]);
    expect(parser).toEqual([
      expect.stringMatching(/^call_[0-9a-z]{8}$/),
      expect.stringMatching(/^call_[0-9a-z]{8}$/),
    ]);
  });

  test.each([
    [
      'sends the error of its runner as JSON within a string',
      'ollama-chat-format-badschema',
      400,
      'unrecognized type banana',
    ],
    [
      'sends the error of its runner as JSON within a string for an image, too',
      'ollama-chat-images-novision',
      500,
      'image input is not supported',
    ],
    [
      'sends the error of its runner as JSON within the message on /v1',
      'ollama-v1-chat-overflow',
      400,
      /^request \(20010 tokens\) exceeds/,
    ],
    [
      'rejects an option of the wrong type with status 500',
      'ollama-chat-option-badtype',
      500,
      'must be of type float32',
    ],
    [
      'rejects a stop that is not a list with status 500',
      'ollama-chat-option-stop-string',
      500,
      'must be of type array',
    ],
    ['rejects a tool without parameters', 'ollama-chat-tool-noparams', 400, 'properties'],
    ['rejects arguments that are text', 'ollama-chat-toolcall-args-string', 400, 'Value looks like object'],
    [
      'names the full name of a model that does not support tools',
      'ollama-chat-tools-unsupported',
      400,
      'does not support tools',
    ],
    [
      'rejects a truncated call in its native path',
      'ollama-chat-tools-truncated',
      500,
      'unexpected end of JSON',
    ],
  ])('%s (%s)', async (_, name, status, words) => {
    const outcome = outcomeOf(await replayChat(readRecorded(name)));
    expect(outcome).toMatchObject({ is: 'refused', status });
    expect(outcome.is === 'refused' && outcome.words).toMatch(words);
  });

  test.each([
    ['a disallowed host', 'ollama-chat-badhost'],
    ['a disallowed origin', 'ollama-chat-cors-bad'],
  ])('answers 403 without a reason for %s (%s)', async (_, name) => {
    const error = await replayChat(readRecorded(name));
    expect(outcomeOf(error)).toEqual({ is: 'refused', status: 403, words: undefined });
    expect(error).toHaveProperty('message', expect.stringContaining('The server gave no reason.'));
  });

  test.each([
    [
      'ends a stream with an error when its runner is killed',
      'ollama-runner-killed',
      brokenWith('an error was encountered while running the model'),
    ],
    [
      'ends a stream with an error when a call was truncated',
      'ollama-midstream-truncated-toolcall',
      brokenWith('returned invalid tool call arguments for "get_weather"'),
    ],
    [
      'ends a stream with an error when the model violates the grammar',
      'ollama-midstream-error',
      brokenWith('Unexpected empty grammar stack'),
    ],
    [
      'ends a stream on /v1 without an end mark instead of an error',
      'ollama-v1-midstream-error',
      { is: 'broken', words: undefined },
    ],
    [
      'ends a stream on /v1 without an end mark when its runner is killed',
      'ollama-v1-runner-killed',
      { is: 'broken', words: undefined, partial: expect.stringContaining('tick tock') },
    ],
  ])('%s (%s)', async (_, name, expected) => {
    const error = await replayChat(readRecorded(name));
    expect(outcomeOf(error)).toMatchObject(expected);
    const code = name.includes('-v1-') ? 'truncated-stream' : 'http';
    expect((error as ProviderError).code).toBe(code);
  });

  test('names no wait when its queue is full; the request is retried after a backoff (ollama-queue-full)', async () => {
    const { response } = readRecorded('ollama-queue-full');
    const error = await answerChat('local', response.body, {
      status: response.status,
      headers: Object.fromEntries(response.headers.filter(([name]) => name === 'Content-Type')),
      credentials: { retry: { maxAttempts: 2, initialDelayMs: 1 } },
    });
    expect(error).toMatchObject({
      attempts: 2,
      serverMessage: 'server busy, please try again.  maximum pending requests exceeded',
      ledger: [{ status: 503, decision: 'retry', delaySource: 'backoff' }, { decision: 'stop' }],
    });
  });

  test('answers an invalid option with 500, which is not retried unless the caller wants it (ollama-chat-option-badtype)', async () => {
    const recorded = readRecorded('ollama-chat-option-badtype');
    const policy = { maxAttempts: 2, initialDelayMs: 1 };
    const once = await replayChat(recorded, { credentials: { retry: policy } });
    const again = await replayChat(recorded, {
      credentials: { retry: { ...policy, isRetryable: ({ status }) => status === 500 } },
    });
    expect([again, once].map((error) => (error as ProviderError).attempts)).toEqual([2, 1]);
  });

  test('leaves a call in the text if its template has no place for calls, and it is rescued (not recorded)', async () => {
    const content = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';
    const result = await answerChat(
      'local',
      { message: { role: 'assistant', content }, done: true, done_reason: 'stop' },
      { credentials: { rescueToolCalls: true } },
    );
    expect(result).toMatchObject({
      raw: { content, toolCalls: [] },
      toolCalls: [{ name: 'get_weather', arguments: { city: 'Paris' }, source: 'rescued' }],
    });
  });

  test('sends no ids of calls in older releases; they are created (not recorded)', async () => {
    const call = { function: { name: 'get_weather', arguments: { city: 'Paris' } } };
    const message = { role: 'assistant', content: '', tool_calls: [call, call] };
    const result = (await answerChat('local', { message, done: true })) as ChatTurn;
    const ids = result.toolCalls.map(({ id }) => id);
    expect(ids).toEqual([1, 2].map(() => expect.stringMatching(/^[0-9A-Za-z]{9}$/) as string));
    expect(new Set(ids).size).toBe(2);
  });
});

/** Replaces regular expressions by asymmetric matchers for strings. */
function withPatterns(expected: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );
}
