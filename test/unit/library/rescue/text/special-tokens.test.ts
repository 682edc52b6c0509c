import { describe, expect, it } from 'vitest';
import { normalizeToken, readSpecialToken } from '../../../../../src/library/rescue/text/special-tokens';

const SPELLINGS = [
  '<｜tool▁calls▁begin｜>',
  '<|tool_calls_begin|>',
  '<｜tool calls begin｜>',
  '<｜tool\\_calls\\_begin｜>',
  '<‖tool▁calls▁begin‖>',
  '<｜｜TOOL_CALLS_BEGIN｜｜>',
];

describe('normalizeToken', () => {
  it.each(SPELLINGS)('normalizes %s to the same name', (token) => {
    expect(normalizeToken(token)).toBe('tool_calls_begin');
  });
});

describe('readSpecialToken', () => {
  it.each(SPELLINGS)('reads %s at its offset', (token) => {
    expect(readSpecialToken(`a ${token} b`, 2)).toEqual({
      start: 2,
      end: 2 + token.length,
      name: 'tool_calls_begin',
    });
  });

  it('reads a token that lost one of its bars', () => {
    expect(readSpecialToken('<tool▁sep｜>x', 0)?.name).toBe('tool_sep');
  });

  it.each(['<b>', '<tool_call>', 'tool｜>', '<｜tool', '<｜a\nb｜>', `<｜${'x'.repeat(80)}｜>`])(
    'does not treat %s as a token',
    (text) => expect(readSpecialToken(text, 0)).toBeNull(),
  );
});
