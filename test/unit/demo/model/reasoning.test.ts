import { describe, expect, test } from 'vitest';
import { withReasoning } from '../../../../src/demo/model/reasoning';
import { toTextTurn } from '../../../../src/demo/model/scenario';

const QUESTION = { role: 'user', content: 'What is the weather?' } as const;

describe('withReasoning', () => {
  test('thinks about the message and the calls for it', () => {
    const call = { name: 'get_weather', argumentsText: '{}' };
    const turn = { ...toTextTurn(''), toolCalls: [call, call, { ...call, name: 'get_time' }] };
    expect(withReasoning(turn, [QUESTION]).reasoning).toBe(
      'The message says: “What is the weather?”. I call get_weather and get_time for it.',
    );
    expect(withReasoning(toTextTurn('Yes.'), [QUESTION]).reasoning).toContain('I answer it in words.');
  });

  test('thinks about a result', () => {
    const messages = [QUESTION, { role: 'tool', content: 'snow' } as const];
    expect(withReasoning(toTextTurn('Snow.'), messages).reasoning).toContain('The result is here');
  });

  test('quotes only the beginning of a long message, without splitting a character', () => {
    const { reasoning = '' } = withReasoning(toTextTurn(''), [{ role: 'user', content: '🌞'.repeat(500) }]);
    expect(reasoning).toContain(`“${'🌞'.repeat(80)}”`);
  });

  test('keeps the reasoning of a turn that has its own', () => {
    expect(withReasoning({ ...toTextTurn(''), reasoning: 'Hm.' }, [QUESTION]).reasoning).toBe('Hm.');
  });
});
