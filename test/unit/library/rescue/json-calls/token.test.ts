import { describe, expect, it } from 'vitest';
import { isCutBefore, skipToken } from '../../../../../src/library/rescue/json-calls/token';

describe('skipToken', () => {
  it('skips white space and any spelling of the token, in any case', () => {
    expect(skipToken('  <|END|> x', 0, ['</end>', '<|end|>'])).toBe(9);
  });

  it.each(['<|en', 'x <|end|>', ''])('finds none in %j', (text) => {
    expect(skipToken(text, 0, '<|end|>')).toBe(-1);
  });

  it('matches tokens with the function of the format', () => {
    const anyBars = (text: string, at: number): number => (text.startsWith('<｜end｜>', at) ? at + 7 : -1);
    expect(skipToken('\n<｜end｜>', 0, '<|end|>', anyBars)).toBe(8);
  });
});

describe('isCutBefore', () => {
  it.each(['', '  ', ' <|', '<|end|'])('returns true for %j', (text) => {
    expect(isCutBefore(text, 0, '<|end|>')).toBe(true);
  });

  it.each(['<|end|>', 'x', '<|e x'])('returns false for %j', (text) => {
    expect(isCutBefore(text, 0, '<|end|>')).toBe(false);
  });
});
