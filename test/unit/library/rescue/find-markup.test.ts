import { describe, expect, test } from 'vitest';
import { findMarkup } from '../../../../src/library';

const tokens = (text: string): string[] => findMarkup(text).map(({ token }) => token);

describe('findMarkup', () => {
  test('finds what opens, closes and delimits, where it stands and as it is written', () => {
    const text = 'It is cold.</TOOL_CALL> <|im_end|> <think>Hm.</think>';
    const found = findMarkup(text);
    expect(found.map(({ token, isReasoning }) => [token, isReasoning])).toEqual([
      ['</TOOL_CALL>', false],
      ['<|im_end|>', false],
      ['<think>', true],
      ['</think>', true],
    ]);
    for (const { token, start, end } of found) expect(text.slice(start, end)).toBe(token);
  });

  test('knows tokens of other scripts and in square brackets', () => {
    expect(tokens('a <｜tool▁calls▁end｜> b [/TOOL_CALLS]')).toEqual([
      '<｜tool▁calls▁end｜>',
      '[/TOOL_CALLS]',
    ]);
  });

  test.each([
    'A plain answer with a < b, x > y, a[0] and {"json": [1]}.',
    'HTML has <b>tags</b> and <toolbox> is none of ours.',
    'It ends with `</tool_call>`, and so does:\n```\n<tool_call>\n{}\n</tool_call>\n```\nthat.',
    '',
  ])('finds nothing in %j', (text) => {
    expect(tokens(text)).toEqual([]);
  });

  test('is not put off by a backtick that nobody closes', () => {
    expect(tokens('It`s cold.</tool_call>')).toEqual(['</tool_call>']);
  });

  test('stops at fifty', () => {
    expect(findMarkup('</tool_call>'.repeat(500))).toHaveLength(50);
  });
});
