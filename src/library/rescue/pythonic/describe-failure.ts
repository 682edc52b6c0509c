// Describes a call that could not be read as literals to a person.
import { describeCall, toCutRefusal } from '../core/refusals';
import type { Refusal, RejectionReading } from '../core/rescue-format';
import type { RunFailure } from './read-call-run';

const NEVER_EVALUATED = 'Only literal values are read; nothing is ever evaluated.';

/** @param isCut Whether the text itself ends there, and not just a string that was never closed. */
export function toLiteralRejection(failure: RunFailure, end: number, isCut = true): RejectionReading {
  const { name, start } = failure;
  return { kind: 'rejection', start, end, ...(name !== undefined && { name }), ...toRefusal(failure, isCut) };
}

function toRefusal({ name, reason, at, inside }: RunFailure, isCut: boolean): Refusal {
  if (reason === 'truncated' && isCut) return toCutRefusal(name, `inside ${inside}`);
  const whose = describeCall(name);
  if (reason === 'too-deep') return { reason, detail: `${whose} is nested more than 128 levels deep.` };
  if (reason === 'non-literal-argument')
    return { reason, detail: `${whose} has an expression at offset ${at}, in ${inside}. ${NEVER_EVALUATED}` };
  const what =
    reason === 'truncated' ? `${inside} is never closed` : `the reading failed at offset ${at}, in ${inside}`;
  return { reason: 'malformed', detail: `${whose} cannot be repaired to a call: ${what}.` };
}
