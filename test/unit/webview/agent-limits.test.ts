import { describe, expect, it } from 'vitest';
import { emptyLimits, firstLimitProblem, limitProblem, toLimits } from '../../../webview/agent-limits';

describe('limitProblem', () => {
  it.each([
    ['maxSteps', ''],
    ['maxSteps', '1'],
    ['maxSteps', ' 100 '],
    ['maxTokens', '20000'],
    ['maxCostUsd', '0.05'],
  ] as const)('%s may be "%s"', (key, text) => expect(limitProblem(key, text)).toBeUndefined());

  it.each([
    ['maxSteps', '0'],
    ['maxSteps', '101'],
    ['maxSteps', '1.5'],
    ['maxSteps', '-1'],
    ['maxTokens', '0'],
    ['maxTokens', 'ten'],
    ['maxCostUsd', '1.2.3'],
    ['maxCostUsd', '0'],
  ] as const)('%s may not be "%s"', (key, text) => expect(limitProblem(key, text)).toMatch(/number/));
});

describe('firstLimitProblem', () => {
  it('names the field', () => {
    expect(firstLimitProblem(emptyLimits())).toBeUndefined();
    expect(firstLimitProblem({ ...emptyLimits(), maxSteps: 'x' })).toBe(
      'Step limit must be a whole number from 1 to 100.',
    );
  });
});

describe('toLimits', () => {
  it('is ten steps and no budget unless something else is set', () => {
    expect(toLimits(emptyLimits())).toEqual({ maxSteps: 10 });
    expect(toLimits({ maxSteps: '3', maxTokens: ' 500', maxCostUsd: '.5' })).toEqual({
      maxSteps: 3,
      maxTokens: 500,
      maxCostUsd: 0.5,
    });
  });
});
