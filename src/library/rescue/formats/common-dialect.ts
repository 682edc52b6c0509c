// Tokens, tags and names that models write in every format: ends of turns, reasoning tags, names for "no tool".
import type { Dialect } from '../core/dialect';
import { toReasoningElements } from './reasoning-elements';

export const COMMON_DIALECT: Dialect = {
  endTokens: ['</s>', '<eos>', '<|endoftext|>', '<|end_of_text|>', '<|end_of_turn|>'],
  reasoningTags: toReasoningElements(
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
