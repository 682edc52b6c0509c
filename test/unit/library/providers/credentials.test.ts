import { describe, expect, test } from 'vitest';
import type { Message, ModelInfo } from '../../../../src/library';
import { HostedApiProvider, InvalidOptionsError, LocalHostProvider } from '../../../../src/library';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { HELLO } from '../../../support/connections/probe-provider';

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
    ['host', { host: 'http://server:99999' }, 'not a valid address'],
    ['host', { host: 'http://my server/' }, 'not a valid address'],
    ['host', { host: 'https://' }, 'not a valid address'],
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
    ['network.proxyAuthorization', { network: { proxyAuthorization: 5 } }, 'a text'],
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

  test.each(['onDelta', 'onProgress', 'onAttempt'])(
    'are refused if %s of chat is not a function',
    async (name) => {
      await expect(provider.chat({ messages: HELLO, [name]: 5 })).rejects.toMatchObject({
        code: 'invalid-options',
        field: name,
      });
    },
  );

  test('are refused if onUsage of embed is not a function', async () => {
    const onUsage = 5 as unknown as () => void;
    await expect(provider.embed('Hi', { onUsage })).rejects.toMatchObject({
      code: 'invalid-options',
      field: 'onUsage',
    });
  });

  test.each([
    ['chat', [undefined]],
    ['chat', [null]],
    ['chat', ['abc']],
    ['chat', [[HELLO]]],
    ['embed', ['Hi', null]],
    ['embedMany', [['Hi'], null]],
    ['embedMany', [[], 'abc']],
    ['listModels', [null]],
    ['describeServer', [null]],
    ['describeModel', [{ id: 'm' }, null]],
  ] as const)('are refused if the options of %s are not an object', async (name, args) => {
    const called: unknown = Reflect.apply(provider[name], provider, args);
    await expect(called).rejects.toMatchObject({ code: 'invalid-options', field: 'options' });
  });

  test.each([
    [undefined, 'model'],
    ['m', 'model'],
    [{}, 'model.id'],
  ])('are refused if the model of describeModel is %o', async (model, field) => {
    const called = provider.describeModel(model as ModelInfo);
    await expect(called).rejects.toMatchObject({ code: 'invalid-options', field });
  });

  test.each(['abc', 5, true, {}, () => undefined, Symbol('signal')])(
    'are refused if the signal is %o',
    async (given) => {
      const options = { signal: given as unknown as AbortSignal };
      const calls = [
        provider.chat({ messages: HELLO, ...options }),
        provider.embed('Hi', options),
        provider.embedMany(['Hi'], options),
        provider.listModels(options),
        provider.describeServer(options),
        provider.describeModel({ id: 'm' }, options),
      ];
      for (const call of await Promise.allSettled(calls))
        expect(call).toMatchObject({ reason: { code: 'invalid-options', field: 'signal' } });
    },
  );

  test('are refused if a list of messages or texts has holes', async () => {
    const messages = Object.assign([], { 1: HELLO[0], length: 2 }) as Message[];
    await expect(provider.chat({ messages })).rejects.toMatchObject({ field: 'messages' });
    const texts = Object.assign([], { 1: 'Hi', length: 2 }) as string[];
    await expect(provider.embedMany(texts)).rejects.toMatchObject({ field: 'texts[0]' });
  });

  test('may change while the call is under way', async () => {
    const document = { embeddings: [[1], [2]] };
    await using server = await startServer((_, response) => sendJson(response, 200, document));
    const texts = ['one', 'two'];
    const embedding = new LocalHostProvider({ host: server.url, model: 'm' }).embedMany(texts);
    texts.push('three');
    expect(await embedding).toEqual(document.embeddings);
  });
});
