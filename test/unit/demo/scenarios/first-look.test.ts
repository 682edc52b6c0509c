import { describe, expect, test } from 'vitest';
import { PROTOCOLS, userMessage, weatherResult } from '../ask-model';
import { OSLO_ANSWER, OSLO_TEXT, SNOW, repeat, statusesOf, useOslo } from '../oslo';

describe.each(PROTOCOLS)('firstLook in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'first-look' };
  const answered = weatherResult(protocol, SNOW);

  test('answers 429 twice with a wait, then writes its call as text', async () => {
    const answers = await repeat(3, () => ask(question));
    expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [429, '1'],
      [429, '1'],
      [200, undefined],
    ]);
    expect(answers[2]).toMatchObject({
      calls: [],
      finishReason: 'stop',
      content: `Let me look that up.\n${OSLO_TEXT}`,
    });
  });

  test('gives the reason with the error of its protocol', async () => {
    const message = 'Rate limit reached for first-look. Please try again in 1s.';
    const openAi = { message, type: 'requests', param: null, code: 'rate_limit_exceeded' };
    const errors = {
      local: message,
      hosted: openAi,
      messages: { type: 'rate_limit_error', message },
      responses: openAi,
    };
    expect((await ask(question)).error).toEqual(errors[protocol]);
  });

  test('answers 429 again after its success', async () => {
    expect(statusesOf(await repeat(4, () => ask(question)))).toEqual([429, 429, 200, 429]);
  });

  test('counts attempts separately for two callers with the same body', async () => {
    const runs = await Promise.all([repeat(3, () => ask(question)), repeat(3, () => ask(question))]);
    expect(runs.map((answers) => statusesOf(answers))).toEqual([
      [429, 429, 200],
      [429, 429, 200],
    ]);
  });

  test('answers after a result without 429, and so does a later question', async () => {
    expect(await ask({ ...question, messages: answered })).toMatchObject({
      status: 200,
      content: OSLO_ANSWER,
    });
    const messages = [
      ...answered,
      { role: 'assistant', content: OSLO_ANSWER },
      userMessage('And the weather now?'),
    ];
    const again = await ask({ ...question, messages });
    expect(again.status).toBe(200);
    expect(again.content).toContain('<tool_call>');
  });
});
