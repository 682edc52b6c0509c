import { describe, expect, test } from 'vitest';
import { findMarkup } from '../../../../src/library';

const tokens = (text: string): string[] => findMarkup(text).map(({ token }) => token);

describe('findMarkup', () => {
  test('finds opening, closing and delimiting tokens, with their offsets and as they are written', () => {
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

  test('finds tokens in other scripts and in square brackets', () => {
    expect(tokens('a <｜tool▁calls▁end｜> b [/TOOL_CALLS]')).toEqual([
      '<｜tool▁calls▁end｜>',
      '[/TOOL_CALLS]',
    ]);
    expect(tokens('<｜DSML｜parameter name="a" string="true">x</｜DSML｜parameter> <|psi|phi>')).toEqual([
      '<｜DSML｜parameter name="a" string="true">',
      '</｜DSML｜parameter>',
    ]);
  });

  test('finds the words that are left of removed tokens around reasoning', () => {
    expect(findMarkup('analysisTwo and two.assistantfinalFour.')).toEqual([
      { token: 'analysis', start: 0, end: 8, isReasoning: true },
      { token: 'assistantfinal', start: 20, end: 34, isReasoning: true },
    ]);
    expect(tokens('analysis of the data: assistant final')).toEqual([]);
  });

  test('finds the tags of calls whose brackets were escaped, not those of a page', () => {
    const call = '&lt;function_calls&gt;\n&lt;b class="x"&gt; &amp; &lt;/function_calls&gt;';
    expect(tokens(call)).toEqual(['&lt;function_calls&gt;', '&lt;/function_calls&gt;']);
    expect(tokens('`&lt;function_calls&gt;` is one, &lt;toolbox&gt; none.')).toEqual([]);
  });

  test.each([
    'A plain answer with a < b, x > y, a[0] and {"json": [1]}.',
    'HTML has <b>tags</b> and <toolbox> is none of ours.',
    'It ends with `</tool_call>`, and so does:\n```\n<tool_call>\n{}\n</tool_call>\n```\nthat.',
    '',
  ])('finds nothing in %j', (text) => {
    expect(tokens(text)).toEqual([]);
  });

  test('finds a token after a backtick that is never closed', () => {
    expect(tokens('It`s cold.</tool_call>')).toEqual(['</tool_call>']);
  });

  test('returns fifty tokens at most', () => {
    expect(findMarkup('</tool_call>'.repeat(500))).toHaveLength(50);
  });
});
