import { describe, expect, test } from 'vitest';
import { PROTOCOLS } from '../ask-model';
import { OSLO_CALL, useOslo } from '../oslo';

describe('onlyRequired', () => {
  const ask = useOslo();

  test.each(PROTOCOLS)('describes the call in prose in the %s protocol', async (protocol) => {
    const answer = await ask({ protocol, model: 'only-required' });
    expect(answer).toMatchObject({ calls: [], content: expect.stringContaining('get_weather') });
  });

  test.each(['required', { type: 'function', function: { name: 'get_weather' } }])(
    'makes the call when the tool choice is %j',
    async (choice) => {
      const more = { tool_choice: choice };
      expect((await ask({ protocol: 'hosted', model: 'only-required', more })).calls).toEqual([OSLO_CALL]);
    },
  );
});
