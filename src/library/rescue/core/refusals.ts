// Texts of refusals and hints that several parsers share. Independent of formats.
import type { ReadFailure } from './json-reading';
import { toRejectionReading } from './rescue-format';
import type { Refusal, RejectionReading } from './rescue-format';

export const CUT_HINT = 'Raise the token limit, or ask for less at once.';

/** Names a call as part of a sentence. @param name '' while it is not known. */
export const describeCall = (name = ''): string =>
  name === '' ? 'A call' : `The call of \`${name.slice(0, LONGEST_SHOWN)}\``;

const LONGEST_SHOWN = 64;

/** The refusal of a call that stops because the text ends. @param where Such as `inside a key`. */
export const toCutRefusal = (name: string | undefined, where: string): Refusal => ({
  reason: 'truncated',
  detail: `${describeCall(name)} stops ${where}: the reply was cut. Nothing was run.`,
  hint: CUT_HINT,
});

/** The rejection of a call in which the text ends. @param where As for `toCutRefusal`. */
export const rejectCut = (
  { text }: { text: string },
  start: number,
  name: string | undefined,
  where: string,
): RejectionReading => toRejectionReading({ start, end: text.length }, name, toCutRefusal(name, where));

interface FailureOptions {
  /** Language in which the call is written, if that says more. */
  language?: string;
  /** Whether the text itself ends there, and not just a string that was never closed. @default true */
  isCut?: boolean;
}

/** Describes a call that could not be read. */
export function describeFailure(
  { reason, at, inside, expected }: ReadFailure,
  name: string | undefined,
  { language, isCut = true }: FailureOptions = {},
): Refusal {
  const owner = describeCall(name);
  if (reason === 'truncated' && isCut) return toCutRefusal(name, `inside ${inside}`);
  if (reason === 'too-deep') return { reason, detail: `${owner} is nested more than 128 levels deep.` };
  if (reason === 'non-literal-argument')
    return { reason, detail: `${owner} has an expression at offset ${at}, in ${inside}. ${NEVER_EVALUATED}` };
  const whose =
    language === undefined ? owner : `The ${language} of ${owner.charAt(0).toLowerCase()}${owner.slice(1)}`;
  const due = expected === undefined ? '' : `: expected ${expected}`;
  const where =
    reason === 'truncated'
      ? `inside ${inside}, which does not end before the call does`
      : `at offset ${at}, in ${inside}${due}`;
  return { reason: 'malformed', detail: `${whose} breaks ${where}.` };
}

const NEVER_EVALUATED = 'Only literal values are read; nothing is ever evaluated.';

const ENDED_HINT =
  'The server says that the model ended its reply: ask again, or try a model that closes its calls.';

/** Rewords a rejection as `truncated` for a reply that, according to the server, was not cut off. */
export function rewordAsStopped<Item extends { reason: string; detail: string; hint?: string | undefined }>(
  rejection: Item,
): Item {
  if (rejection.reason !== 'truncated') return rejection;
  const detail = rejection.detail.replace('the reply was cut', 'the model stopped there');
  return { ...rejection, detail, ...(rejection.hint === CUT_HINT && { hint: ENDED_HINT }) };
}

/** The refusal of a well-formed call in the middle of program code. */
export const IN_PROGRAM: Refusal = {
  reason: 'example',
  detail: 'The call is a step of a program, so it is an example.',
};
