import { describe, expect, test } from 'vitest';
import { PROTOCOLS, weatherResult } from '../ask-model';
import { OSLO_ANSWER, SNOW, useOslo } from '../oslo';

describe.each(PROTOCOLS)('malformedCall in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'malformed-call' };

  test('writes a call with single quotes, a trailing comma and no close tag', async () => {
    const content = "<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Oslo',}}";
    expect(await ask(question)).toMatchObject({ status: 200, calls: [], finishReason: 'stop', content });
  });

  test('answers from the result', async () => {
    const answer = await ask({ ...question, messages: weatherResult(protocol, SNOW) });
    expect(answer.content).toBe(OSLO_ANSWER);
  });
});
