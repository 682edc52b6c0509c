// What models write whatever the format of their calls is: tags of reasoning, ends of turns, words for "no tool".
import type { Dialect } from '../core/dialect';
import { toThinkTags } from './think-tags';

export const COMMON_DIALECT: Dialect = {
  endTokens: ['</s>', '<eos>', '<|endoftext|>', '<|end_of_text|>', '<|end_of_turn|>'],
  reasoningTags: toThinkTags(
    'think',
    'thinking',
    'reasoning',
    'thought',
    'reasoning_scratchpad',
    'scratch_pad',
    'scratchpad',
  ),
  finalAnswers: ['final answer', 'final_answer', 'final-answer', 'finalanswer'],
  noTools: ['none', 'null', 'no_tool', 'no-tool'],
};
