import { describe, expect, test } from 'vitest';
import { PROTOCOLS, WEATHER_TOOL } from '../ask-model';
import { OSLO_CALL, useOslo } from '../oslo';

describe.each(PROTOCOLS)('wrongName in the %s protocol', (protocol) => {
  const ask = useOslo();

  test('misspells the name of the tool, and still does so when a tool has the misspelt name', async () => {
    const question = { protocol, model: 'wrong-name' };
    expect((await ask(question)).calls).toEqual([{ ...OSLO_CALL, name: 'get_wether' }]);
    const tool = structuredClone(WEATHER_TOOL) as { function: { name: string } };
    tool.function.name = 'get_wether';
    expect((await ask({ ...question, tools: [tool] })).calls).toEqual([{ ...OSLO_CALL, name: 'get_wether' }]);
  });
});
