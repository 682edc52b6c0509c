// Messages of the models that write calls as `<atem:invoke>`: harmony's headers without channels. Its recipient says what
// a message is: thinking for the model itself, the answer for the user, a call for everybody else.
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading } from '../core/rescue-format';
import type { HarmonyHeader } from './harmony-header';

/** What ends a message beside harmony's own tokens. */
export const GLIMMER_ENDS = ['<|eom|>', '<|eot|>'];

const CALLS = ['<atem:function_calls>', '<atem:invoke'];
const CALLS_END = '</atem:function_calls>';

export type MessageKind = 'calls' | 'thinking' | 'answer';

/** Undefined for a message of harmony. `bodyEnd` is where the message ends. */
export function findMessageKind(
  { text }: RescueContext,
  { recipient, channel, bodyAt }: HarmonyHeader,
  bodyEnd: number,
): MessageKind | undefined {
  if (channel !== '') return undefined;
  if (recipient === 'self') return 'thinking';
  const body = skipWhite(text, bodyAt);
  const holdsCalls = CALLS.some((opener) => text.startsWith(opener, body));
  if (recipient !== 'user') return holdsCalls ? 'calls' : undefined;
  // what the user is shown is no call, unless there is nothing else
  const isAll = holdsCalls && text.slice(body, bodyEnd).trimEnd().endsWith(CALLS_END);
  return isAll ? 'calls' : 'answer';
}

/** The header alone: its calls are of a format of their own. */
export function toCallsHeader({ text }: RescueContext, { start, bodyAt }: HarmonyHeader): FormatReading {
  const end = skipWhite(text, bodyAt);
  return { kind: 'text', end, markup: [{ start, end }] };
}
