// Texts of refusals and hints that several parsers share. Knows no format.
import type { Refusal } from './rescue-format';

export const CUT_HINT = 'Raise the token limit, or ask for less at once.';

const ENDED_HINT =
  'The server says that the model ended its reply: ask again, or try a model that closes its calls.';

/** The same where the server said that nothing cut the reply. */
export function sayThatItEnded<Item extends { reason: string; detail: string; hint?: string | undefined }>(
  rejection: Item,
): Item {
  if (rejection.reason !== 'truncated') return rejection;
  const detail = rejection.detail.replace('the reply was cut', 'the model stopped there');
  return { ...rejection, detail, ...(rejection.hint === CUT_HINT && { hint: ENDED_HINT }) };
}

/** For a well-formed call in the middle of program code. */
export const IN_PROGRAM: Refusal = {
  reason: 'example',
  detail: 'The call is a step of a program, so it is an example.',
};
