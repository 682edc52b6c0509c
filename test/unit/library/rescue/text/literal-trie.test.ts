import { describe, expect, it } from 'vitest';
import { LiteralTrie } from '../../../../../src/library/rescue/text/literal-trie';

function createTrie(...literals: string[]): LiteralTrie<string> {
  const trie = new LiteralTrie<string>();
  for (const literal of literals) trie.add(literal, literal);
  return trie;
}

describe('LiteralTrie', () => {
  it('returns the literals at an offset, the longest first', () => {
    const trie = createTrie('<tool', '<tool_call>', '<x>');
    expect(trie.matches('a<tool_call>', 1)).toEqual(['<tool_call>', '<tool']);
    expect(trie.matches('a<tool_call>', 0)).toEqual([]);
    expect(trie.matches('<tool_cal', 0)).toEqual(['<tool']);
  });

  it('ignores ASCII case, and returns the exact spelling first', () => {
    const trie = createTrie('<toolcall>', '<TOOLCALL>');
    expect(trie.matches('<TOOLCALL>', 0)).toEqual(['<TOOLCALL>', '<toolcall>']);
    expect(trie.matches('<ToolCall>', 0)).toEqual(['<toolcall>', '<TOOLCALL>']);
  });

  it('matches characters beyond ASCII', () => {
    expect(createTrie('<｜tool▁call▁begin｜>').matches('<｜tool▁call▁begin｜>', 0)).toHaveLength(1);
  });
});
