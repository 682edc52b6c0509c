import { describe, expect, test } from 'vitest';
import { PROTOCOLS, weatherResult } from '../ask-model';
import { OSLO_ANSWER, OSLO_CALL, SNOW, repeat, useOslo } from '../oslo';
import type { Answer } from '../ask-model';

const waitsOf = (answers: readonly Answer[]): unknown =>
  answers.map(({ status, retryAfter }) => [status, retryAfter]);

describe.each(PROTOCOLS)('rateLimited in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'rate-limited' };
  const refusedTwice = [
    [429, '1'],
    [429, undefined],
    [200, undefined],
  ];

  test('answers 429 twice, the second time without a wait, then makes its call', async () => {
    const answers = await repeat(3, () => ask(question));
    expect(waitsOf(answers)).toEqual(refusedTwice);
    expect(answers[2]?.calls).toEqual([OSLO_CALL]);
  });

  test('answers the request with the result the same way', async () => {
    const messages = weatherResult(protocol, SNOW);
    const answers = await repeat(3, () => ask({ ...question, messages }));
    expect(waitsOf(answers)).toEqual(refusedTwice);
    expect(answers[2]?.content).toBe(OSLO_ANSWER);
  });
});
