// One call of which the name is known already and the arguments follow in JSON. Knows no tokens and no format.
import type { RescueEvidence, RescueRepair } from '../../../types';
import type { Closer } from '../core/call-closer';
import { readArguments } from './read-arguments';
import { describeJsonFailure } from './read-calls';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading, RejectionReading } from '../core/rescue-format';

export interface CallHead {
  name: string;
  id?: string | undefined;
  /** Where the emission begins. */
  start: number;
  /** White space, and then the arguments. */
  bodyAt: number;
  repairs: readonly RescueRepair[];
  evidence?: RescueEvidence | undefined;
  /** What ends such a call: one that cannot be read ends there too. @default none */
  ends?: readonly string[] | undefined;
  /** A code fence around the arguments is the form's own way. */
  isFenced?: boolean | undefined;
}

/** Null when no arguments follow. `readCloser` reads what the form writes after them. */
export function readHeadedCall(
  context: RescueContext,
  head: CallHead,
  readCloser: (end: number) => Closer = (end) => ({ end, repairs: [], isOpen: false }),
): CallsReading | RejectionReading | null {
  const { name, id, start, bodyAt, evidence } = head;
  const body = readArguments(context, bodyAt, head.isFenced);
  if (!body) return null;
  if (body.failure) {
    // what follows damage on its line may be meant as an argument
    const isCut = body.failure.reason === 'truncated';
    const closed = findFirst(context, bodyAt, head.ends ?? []);
    const end = closed ?? (isCut ? context.text.length : context.findLineEnd(body.end));
    const refusal = describeJsonFailure(body.failure, name, closed === undefined);
    return { kind: 'rejection', start, end, name, ...refusal };
  }
  const closer = readCloser(body.end);
  const call = {
    name,
    arguments: body.value,
    id,
    start,
    end: closer.end,
    repairs: body.repairs,
    issues: body.issues,
  };
  const repairs = [...head.repairs, ...closer.repairs];
  return { kind: 'calls', start, end: closer.end, calls: [call], repairs, evidence, isOpen: closer.isOpen };
}

/** After the first of the tokens. */
function findFirst(context: RescueContext, from: number, tokens: readonly string[]): number | undefined {
  const found = tokens.map((token) => context.findAfter(token, from)).filter((end) => end !== undefined);
  return found.length > 0 ? Math.min(...found) : undefined;
}
