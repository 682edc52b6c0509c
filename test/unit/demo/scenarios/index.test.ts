import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../../../src/demo';
import { SCENARIOS, findScenario } from '../../../../src/demo/scenarios';
import { PROTOCOLS } from '../ask-model';
import { NO_TOOL_ANSWER, useOslo } from '../oslo';

describe('SCENARIOS', () => {
  test('has one model a name, each with a summary', () => {
    expect(DEMO_MODELS).toEqual(SCENARIOS.map(({ name }) => name));
    expect(new Set(DEMO_MODELS).size).toBe(DEMO_MODELS.length);
    expect(SCENARIOS.every(({ summary }) => summary.endsWith('.'))).toBe(true);
  });

  test('finds a model by its exact name', () => {
    expect(findScenario('slow')?.name).toBe('slow');
    expect(findScenario('Slow')).toBeUndefined();
  });

  const ask = useOslo();
  const prompt = DEMO_MODELS.filter((name) => !['first-look', 'rate-limited', 'slow'].includes(name));
  test.each(prompt)('%s says in one sentence that no tool is offered', async (model) => {
    for (const protocol of PROTOCOLS) {
      const answer = await ask({ protocol, model, tools: [] });
      expect(answer).toMatchObject({ status: 200, calls: [], content: NO_TOOL_ANSWER });
    }
  });
});
