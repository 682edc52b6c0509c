import { describe, expect, test } from 'vitest';
import { PROTOCOLS, weatherResult } from '../ask-model';
import { OSLO_CALL, SNOW, useOslo } from '../oslo';

describe.each(PROTOCOLS)('usesResult in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'uses-result' };

  test('makes a native call', async () => {
    expect((await ask(question)).calls).toEqual([OSLO_CALL]);
  });

  test('quotes every field of the result', async () => {
    const answer = await ask({ ...question, messages: weatherResult(protocol, SNOW) });
    expect(answer.content).toBe('The tool get_weather answered: temp_c is -2, sky is "snow".');
  });

  test('reports that the tool failed', async () => {
    const answer = await ask({ ...question, messages: weatherResult(protocol, 'Error: no such city') });
    expect(answer.content).toBe('The tool get_weather failed: no such city');
  });
});
