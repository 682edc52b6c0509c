import { describe, expect, it } from 'vitest';
import { parseLimit } from '../../../../webview/lanes/limit-fields';

describe('parseLimit', () => {
  it.each([
    ['maxSteps', '', undefined],
    ['maxSteps', '1', 1],
    ['maxSteps', ' 100 ', 100],
    ['maxTokens', '20000', 20_000],
    ['maxCostUsd', '0.05', 0.05],
  ] as const)('accepts for %s the value "%s"', (key, text, value) =>
    expect(parseLimit(key, text)).toEqual({ value }),
  );

  it.each([
    ['maxSteps', '0'],
    ['maxSteps', '101'],
    ['maxSteps', '1.5'],
    ['maxSteps', '-1'],
    ['maxTokens', '0'],
    ['maxTokens', 'ten'],
    ['maxCostUsd', '1.2.3'],
    ['maxCostUsd', '0'],
  ] as const)('refuses for %s the value "%s"', (key, text) =>
    expect(parseLimit(key, text).problem).toMatch(/^must be a .*number/),
  );
});
