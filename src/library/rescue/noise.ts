// What may follow a call without being an answer: white space, stray closers, end-of-turn tokens.
import { isBlank } from './json/blank';

const TOKENS = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|end_of_turn|>',
  '<｜end▁of▁sentence｜>',
  '<end_of_turn>',
  '<turn|>',
  '<start_function_response>',
  '<end_function_call>',
  '<|tool_response>',
  '<tool_call|>',
  '<|tool_call_end|>',
  '<bot_end>',
  '<|iquest_end|>',
  '<|/tool_call|>',
  '<|start_header_id|>assistant<|end_header_id|>',
  '<|header_start|>assistant<|header_end|>',
  '<|im_start|>assistant',
  '<|im_start|>user',
  '<eos>',
  '<seed:eos>',
  '[e~[',
  '</s>',
  '</tool_call>',
  '</tool_calls>',
  '</function_calls>',
  '</TOOLCALL>',
  '</response>',
  '[/TOOL_CALLS]',
  '[/TOOL_CALL]',
  '[END_TOOL_REQUEST]',
  '[END FINAL RESPONSE]',
  '```',
  '~~~',
];

const CLOSERS = '}]),;';
/** Models have many more, and none of them is a word of an answer. */
const CONTROL_TOKEN = /^(?:<[|｜][\w▁:-]{1,32}[|｜]>|\[\|\w{1,32}\|\])/;
const LONGEST_TOKEN = 40;

/** Nothing between the two places says anything. */
export function isNoise(text: string, from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (isBlank(code) || CLOSERS.includes(text.charAt(at))) at += 1;
    else {
      const isMark = code === 60 || code === 91 || code === 96 || code === 126;
      const token = isMark ? (findNoise(text, at) ?? findControlToken(text, at)) : undefined;
      if (token === undefined) return false;
      at += token.length;
    }
  }
  return true;
}

const findControlToken = (text: string, at: number): string | undefined =>
  CONTROL_TOKEN.exec(text.slice(at, at + LONGEST_TOKEN))?.[0];

/** The token at `at` that says nothing. */
export const findNoise = (text: string, at: number): string | undefined =>
  TOKENS.find((token) => text.startsWith(token, at));

/** Without the tokens at its end that say nothing, and without white space around it. */
export function trimNoise(text: string): string {
  let trimmed = text.trim();
  for (let at = trimmed.lastIndexOf('<'); at !== -1; at = trimmed.lastIndexOf('<')) {
    if (at + (findNoise(trimmed, at)?.length ?? 0) !== trimmed.length) break;
    trimmed = trimmed.slice(0, at).trimEnd();
  }
  return trimmed;
}
