import { describe, expect, test } from 'vitest';
import { weatherResult } from '../ask-model';
import { SNOW, repeat, statusesOf, useOslo } from '../oslo';

describe('unavailable', () => {
  const ask = useOslo();
  const local = { protocol: 'local', model: 'unavailable' } as const;
  const hosted = { protocol: 'hosted', model: 'unavailable' } as const;

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

  test.each([local, hosted])('answers the same at every attempt: $protocol', async (question) => {
    expect(statusesOf(await repeat(4, () => ask(question)))).toEqual([503, 503, 503, 503]);
    const answered = { ...question, messages: weatherResult(question.protocol, SNOW) };
    expect((await ask(answered)).status).toBe(503);
  });
});
