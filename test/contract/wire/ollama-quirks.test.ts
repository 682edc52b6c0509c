// Known behaviour of Ollama, replayed from recordings; titles say where it is not recorded. The titles are the rules.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, ProviderError } from '../../../src/library';
import { closeConnections } from '../../../src/library';
import { readRecorded } from '../../support/recorded';
import { answerChat, outcomeOf, replayChat } from './replay-chat';

const PARIS = { name: 'get_weather', arguments: '{"city":"Paris"}' };
const OSLO = { name: 'get_weather', arguments: '{"city":"Oslo"}' };
const HELLO = 'Hello from the tiny model.';
const NOTHING = { is: 'turn', content: '', reasoning: '', calls: [] };
const brokenWith = (words: string): object => ({ is: 'broken', words: expect.stringContaining(words) });

afterAll(closeConnections);

describe('Ollama', () => {
  test.each([
    ['calls a tool although /v1 was told none', 'ollama-v1-chat-tools-none', { calls: [PARIS] }],
    [
      'calls no tool although /v1 was told that one is required',
      'ollama-v1-chat-tools-required',
      { calls: [], finishReason: 'length' },
    ],
    [
      'runs on where /v1 was given max_completion_tokens, which it does not know',
      'ollama-v1-chat-maxcompletion',
      { finishReason: 'length', completionTokens: 20_480 },
    ],
    ['gives one choice where /v1 was asked for two', 'ollama-v1-chat-n2', { content: HELLO }],
    ['enforces a format in its native path', 'ollama-chat-format-schema', { content: /^\{"color":.*\}$/ }],
    [
      'enforces it also behind reasoning',
      'ollama-chat-format-schema-think',
      { content: /^\{"color":.*\}$/, reasoning: 'Let me ponder this.\n' },
    ],
    ['forgets the format in its parser path', 'ollama-go-format-schema', { content: HELLO }],
    [
      'prefers the format to tools in its native path',
      'ollama-chat-format-and-tools',
      { content: /^\{"color":/, calls: [] },
    ],
    [
      'prefers the tools to a format in its parser path',
      'ollama-go-format-and-tools',
      { content: '', calls: [PARIS] },
    ],
    [
      'puts all calls into the last object of a stream in its native path',
      'ollama-chat-tools-parallel-stream',
      { calls: [PARIS, OSLO], finishReason: 'stop' },
    ],
    [
      'puts each call into an object before the last one in its parser path',
      'ollama-go-tools-parallel-stream',
      { calls: [PARIS, OSLO], finishReason: 'stop' },
    ],
    ['lets an unknown call vanish in its parser path', 'ollama-go-tools-unknown', NOTHING],
    ['lets a broken call vanish there', 'ollama-go-tools-broken', NOTHING],
    [
      'lets a call vanish there that was cut, and says that it was cut',
      'ollama-go-tools-truncated',
      { ...NOTHING, finishReason: 'length' },
    ],
    [
      'leaves reasoning in the text where a template always thinks',
      'ollama-go-chat-think-false',
      { content: /^<think>\n.*\n<\/think>\n\nHello/s, reasoning: '' },
    ],
    [
      'cuts a long prompt without a word in its parser path',
      'ollama-go-overflow',
      { content: HELLO, promptTokens: 1026 },
    ],
    ['ends at the size of its context', 'ollama-chat-ctx-runaway', { finishReason: 'length' }],
    ['loads a model and says nothing', 'ollama-chat-load', { ...NOTHING, finishReason: 'load' }],
    ['loads it where the messages are missing', 'ollama-chat-load-nomessages', { finishReason: 'load' }],
    ['unloads a model and says nothing', 'ollama-chat-unload', { ...NOTHING, finishReason: 'unload' }],
    ['tells no counts that are zero', 'ollama-chat-load', { promptTokens: undefined }],
  ])('%s (%s)', async (_, name, expected: Record<string, unknown>) => {
    const outcome = outcomeOf(await replayChat(readRecorded(name)));
    expect(outcome).toMatchObject({ is: 'turn', ...withPatterns(expected) });
  });

  test('answers a request that loads a model in one piece even when a stream was requested, which is read nevertheless', async () => {
    const outcome = outcomeOf(await replayChat(readRecorded('ollama-chat-load'), { isStreamed: true }));
    expect(outcome).toMatchObject({ ...NOTHING, finishReason: 'load' });
  });

  test('gives ids to its calls, in one form per route, and they are kept', async () => {
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
      'nests the error of its runner in a text',
      'ollama-chat-format-badschema',
      400,
      'unrecognized type banana',
    ],
    ['nests it for an image too', 'ollama-chat-images-novision', 500, 'image input is not supported'],
    ['nests it in its message on /v1', 'ollama-v1-chat-overflow', 400, /^request \(20010 tokens\) exceeds/],
    ['calls a bad option a failure of its own', 'ollama-chat-option-badtype', 500, 'must be of type float32'],
    ['does so for a stop that is no list', 'ollama-chat-option-stop-string', 500, 'must be of type array'],
    ['refuses a tool without parameters', 'ollama-chat-tool-noparams', 400, 'properties'],
    ['refuses arguments that are text', 'ollama-chat-toolcall-args-string', 400, 'Value looks like object'],
    [
      'tells the whole name of a model without tools',
      'ollama-chat-tools-unsupported',
      400,
      'does not support tools',
    ],
    [
      'refuses a call that was cut in its native path',
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
    ['a host that it does not allow', 'ollama-chat-badhost'],
    ['an origin that it does not allow', 'ollama-chat-cors-bad'],
  ])('gives no reason for 403, which means %s (%s)', async (_, name) => {
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
      'ends a stream with an error when a call was cut',
      'ollama-midstream-truncated-toolcall',
      brokenWith('returned invalid tool call arguments for "get_weather"'),
    ],
    [
      'ends a stream with an error when the model leaves its grammar',
      'ollama-midstream-error',
      brokenWith('Unexpected empty grammar stack'),
    ],
    [
      'swallows an error in a stream of /v1, which has no end mark then',
      'ollama-v1-midstream-error',
      { is: 'broken', words: undefined },
    ],
    [
      'swallows it on /v1 too when its runner is killed',
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

  test('sends no ids in older releases, and they are created (not recorded)', async () => {
    const call = { function: { name: 'get_weather', arguments: { city: 'Paris' } } };
    const message = { role: 'assistant', content: '', tool_calls: [call, call] };
    const result = (await answerChat('local', { message, done: true })) as ChatTurn;
    const ids = result.toolCalls.map(({ id }) => id);
    expect(ids).toEqual([1, 2].map(() => expect.stringMatching(/^[0-9A-Za-z]{9}$/) as string));
    expect(new Set(ids).size).toBe(2);
  });
});

/** Replaces patterns by matchers of texts. */
function withPatterns(expected: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );
}
