import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../../../src/demo';
import { SCENARIOS, findScenario } from '../../../../src/demo/scenarios';
import { PROTOCOLS } from '../ask-model';
import { NO_TOOL_ANSWER, useOslo } from '../oslo';

describe('SCENARIOS', () => {
  test('has unique names, each with a summary', () => {
    expect(DEMO_MODELS).toEqual(SCENARIOS.map(({ name }) => name));
    expect(new Set(DEMO_MODELS).size).toBe(DEMO_MODELS.length);
    expect(SCENARIOS.every(({ summary }) => summary.endsWith('.'))).toBe(true);
  });

  test('lists the chat models in the order in which users should meet them, and the embedding model last', () => {
    expect(DEMO_MODELS).toEqual([
      'first-look',
      'native-call',
      'parallel-calls',
      'hermes-text',
      'json-fence',
      'malformed-call',
      'prose-only',
      'only-required',
      'wrong-name',
      'flaky',
      'rate-limited',
      'unavailable',
      'slow',
      'hangs',
      'cut-off',
      'uses-result',
      'demo-embed',
    ]);
    expect(SCENARIOS.filter(({ isEmbedder }) => isEmbedder).map(({ name }) => name)).toEqual(['demo-embed']);
  });

  test('finds a model by its exact name', () => {
    expect(findScenario('slow')?.name).toBe('slow');
    expect(findScenario('Slow')).toBeUndefined();
  });

  const ask = useOslo();
  const unready = ['first-look', 'rate-limited', 'unavailable', 'slow', 'hangs', 'cut-off', 'demo-embed'];
  const prompt = DEMO_MODELS.filter((name) => !unready.includes(name));
  test.each(prompt)('%s says in one sentence that no tool is offered', async (model) => {
    for (const protocol of PROTOCOLS) {
      const answer = await ask({ protocol, model, tools: [] });
      expect(answer).toMatchObject({ status: 200, calls: [], content: NO_TOOL_ANSWER });
    }
  });
});
