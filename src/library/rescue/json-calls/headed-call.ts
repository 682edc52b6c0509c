// Reads one call whose name is already known and whose arguments follow in JSON. Independent of tokens and formats.
import type { RescueEvidence, RescueRepair } from '../../../types';
import type { Closer } from '../core/call-closer';
import { readArguments, rejectArguments } from './read-arguments';
import type { RescueContext } from '../core/rescue-context';
import { toSingleEmission } from '../core/rescue-format';
import type { CallsReading, RejectionReading } from '../core/rescue-format';

export interface JsonCallHead {
  name: string;
  id?: string | undefined;
  /** Where the emission begins. */
  start: number;
  /** The white space before the arguments begins here. */
  bodyAt: number;
  repairs: readonly RescueRepair[];
  evidence?: RescueEvidence | undefined;
  /** Tokens that end such a call, even one that cannot be read. @default none */
  ends?: readonly string[] | undefined;
  /** Whether a code fence around the arguments is usual in this form. */
  isFenced?: boolean | undefined;
}

/** Null when no arguments follow. @param readCloser Reads what the form writes after them. */
export function readHeadedCall(
  context: RescueContext,
  head: JsonCallHead,
  readCloser: (end: number) => Closer = (end) => ({ end, repairs: [], isOpen: false }),
): CallsReading | RejectionReading | null {
  const { name, id, start, bodyAt, evidence } = head;
  const body = readArguments(context, bodyAt, head.isFenced);
  if (!body) return null;
  if (body.failure)
    return rejectArguments(context, head, body.failure, context.findFirst(head.ends ?? [], bodyAt)?.end);
  const { value, repairs, issues } = body;
  const { end, isOpen, ...closer } = readCloser(body.end);
  const call = { name, arguments: value, id, start, end, repairs, issues };
  return toSingleEmission(call, { repairs: [...head.repairs, ...closer.repairs], evidence, isOpen });
}
