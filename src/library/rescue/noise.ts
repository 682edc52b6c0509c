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
  '</s>',
  '</tool_call>',
  '</tool_calls>',
  '</function_calls>',
  '[/TOOL_CALLS]',
  '```',
  '~~~',
];

const CLOSERS = '}]),;';

/** Nothing between the two places says anything. */
export function isNoise(text: string, from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (isBlank(code) || CLOSERS.includes(text.charAt(at))) at += 1;
    else {
      const token =
        code === 60 || code === 91 || code === 96 || code === 126 ? findToken(text, at) : undefined;
      if (token === undefined) return false;
      at += token.length;
    }
  }
  return true;
}

const findToken = (text: string, at: number): string | undefined =>
  TOKENS.find((token) => text.startsWith(token, at));
