import { describe, expect, test } from 'vitest';
import { PromptCache, countTokens } from '../../../../src/demo/model/tokens';

describe('countTokens', () => {
  test('counts about one token per four characters', () => {
    expect(['', 'a', 'abcd', 'abcde'].map((text) => countTokens(text))).toEqual([0, 1, 1, 2]);
  });
});

describe('PromptCache', () => {
  test('returns the number of tokens shared with the previous prompt, but never all of them', () => {
    const cache = new PromptCache();
    const counts = ['aaaabbbb', 'aaaabbbb', 'aaaacccc', 'dddd'].map((prompt) => cache.count(prompt, 'abc'));
    expect(counts.map(({ promptTokens, cachedTokens }) => [promptTokens, cachedTokens])).toEqual([
      [2, 0],
      [2, 1],
      [2, 1],
      [1, 0],
    ]);
    expect(counts[0]?.completionTokens).toBe(1);
  });
});
