import { describe, expect, test } from 'vitest';
import type { MessageRule } from '../../../../src/types';
import { findMessage } from '../../../../src/inspect/doctor/message-rules';
import { failureFindings, HOSTED_SETTING } from '../../../support/diagnosis/diagnosis';

const HOSTED = { setting: HOSTED_SETTING, url: 'http://127.0.0.1:8000/v1/chat/completions' };
const user = { role: 'user', content: 'How warm is it?' };
const system = { role: 'system', content: 'Be brief.' };
const reply = { role: 'assistant', content: 'Cold.' };
const calling = (...ids: string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'now', arguments: '{}' } })),
});
const result = (id?: string): object => ({ role: 'tool', content: 'cold', tool_call_id: id });

describe('findMessage', () => {
  test.each<[rule: MessageRule, messages: object[], index: number | undefined, named?: object]>([
    ['alternate', [system, user, user], 2],
    ['alternate', [user, calling('a'), result('a'), user], 3, { role: 'user', after: 'tool' }],
    ['alternate', [user, reply, user], undefined],
    ['alternate', [user, calling('a', 'b'), result('a'), result('b'), reply], undefined],
    ['system-first', [user, system, user], 1],
    ['system-first', [system, user], undefined],
    ['user-last', [user, reply], 1],
    ['user-last', [reply, user], undefined],
    ['results-answer-calls', [user, result('a')], 1],
    ['results-answer-calls', [user, calling('a'), result('b')], 2],
    ['results-answer-calls', [user, calling('a', 'b'), result('b'), result('a')], undefined],
    ['calls-need-results', [user, calling('a', 'b'), result('a'), user], 1],
    ['calls-need-results', [user, calling('a')], 1],
    ['calls-need-results', [user, calling('a'), result('a'), reply], undefined],
    ['result-id', [user, calling('a'), result()], 2],
    ['reasoning-back', [user, reply, user, calling('a'), result('a')], 3],
    ['reasoning-back', [user, { ...calling('a'), reasoning_content: 'Hm.' }, result('a')], undefined],
    ['content-needed', [{ role: 'user', content: '' }], 0],
    ['content-needed', [user, calling('a')], undefined],
    ['known-role', [{ role: 'developer', content: 'x' }, user], 0],
    ['known-role', [system, user], 0, { role: 'system' }],
    ['call-arguments', [user, { role: 'assistant', tool_calls: [{ function: { arguments: '{"a"' } }] }], 1],
    ['call-arguments', [user, calling('a')], undefined],
  ])('for %s in %j finds %s', (rule, messages, index, named = {}) => {
    expect(findMessage({ messages }, rule, named)?.index).toBe(index);
  });

  test.each([{}, { messages: 'hi' }, { messages: [1, null] }])('finds none in %j', (body) => {
    expect(findMessage(body, 'alternate')).toBeUndefined();
  });
});

describe('a refused order of the messages', () => {
  test('is told with the message and the one before it', () => {
    const body = { messages: [system, user, user] };
    const [finding] = failureFindings('Conversation roles must alternate user/assistant/…', {
      ...HOSTED,
      body,
    });
    expect(finding?.what).toMatch(/must alternate .* Message 3 \(`user`\) follows message 2 \(`user`\)\.$/);
    expect(finding?.evidence?.at(-1)?.place).toBe('request, `/messages/2`');
  });

  test('has the place that the service names, if the request shows no other', () => {
    const body = { messages: [user, { ...calling('a'), reasoning: 'Hm.' }, result('a')] };
    const words =
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1';
    expect(failureFindings(words, { ...HOSTED, body })[0]?.what).toMatch(
      /It is about message 2 \(`assistant`\)/,
    );
  });

  test('lists the roles if no message can be named', () => {
    const body = { messages: [user, reply, user] };
    const [finding] = failureFindings('Not the same number of function calls and responses', {
      ...HOSTED,
      body,
    });
    expect(finding?.evidence?.at(-1)).toEqual({
      place: 'request, `/messages`',
      quote: 'user, assistant, user',
    });
  });

  test('points to the context where Ollama cut the user message away', () => {
    const words = 'no user query found in messages';
    const [cut] = failureFindings(words, { body: { messages: [system, user] }, status: 500 });
    expect(cut).toMatchObject({ cause: 'prompt-cut', next: 'Raise Context size, or send less.' });
    expect(cut?.what).toContain('message 2 of the request');
    const [hosted] = failureFindings(words, { ...HOSTED, body: { messages: [user] }, status: 500 });
    expect(hosted?.next).toContain('OLLAMA_CONTEXT_LENGTH');
    const [none] = failureFindings(words, { ...HOSTED, body: { messages: [system] }, status: 500 });
    expect(none?.cause).toBe('refused-messages');
  });

  test('is that of the history, where a call of it has no readable arguments', () => {
    const words = 'Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error';
    const broken = {
      role: 'assistant',
      tool_calls: [{ id: 'a', function: { name: 'now', arguments: '{"a' } }],
    };
    const causeOf = (messages: object[]): string | undefined =>
      failureFindings(words, { ...HOSTED, body: { messages }, status: 500 })[0]?.cause;
    expect([causeOf([user, broken]), causeOf([user])]).toEqual(['refused-messages', 'unread-call']);
  });
});

describe('the advice about an overflow', () => {
  const llama = 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it';
  const nested = JSON.stringify({ error: { message: JSON.stringify({ error: { message: llama } }) } });

  test.each<[words: string, advice: RegExp, response?: string]>([
    [llama, /`-c` of llama-server/],
    ['Reached context length of 8192 tokens with model', /LM Studio/],
    ['Input length (9000 tokens) exceeds the maximum allowed length (8192 tokens).', /`--context-length`/],
    [
      'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
      /`--max-model-len`/,
    ],
    ['Request length 9000 + 20 is greater than max_seq_len 8192', /`max_seq_len`/],
    ['prompt is too long: 9000 tokens > 8192 maximum', /^Send less: .* choose a model/],
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      /^Send less/,
    ],
    [llama, /OLLAMA_CONTEXT_LENGTH/, nested],
  ])('“%s” fits the server: %s', (words, advice, response) => {
    const [finding] = failureFindings(words, { ...HOSTED, ...(response !== undefined && { response }) });
    expect(finding?.next).toMatch(advice);
    const names = /llama-server|vLLM|SGLang|LM Studio|TabbyAPI|Ollama/g;
    expect(new Set(finding?.next?.match(names)).size).toBeLessThan(2);
  });

  test('is a shorter reply where the prompt alone fits', () => {
    const words =
      'input length and `max_tokens` exceed context limit: 3000 + 2000 > 4096, decrease input length or `max_tokens`';
    expect(failureFindings(words, HOSTED)[0]).toMatchObject({
      what: 'The prompt has 3000 tokens and the reply may have 2000: the context has room for 4096 in all.',
      next: expect.stringMatching(/^Lower Max tokens\./),
      remedies: [{ kind: 'sampling', key: 'maxTokens', value: 1096 }],
    });
  });

  test('is none about a limit of rates, and about one of the reply only to shorten that', () => {
    expect(failureFindings('Rate limit reached: too many tokens per minute')).toEqual([]);
    const words = 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]';
    expect(failureFindings(words, HOSTED)).toMatchObject([
      { cause: 'token-limit', remedies: [{ kind: 'sampling', key: 'maxTokens', value: 8192 }] },
    ]);
  });
});

describe('a parameter that the model does not take', () => {
  const words = "Unsupported value: 'max_tokens' does not support 9 with this model.";

  test.each<[string, Partial<typeof HOSTED_SETTING>, object[]]>([
    ['the lane or the connection', { sampling: { maxTokens: 9 } }, [{ kind: 'leave-out', key: 'maxTokens' }]],
    ['raw', { sampling: { maxTokens: 9 }, raw: { max_tokens: 9 } }, [{ kind: 'raw', path: ['max_tokens'] }]],
    ['nobody, as the library chose it', {}, []],
  ])('is left out where %s sets it', (_name, setting, remedies) => {
    const [finding] = failureFindings(words, { ...HOSTED, setting: { ...HOSTED_SETTING, ...setting } });
    expect(finding).toMatchObject({
      cause: 'refused-parameter',
      what: expect.stringContaining('`max_tokens`'),
    });
    expect(finding?.remedies ?? []).toEqual(remedies);
  });

  test('may be nested in raw', () => {
    const nested = "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
    const setting = { ...HOSTED_SETTING, raw: { reasoning: { effort: 'low' } } };
    expect(failureFindings(nested, { ...HOSTED, setting })[0]?.remedies).toEqual([
      { kind: 'raw', path: ['reasoning'] },
    ]);
  });
});

describe('a missing model', () => {
  test('is pulled only from Ollama', () => {
    const words = "model 'nope' not found";
    expect(failureFindings(words)[0]?.next).toContain('ollama pull');
    expect(failureFindings(words, HOSTED)[0]?.next).not.toContain('ollama');
  });
});
