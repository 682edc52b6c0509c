import { describe, expect, test } from 'vitest';
import { HostedApiProvider, InvalidOptionsError, LocalHostProvider } from '../../../../src/library';

const local = (fields: object): unknown =>
  new LocalHostProvider({ host: 'http://127.0.0.1:11434', model: 'm', ...fields });
const hosted = (fields: object): unknown => new HostedApiProvider({ apiKey: 'k', ...fields });
const problem = (make: () => unknown): InvalidOptionsError => {
  try {
    make();
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error;
  }
  throw new Error('it was accepted');
};

describe('credentials', () => {
  test.each([
    ['host', { host: 'localhost:11434' }, 'did you mean http://localhost:11434 here? Correct it'],
    ['host', { host: 'ftp://server' }, 'http:// or https://'],
    ['host', { host: 'http://me:pw@server' }, 'user name or a password'],
    ['host', { host: 'http://server/v1' }, 'must not end in /v1'],
    ['host', { host: 'http://server/api/' }, 'must not end in /api'],
    ['model', { model: '' }, 'not empty'],
    ['costPer1kTokens.output', { costPer1kTokens: { input: 1 } }, 'missing'],
    ['costPer1kTokens.input', { costPer1kTokens: { input: -1, output: 1 } }, 'from 0'],
    ['retry.maxAttempts', { retry: { maxAttempts: 2.5 } }, 'whole number'],
    ['retry', { retry: 'no' }, 'an object'],
    ['retry', { retry: null }, 'an object'],
    ['retry.respectRetryAfter', { retry: { respectRetryAfter: 'false' } }, 'boolean'],
    ['retry.isRetryable', { retry: { isRetryable: 5 } }, 'function'],
    ['rescueToolCalls', { rescueToolCalls: 'false' }, 'boolean'],
    ['raw', { raw: 'abc' }, 'an object'],
    ['costPer1kTokens', { costPer1kTokens: null }, 'an object'],
    ['sampling.temperature', { sampling: { temperature: Number.NaN } }, 'a number'],
    ['sampling.stop', { sampling: { stop: 'x' } }, 'a list'],
    ['headers.x-a', { headers: { 'x-a': true } }, 'a text'],
  ])('of a local provider are refused with an invalid %s: %o', (field, fields, words) => {
    const error = problem(() => local(fields));
    expect(error).toMatchObject({ code: 'invalid-options', field });
    expect(error.message).toContain(words);
  });

  test.each([
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 'line\nbreak' }],
    ['auth', { auth: 'basic' }],
    ['tokenLimitKey', { tokenLimitKey: '__x' }],
  ])('of a hosted provider are refused with an invalid %s: %o', (field, fields) => {
    expect(problem(() => hosted(fields)).field).toBe(field);
  });

  test.each([[undefined], [null], ['key'], [['key']]])('are refused if they are %o', (given) => {
    for (const provider of [LocalHostProvider, HostedApiProvider]) {
      const error = problem(() => Reflect.construct(provider, [given]));
      expect(error.field).toBe('credentials');
    }
  });

  test('are refused with an invalid key without showing it', () => {
    expect(problem(() => hosted({ apiKey: 'secret with blanks' })).message).not.toContain('secret');
  });

  test('need no key with auth none, and have defaults for host and model', () => {
    expect(() => hosted({ apiKey: '', auth: 'none' })).not.toThrow();
    expect(() => hosted({})).not.toThrow();
  });
});

describe('the arguments of a call', () => {
  const provider = new LocalHostProvider({ host: 'http://127.0.0.1:9', model: 'm', retry: false });

  test.each([undefined, null, 'abc', {}])('are refused if the texts of embedMany are %o', async (texts) => {
    await expect(provider.embedMany(texts as string[])).rejects.toMatchObject({
      code: 'invalid-options',
      field: 'texts',
    });
  });

  test('are refused if onDelta of chat is no function', async () => {
    const onDelta = 5 as unknown as () => void;
    await expect(
      provider.chat({ messages: [{ role: 'user', content: 'Hi' }], onDelta }),
    ).rejects.toMatchObject({ code: 'invalid-options', field: 'onDelta' });
  });
});
