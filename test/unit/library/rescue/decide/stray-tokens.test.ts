import { describe, expect, it, vi } from 'vitest';
import { findFirstOpener, findStrayTokens } from '../../../../../src/library/rescue/decide/stray-tokens';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';

describe('findStrayTokens', () => {
  it('looks at each repeated token once, however many calls there are', () => {
    const token = '<|im_end|>';
    const count = 400;
    const calls = Array.from({ length: count }, (_, index) => ({
      start: index * token.length,
      end: index * token.length,
    }));
    const find = vi.spyOn(DIALECTS.trailing, 'find');
    try {
      findStrayTokens(token.repeat(count), DIALECTS, calls, { kept: [], cut: [] });
      expect(find.mock.calls.length).toBeGreaterThan(0);
      expect(find.mock.calls.length).toBeLessThan(4 * count);
    } finally {
      find.mockRestore();
    }
  });
});

describe('findFirstOpener', () => {
  it.each(['<tool_call>', '[TOOL_CALLS]', '<｜tool▁calls▁begin｜>'])(
    'finds the first of several %s in a row',
    (opener) => {
      const text = `Text. ${opener}\n${opener}${opener} {}`;
      expect(findFirstOpener(text, text.lastIndexOf(opener), [])).toBe(6);
    },
  );

  it.each([
    '<tool_call>{}',
    'Text <tool_call>{}',
    '<b><tool_call>{}',
    '<tool_call>{}</tool_call><tool_call>{}',
  ])('returns the place itself when the opener stands there once: %j', (text) => {
    const start = text.lastIndexOf('<tool_call>');
    expect(findFirstOpener(text, start, [])).toBe(start);
  });

  it('does not treat words and brackets as openers', () => {
    expect(findFirstOpener('f(f(', 2, [])).toBe(2);
    expect(findFirstOpener('> > {', 2, [])).toBe(2);
  });
});
