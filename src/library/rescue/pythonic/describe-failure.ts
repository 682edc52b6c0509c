// Describes a call that could not be read as literals to a person.
import { CUT_HINT } from '../core/refusals';
import type { RejectionReading } from '../core/rescue-format';
import type { RunFailure } from './read-call-run';

const NEVER_EVALUATED = 'Only literal values are read; nothing is ever evaluated.';

/** @param isCut Whether the text itself ends there, and not just a string that was never closed. */
export function toLiteralRejection(failure: RunFailure, end: number, isCut = true): RejectionReading {
  const { name, reason, at, inside, start } = failure;
  const whose = name === undefined ? 'A call' : `The call of \`${name.slice(0, 64)}\``;
  const base = { kind: 'rejection' as const, start, end, ...(name !== undefined && { name }) };
  if (reason === 'truncated' && isCut) {
    const detail = `${whose} stops inside ${inside}: the reply was cut. Nothing was run.`;
    return { ...base, reason, detail, hint: CUT_HINT };
  }
  if (reason === 'too-deep')
    return { ...base, reason, detail: `${whose} is nested more than 128 levels deep.` };
  if (reason === 'non-literal-argument') {
    const detail = `${whose} has an expression at offset ${at}, in ${inside}. ${NEVER_EVALUATED}`;
    return { ...base, reason, detail };
  }
  const what =
    reason === 'truncated' ? `${inside} is never closed` : `the reading failed at offset ${at}, in ${inside}`;
  return { ...base, reason: 'malformed', detail: `${whose} is no call that could be repaired: ${what}.` };
}
