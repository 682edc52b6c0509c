import { describe, expect, test } from 'vitest';
import { WEATHER_TOOL, weatherResult } from '../ask-model';
import { SNOW, repeat, statusesOf, useOslo } from '../oslo';

describe('unavailable', () => {
  const ask = useOslo();
  const local = { protocol: 'local', model: 'unavailable' } as const;
  const hosted = { protocol: 'hosted', model: 'unavailable' } as const;
  const messages = { protocol: 'messages', model: 'unavailable' } as const;
  const responses = { protocol: 'responses', model: 'unavailable' } as const;

  test('answers in the local protocol that its queue is full, without a wait', async () => {
    expect(await ask(local)).toMatchObject({
      status: 503,
      retryAfter: undefined,
      error: 'server busy, please try again.  maximum pending requests exceeded',
    });
  });

  test('answers in the hosted protocol that it is still loading, without a wait', async () => {
    expect(await ask(hosted)).toMatchObject({
      status: 503,
      retryAfter: undefined,
      error: { message: 'Loading model', type: 'unavailable_error', code: 503 },
    });
  });

  test('answers in the messages protocol that it is overloaded, with a status of its own', async () => {
    expect(await ask(messages)).toMatchObject({
      status: 529,
      retryAfter: undefined,
      error: { type: 'overloaded_error', message: 'Overloaded' },
    });
  });

  test('answers in the responses protocol that it is overloaded', async () => {
    expect(await ask(responses)).toMatchObject({
      status: 503,
      error: { type: 'service_unavailable_error', code: 'server_is_overloaded', param: null },
    });
  });

  test.each([local, hosted, messages, responses])(
    'answers the same at every attempt: $protocol',
    async (question) => {
      const status = question.protocol === 'messages' ? 529 : 503;
      expect(statusesOf(await repeat(4, () => ask(question)))).toEqual([status, status, status, status]);
      const answered = { ...question, messages: weatherResult(question.protocol, SNOW) };
      expect((await ask({ ...answered, tools: [WEATHER_TOOL] })).status).toBe(status);
    },
  );
});
