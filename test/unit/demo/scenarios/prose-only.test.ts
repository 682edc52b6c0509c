import { describe, expect, test } from 'vitest';
import { PROTOCOLS } from '../ask-model';
import { useOslo } from '../oslo';

describe.each(PROTOCOLS)('proseOnly in the %s protocol', (protocol) => {
  const ask = useOslo();

  test('names the tool and the arguments in prose and makes no call', async () => {
    const content = 'I would ask the tool get_weather with Oslo as the city, and then tell you what it said.';
    expect(await ask({ protocol, model: 'prose-only' })).toMatchObject({ status: 200, calls: [], content });
  });
});
