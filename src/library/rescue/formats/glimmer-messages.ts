// Messages of the models that write calls as `<atem:invoke>`. They have harmony's headers without channels; the recipient
// decides what a message is: `self` means reasoning, `user` means the answer, any other recipient means a call.
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading } from '../core/rescue-format';
import type { HarmonyHeader } from './harmony-header';

/** Tokens that end a message, besides those of harmony. */
export const GLIMMER_ENDS = ['<|eom|>', '<|eot|>'];

const CALLS = ['<atem:function_calls>', '<atem:invoke'];
const CALLS_END = '</atem:function_calls>';

export type MessageKind = 'calls' | 'reasoning' | 'answer';

/** What the message is; undefined for a message of harmony. `bodyEnd` is the offset where the message ends. */
export function findMessageKind(
  { text }: RescueContext,
  { recipient, channel, bodyAt }: HarmonyHeader,
  bodyEnd: number,
): MessageKind | undefined {
  if (channel !== '') return undefined;
  if (recipient === 'self') return 'reasoning';
  const body = skipWhite(text, bodyAt);
  const holdsCalls = CALLS.some((opener) => text.startsWith(opener, body));
  if (recipient !== 'user') return holdsCalls ? 'calls' : undefined;
  // A message to the user is the answer, unless it contains nothing but calls.
  const isAll = holdsCalls && text.slice(body, bodyEnd).trimEnd().endsWith(CALLS_END);
  return isAll ? 'calls' : 'answer';
}

/** Reads only the header, because another format parses the calls after it. */
export function toCallsHeader({ text }: RescueContext, { start, bodyAt }: HarmonyHeader): FormatReading {
  const end = skipWhite(text, bodyAt);
  return { kind: 'text', end, markup: [{ start, end }] };
}
