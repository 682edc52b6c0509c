// The tag or token that closes a call: as it should be, cut in half, another one, or none. Knows no format by name.
import type { RescueRepair } from '../../types';
import { skipWhite } from './json/blank';
import { isNoise } from './noise';
import { findReasoningTag } from './reasoning-tags';

export interface Closer {
  /** After the closer; `from` when something else stands there. */
  end: number;
  repairs: RescueRepair[];
  /** It is missing because the text ends. */
  isOpen: boolean;
}

const LONGEST_CLOSER = 64;

/** Written once more instead of their closers, by models that mix the two up. */
const OPENER = /^<(?:\|tool_call(?:_start\|)?|start_function_call|tool_call|function_calls)>/;
/** Closers of other forms, in lower case. Tokens that end a turn are none. */
const CLOSER =
  /^(?:<\/[a-z][a-z0-9_:|-]{1,36}>|<\|(?:\/?tool_call|tool_call_end|python_end|action_end|tools_suffix|end_message)\|>|<(?:tool_call\||end_function_call|bot_end)>|\[(?:end_tool_request|\/tool_(?:request|calls?))\])/;

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
  const endsThinking = findReasoningTag(text, at) !== undefined && !isNoise(text, end, text.length);
  if (other !== '' && !endsThinking)
    return { end, repairs: [{ kind: 'wrong-close-tag', at }], isOpen: false };
  return { end: from, repairs: [{ kind: 'missing-close-tag', at: from }], isOpen: false };
}

function findOther(text: string, at: number, written: string): string {
  const [closer] = CLOSER.exec(written) ?? [];
  if (closer !== undefined) return closer;
  const [opener = ''] = OPENER.exec(written) ?? [];
  return skipWhite(text, at + opener.length) >= text.length ? opener : '';
}
