import { describe, expect, it } from 'vitest';
import { isBlank, skipWhite } from '../../../../../src/library/rescue/text/white-space';

const BLANKS = ['\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '\ufeff'];

describe('skipWhite', () => {
  it.each([0, 1, 31, 32, 33, 64, 5000])('skips %i blanks of every kind, and nothing else', (length) => {
    for (const blank of BLANKS) {
      expect(isBlank(blank.charCodeAt(0))).toBe(true);
      const run = blank.repeat(length);
      for (const after of ['', 'a', '\u2028', '\0', '{ }'])
        expect(skipWhite(`x${run}${after}`, 1), JSON.stringify(blank)).toBe(1 + length);
    }
  });

  it('returns an offset beyond the end unchanged', () => {
    expect(skipWhite('ab', 7)).toBe(7);
  });
});
