import { describe, expect, it } from 'vitest';
import { findFirstOpener } from '../../../../../src/library/rescue/decide/stray-tokens';

describe('findFirstOpener', () => {
  it.each(['<tool_call>', '[TOOL_CALLS]', '<｜tool▁calls▁begin｜>'])(
    'finds the first %s of several',
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
  ])('stays where the opener stands once: %j', (text) => {
    const start = text.lastIndexOf('<tool_call>');
    expect(findFirstOpener(text, start, [])).toBe(start);
  });

  it('takes no words and no brackets for an opener', () => {
    expect(findFirstOpener('f(f(', 2, [])).toBe(2);
    expect(findFirstOpener('> > {', 2, [])).toBe(2);
  });
});
