import { describe, expect, test } from 'vitest';
import type { AgentStep, Budget, TokenUsage } from '../../../../src/library';
import type { Spending } from '../../../../src/library/agent/budget';
import { checkBudget, findReachedLimit, measureSpending } from '../../../../src/library/agent/budget';
import { makeTurn, NATIVE } from '../../../support/session/turns';

const stepOf = (usage: TokenUsage & { costUsd?: number }, calls = 0): AgentStep => ({
  turn: { ...makeTurn({}), usage },
  calls: Array.from({ length: calls }, () => NATIVE),
  results: [],
});

const USED: Spending = { costUsd: 0.5, tokens: 100, chatCalls: 2, toolCalls: 3, durationMs: 40.4 };

describe('checkBudget', () => {
  test.each<[string, Budget]>([
    ['budget.maxCostUsd', { maxCostUsd: -1 }],
    ['budget.maxTokens', { maxTokens: Number.NaN }],
    ['budget.maxDurationMs', { maxDurationMs: Infinity }],
    ['budget.maxChatCalls', { maxChatCalls: 0 }],
    ['budget.maxToolCalls', { maxToolCalls: 1.5 }],
    ['budget.mode', { mode: 'halt' as 'stop' }],
    ['budget', null as unknown as Budget],
    ['budget', 'none' as unknown as Budget],
  ])('refuses an invalid %s by name', (field, budget) => {
    expect(() => checkBudget(budget, true)).toThrow(
      expect.objectContaining({ code: 'invalid-options', field }),
    );
  });

  test('refuses a cost limit without rates, but no other limit', () => {
    const refusal = expect.objectContaining({ code: 'invalid-options', field: 'budget.maxCostUsd' });
    expect(() => checkBudget({ maxCostUsd: 1 }, false)).toThrow(refusal);
    expect(() => checkBudget({ maxCostUsd: 1, mode: 'throw' }, true)).not.toThrow();
    expect(() => checkBudget({ maxTokens: 1, maxCostUsd: undefined }, false)).not.toThrow();
    expect(() => checkBudget(undefined, false)).not.toThrow();
  });
});

describe('measureSpending', () => {
  test('adds up the steps', () => {
    const steps = [
      stepOf({ promptTokens: 10, completionTokens: 2, costUsd: 0.25 }, 2),
      stepOf({ completionTokens: 3, costUsd: 0.5 }, 1),
    ];
    expect(measureSpending(steps, 7)).toEqual({
      costUsd: 0.75,
      tokens: 15,
      chatCalls: 2,
      toolCalls: 3,
      durationMs: 7,
    });
  });

  test('leaves a sum undefined if a part is unknown', () => {
    const steps = [stepOf({ promptTokens: 10, completionTokens: 2, costUsd: 0.25 }), stepOf({})];
    expect(measureSpending(steps, 0)).toMatchObject({ costUsd: undefined, tokens: undefined });
  });
});

describe('findReachedLimit', () => {
  test('ignores rounding errors in a sum of costs', () => {
    const steps = Array.from({ length: 10 }, () => stepOf({ costUsd: 0.1 }));
    const reached = findReachedLimit({ maxCostUsd: 1 }, measureSpending(steps, 0));
    expect(reached).toBe('It used 1 USD of at most 1.');
    expect(findReachedLimit({ maxCostUsd: 1 }, measureSpending(steps.slice(1), 0))).toBeUndefined();
  });

  test.each<[Budget, Budget, string]>([
    [{ maxCostUsd: 0.5 }, { maxCostUsd: 0.51 }, 'It used 0.5 USD of at most 0.5.'],
    [{ maxTokens: 100 }, { maxTokens: 101 }, 'It used 100 tokens of at most 100.'],
    [{ maxChatCalls: 2 }, { maxChatCalls: 3 }, 'It used 2 chat calls of at most 2.'],
    [{ maxToolCalls: 2 }, { maxToolCalls: 4 }, 'It used 3 tool calls of at most 2.'],
    [{ maxDurationMs: 40 }, { maxDurationMs: 41 }, 'It used 40 milliseconds of at most 40.'],
  ])('treats a limit as reached when the amount equals it: %j', (reached, free, sentence) => {
    expect(findReachedLimit(reached, USED)).toBe(sentence);
    expect(findReachedLimit(free, USED)).toBeUndefined();
  });

  test('treats an unknown amount as reaching its own limit only', () => {
    const unknown = { ...USED, costUsd: undefined, tokens: undefined };
    expect(findReachedLimit({ maxCostUsd: 9 }, unknown)).toMatch(/^The limit of 9 USD cannot be held: /);
    expect(findReachedLimit({ maxTokens: 9 }, unknown)).toMatch(/^The limit of 9 tokens cannot be held: /);
    expect(findReachedLimit({ maxChatCalls: 9 }, unknown)).toBeUndefined();
  });

  test('never reports a missing limit', () => {
    expect(findReachedLimit({}, USED)).toBeUndefined();
  });
});
