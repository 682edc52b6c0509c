// Joins the dialects that the registered formats declare with what models write in every format. The only place that
// passes them to the parsers.
import type { Dialect } from '../core/dialect';
import { Dialects } from '../core/dialects';
import { toReasoningElements } from '../regions/reasoning-tags';
import { RESCUE_FORMATS } from './index';

/** Ends of turns, reasoning tags, names for "no tool". */
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

export const DIALECTS = new Dialects([COMMON_DIALECT, ...RESCUE_FORMATS]);
