import { describe, expect, it } from 'vitest';
import { readCallCloser } from '../../../../../src/library/rescue/core/call-closer';
import { createContext, kindsOf } from '../rescue-fixtures';

const read = (text: string) => {
  const { end, repairs, isOpen } = readCallCloser(createContext(text, []), 0, '<tool_call|>');
  return { end, repairs: kindsOf(repairs), isOpen };
};

describe('readCallCloser', () => {
  it.each([
    ['the closer', ' <tool_call|> x', 13, [], false],
    ['nothing', '\n', 1, ['missing-close-tag'], true],
    ['a truncated closer', '<tool_c', 7, ['missing-close-tag'], true],
    ['another tag', '</tool_call>x', 12, ['wrong-close-tag'], false],
    ['another token', '<|tool_call_end|>', 17, ['wrong-close-tag'], false],
    ['a misspelt closer', '<tool_cal|> x', 11, ['wrong-close-tag'], false],
    ['a closer with another character in it', '<tool_`call|>', 0, ['missing-close-tag'], false],
    ['an opener at the end', '<|tool_call> ', 12, ['wrong-close-tag'], false],
    ['an opener before more', '<|tool_call>call:f', 0, ['missing-close-tag'], false],
    ['the end of a turn', '<|im_end|>', 0, ['missing-close-tag'], false],
    ['prose', ' and so on', 0, ['missing-close-tag'], false],
    ['the end of reasoning before an answer', '</think>Hi', 0, ['missing-close-tag'], false],
  ])('reads %s after the call', (_, text, end, repairs, isOpen) => {
    expect(read(text)).toEqual({ end, repairs, isOpen });
  });
});
