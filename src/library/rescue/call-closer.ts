// The tag or token that closes a call: as it should be, cut in half, another one, or none. Knows no format by name.
import type { RescueRepair } from '../../types';
import { skipWhite } from './json/blank';
import { findReasoningTag } from './reasoning-tags';

export interface Closer {
  /** After the closer; `from` when something else stands there. */
  end: number;
  repairs: RescueRepair[];
  /** It is missing because the text ends. */
  isOpen: boolean;
}

const LONGEST_CLOSER = 64;

/** Closers of other forms. Tokens that end a turn are none. */
const TOKENS = [
  '<|tool_call_end|>',
  '<|/tool_call|>',
  '<|tool_call|>',
  '<tool_call|>',
  '<end_function_call>',
  '<|python_end|>',
  '<bot_end>',
  '<|action_end|>',
  '<|tools_suffix|>',
  '<|end_message|>',
  '[end_tool_request]',
  '[/tool_request]',
  '[/tool_call]',
  '[/tool_calls]',
];
/** Written once more instead of their closers, by models that mix the two up. */
const OPENERS = [
  '<|tool_call>',
  '<|tool_call_start|>',
  '<start_function_call>',
  '<tool_call>',
  '<function_calls>',
];
const CLOSING_TAG = /^<\/[a-z][a-z0-9_:|-]{1,36}>/;

export function readCallCloser(text: string, from: number, expected: string): Closer {
  const at = skipWhite(text, from);
  const written = text.slice(at, at + LONGEST_CLOSER).toLowerCase();
  const wanted = expected.toLowerCase();
  if (written.startsWith(wanted)) return { end: at + expected.length, repairs: [], isOpen: false };
  if (at + written.length === text.length && wanted.startsWith(written)) {
    return { end: text.length, repairs: [{ kind: 'missing-close-tag', at }], isOpen: true };
  }
  const other = findOther(text, at, written);
  const end = at + other.length;
  // with an answer after it, it ends thinking that began in the prompt, and this call was a rehearsal
  const endsThinking = findReasoningTag(text, at) !== undefined && skipWhite(text, end) < text.length;
  if (other !== '' && !endsThinking)
    return { end, repairs: [{ kind: 'wrong-close-tag', at }], isOpen: false };
  return { end: from, repairs: [{ kind: 'missing-close-tag', at: from }], isOpen: false };
}

function findOther(text: string, at: number, written: string): string {
  const token = TOKENS.find((item) => written.startsWith(item)) ?? CLOSING_TAG.exec(written)?.[0];
  if (token !== undefined) return token;
  const opener = OPENERS.find((item) => written.startsWith(item)) ?? '';
  return skipWhite(text, at + opener.length) >= text.length ? opener : '';
}
