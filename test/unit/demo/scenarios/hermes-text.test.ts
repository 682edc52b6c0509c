import { describe, expect, test } from 'vitest';
import { PROTOCOLS, weatherResult } from '../ask-model';
import { OSLO_ANSWER, OSLO_TEXT, SNOW, useOslo } from '../oslo';

describe.each(PROTOCOLS)('hermesText in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'hermes-text' };

  test('writes a sentence and its call as text, without delay', async () => {
    const content = `Let me look that up.\n${OSLO_TEXT}`;
    expect(await ask(question)).toMatchObject({ status: 200, calls: [], finishReason: 'stop', content });
  });

  test('answers from the result', async () => {
    const answer = await ask({ ...question, messages: weatherResult(protocol, SNOW) });
    expect(answer.content).toBe(OSLO_ANSWER);
  });
});
