import { describe, expect, test } from 'vitest';
import { PROTOCOLS } from '../ask-model';
import type { Protocol } from '../ask-model';
import { OSLO_CALL, useOslo } from '../oslo';

describe('onlyRequired', () => {
  const ask = useOslo();

  test.each(PROTOCOLS)('describes the call in prose in the %s protocol', async (protocol) => {
    const answer = await ask({ protocol, model: 'only-required' });
    expect(answer).toMatchObject({ calls: [], content: expect.stringContaining('get_weather') });
  });

  test.each<[Protocol, unknown]>([
    ['hosted', 'required'],
    ['hosted', { type: 'function', function: { name: 'get_weather' } }],
    ['messages', { type: 'any' }],
    ['messages', { type: 'tool', name: 'get_weather' }],
    ['responses', 'required'],
    ['responses', { type: 'function', name: 'get_weather' }],
  ])('makes the call in the %s protocol when the tool choice is %j', async (protocol, choice) => {
    const more = { tool_choice: choice };
    expect((await ask({ protocol, model: 'only-required', more })).calls).toEqual([OSLO_CALL]);
  });
});
