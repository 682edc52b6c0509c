import { describe, expect, test } from 'vitest';
import type { Protocol } from '../ask-model';
import { PROTOCOLS, userMessage } from '../ask-model';
import { OSLO_CALL, useOslo } from '../oslo';

/** Two protocols have no seed; there, the number of the request takes its place. */
const withSeed = (protocol: Protocol, seed: number): object =>
  ({ local: { options: { seed } }, hosted: { seed }, messages: {}, responses: {} })[protocol];

describe('flaky', () => {
  const ask = useOslo();

  test.each(PROTOCOLS)(
    'is right in 7 of 10 cases in the %s protocol, and wrong in three ways',
    async (protocol) => {
      const answers = [];
      for (let seed = 7; seed < 17; seed++)
        answers.push(await ask({ protocol, model: 'flaky', more: withSeed(protocol, seed) }));
      const isRight = answers.map(({ calls }) => JSON.stringify(calls) === JSON.stringify([OSLO_CALL]));
      expect(isRight.filter(Boolean)).toHaveLength(7);
      const wrong = answers.filter((_, index) => !isRight[index]);
      expect(wrong.map(({ calls }) => calls).filter((calls) => calls.length > 0)).toEqual([
        [{ name: 'get_weather', arguments: { city: 'Oslo, as you asked' } }],
      ]);
      const texts = wrong.map(({ content }) => content).filter((content) => content !== '');
      expect(texts.toSorted()).toEqual([
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "O',
        'I would ask the tool get_weather with Oslo as the city, and then tell you what it said.',
      ]);
    },
  );

  test.each(['messages', 'responses'] as const)(
    'repeats its reply in the %s protocol, which has no seed, at a temperature of 0',
    async (protocol) => {
      const more = { temperature: 0 };
      const answers = [];
      for (let count = 0; count < 10; count++) answers.push(await ask({ protocol, model: 'flaky', more }));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    },
  );

  test('repeats its reply for the same seed, and not for every message', async () => {
    const reply = (seed: number, city: string) =>
      ask({ protocol: 'hosted', model: 'flaky', more: { seed }, messages: [userMessage(`And in ${city}?`)] });
    expect(await reply(1, 'Rome')).toEqual(await reply(1, 'Rome'));
    const answers = await Promise.all(['Rome', 'Bern', 'Lima', 'Bonn', 'Kyiv'].map((city) => reply(1, city)));
    expect(new Set(answers.map(({ calls }) => calls.length)).size).toBeGreaterThan(1);
  });
});
