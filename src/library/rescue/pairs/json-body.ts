// Reads whole calls in JSON inside a tag whose other form is pairs. Independent of tags.
import type { RescueRepair } from '../../../types';
import { skipWhite } from '../text/white-space';
import { readBlocks } from '../json-calls/read-blocks';
import { readBlockCalls, toRejection } from '../json-calls/read-calls';
import type { RescueContext } from '../core/rescue-context';
import type { ReadCall, RejectionReading } from '../core/rescue-format';

export interface JsonBody {
  calls: ReadCall[];
  end: number;
  repairs: RescueRepair[];
  /** Whether the text ended before the brackets were closed. */
  isOpen: boolean;
  failure?: RejectionReading | undefined;
}

/** Null when no object or list begins at `from`. @param start Where the emission begins. */
export function readJsonBody(context: RescueContext, from: number, start: number): JsonBody | null {
  const at = skipWhite(context.text, from);
  const first = context.text.charAt(at);
  const run = first === '{' || first === '[' ? readBlocks(context, at) : null;
  if (!run) return null;
  const calls = run.blocks.flatMap((block) => readBlockCalls(context, block));
  const failure = run.failure && toRejection(run.failure, calls.at(-1)?.end ?? start, run.failure.end);
  return { calls, end: run.end, repairs: run.repairs, isOpen: run.isOpen, failure };
}
