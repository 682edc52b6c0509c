// Known errors of other servers, and requests in the form that they need. Nothing here was recorded.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, ProviderError } from '../../../src/library';
import { closeConnections, HostedApiProvider } from '../../../src/library';
import { startServer } from '../../support/servers/http-server';
import { answerChat } from './replay-chat';
import { chunk, DONE, read, reply, stream } from './synthetic-answers';

afterAll(closeConnections);

describe('a synthetic error', () => {
  const flat = { object: 'error', message: 'no such model', type: 'NotFoundError', param: null, code: 404 };
  test.each<[sentence: string, status: number, body: object | string, words: string | undefined]>([
    ['vLLM before 0.10.1 and Mistral: at the top level of the body', 404, flat, 'no such model'],
    [
      'vLLM: an empty message for an invalid format',
      500,
      { error: { message: '', type: 'x', code: 500 } },
      undefined,
    ],
    [
      'Groq: a tool that was not offered',
      400,
      { error: { message: 'requested tool does not exist' } },
      'requested tool does not exist',
    ],
    [
      'Azure: an unknown deployment',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist.' } },
      'The API deployment does not exist.',
    ],
    [
      'OpenRouter: the reason of its provider beside its own message',
      502,
      {
        error: {
          code: 502,
          message: 'Provider returned error',
          metadata: { provider_name: 'X', raw: '{"error":{"message":"overloaded"}}' },
        },
      },
      'Provider returned error: overloaded',
    ],
    [
      'OpenRouter: insufficient credits',
      402,
      { error: { code: 402, message: 'Insufficient credits' } },
      'Insufficient credits',
    ],
    [
      'DeepSeek: insufficient balance',
      402,
      { error: { message: 'Insufficient Balance' } },
      'Insufficient Balance',
    ],
    [
      'LM Studio: the same message twice',
      400,
      { error: { message: 'no model' }, message: 'no model' },
      'no model',
    ],
  ])('is read: %s', async (_, status, body, words) => {
    expect(await read(body, status)).toEqual({ is: 'refused', status, words });
  });

  test.each<[sentence: string, body: object | string, partial: string, words: string | undefined]>([
    [
      'OpenRouter: instead of a reply under 200',
      { error: { code: 429, message: 'slow down' } },
      '',
      'slow down',
    ],
    [
      'OpenRouter: in the last chunk of a stream, with a finish reason',
      stream(
        chunk({ content: 'Hi' }),
        chunk({ content: '' }, 'error', { error: { code: 502, message: 'gone' } }),
      ),
      'Hi',
      'gone',
    ],
    [
      'OpenRouter: a stream without a finish reason because its provider lost the connection',
      stream(
        chunk({ content: 'Hi' }),
        { choices: [{ delta: { content: '' }, finish_reason: null, native_finish_reason: 'network_error' }] },
        DONE,
      ),
      'Hi',
      undefined,
    ],
    ['vLLM before 0.10.1: at the top level of the body under 200', flat, '', 'no such model'],
    [
      'vLLM before 0.10.1: at the top level of an event of a stream',
      stream(chunk({ content: 'Hi' }), flat, DONE),
      'Hi',
      'no such model',
    ],
    [
      'Groq: as an event named error in a stream',
      stream(
        chunk({ content: 'Hi' }),
        'event: error\ndata: {"error":{"message":"failed","status_code":400}}\n\n',
      ),
      'Hi',
      'failed',
    ],
    [
      'any server: as an event named error with plain text in a stream',
      stream(chunk({ content: 'Hi' }), 'event: error\ndata: overloaded\n\n'),
      'Hi',
      'overloaded',
    ],
    [
      'LM Studio: the same message twice in a stream',
      stream(chunk({ content: 'Hi' }), { error: { message: 'gone' }, message: 'gone' }),
      'Hi',
      'gone',
    ],
  ])('is read: %s', async (_, body, partial, words) => {
    expect(await read(body)).toEqual({ is: 'broken', words, partial });
  });

  test('with 429 of Groq and OpenRouter is retried after Retry-After; their header for the reset of a limit is ignored', async () => {
    const error = await answerChat(
      'hosted',
      { error: { message: 'slow down' } },
      {
        status: 429,
        headers: { 'retry-after': '0', 'x-ratelimit-reset-tokens': '2m59.56s' },
        credentials: { retry: { maxAttempts: 2 } },
      },
    );
    expect((error as ProviderError).ledger).toMatchObject([
      { status: 429, decision: 'retry', delayMs: 0, delaySource: 'retry-after' },
      { decision: 'stop' },
    ]);
  });
});

describe('requests to servers that were not recorded', () => {
  test('use Azure’s own path and key, with the version after the path', async () => {
    await using server = await startServer((_, response) =>
      response.end(JSON.stringify(reply({ content: 'Hi' }))),
    );
    const host = `${server.url}/openai/deployments/d/?api-version=2024-10-21`;
    const provider = new HostedApiProvider({ host, apiKey: 'azure-key', auth: 'api-key' });
    await provider.chat({ messages: [{ role: 'user', content: 'hi' }] });
    expect(server.requests).toMatchObject([
      {
        url: '/openai/deployments/d/chat/completions?api-version=2024-10-21',
        headers: { 'api-key': 'azure-key' },
      },
    ]);
  });

  test('send the token limit to Mistral and llama-cpp-python as max_tokens, unless another key is set', async () => {
    const bodyFor = async (credentials: object): Promise<unknown> => {
      const turn = (await answerChat('hosted', reply({ content: 'x' }), {
        credentials: { sampling: { maxTokens: 9 }, ...credentials },
      })) as ChatTurn;
      return JSON.parse(turn.exchange.request.body) as unknown;
    };
    expect(await bodyFor({})).toMatchObject({ max_tokens: 9 });
    expect(await bodyFor({})).not.toHaveProperty('max_completion_tokens');
    expect(await bodyFor({ tokenLimitKey: 'max_completion_tokens' })).toMatchObject({
      max_completion_tokens: 9,
    });
  });

  test('send LM Studio no content that is null, which it refused', async () => {
    const toolCalls = [{ id: 'a', name: 'now', arguments: {}, source: 'native' as const }];
    const turn = (await answerChat('hosted', reply({ content: 'x' }), {
      options: { messages: [{ role: 'assistant', content: '', toolCalls }] },
    })) as ChatTurn;
    expect(JSON.parse(turn.exchange.request.body)).toMatchObject({ messages: [{ content: '' }] });
  });
});
