import { describe, expect, test } from 'vitest';
import { PROTOCOLS, weatherResult } from '../ask-model';
import { OSLO_ANSWER, SNOW, useOslo } from '../oslo';

describe.each(PROTOCOLS)('jsonFence in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'json-fence' };

  test('writes its call as a JSON code block', async () => {
    const block = '```json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```';
    expect(await ask(question)).toMatchObject({
      status: 200,
      calls: [],
      finishReason: 'stop',
      content: `I will call a tool.\n\n${block}`,
    });
  });

  test('answers from the result', async () => {
    const answer = await ask({ ...question, messages: weatherResult(protocol, SNOW) });
    expect(answer.content).toBe(OSLO_ANSWER);
  });
});
