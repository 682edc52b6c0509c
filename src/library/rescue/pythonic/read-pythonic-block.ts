// Reads calls as a program writes them, between an opener and a closer. Spellings are data; independent of formats.
import type { RescueRepair } from '../../../types';
import { readCallCloser } from '../core/call-closer';
import type { Closer } from '../core/call-closer';
import { readFenceClosing, readFenceOpening } from '../regions/fence';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import { describeFailure } from '../core/refusals';
import { toFailedEmission, toRejectionReading } from '../core/rescue-format';
import type { FormatReading } from '../core/rescue-format';
import { skipPythonBlank } from './python-syntax';
import { readCallRun } from './read-call-run';
import type { CallRun, RunFailure } from './read-call-run';

export interface PythonicSpelling {
  /** '' when the form has no closer. */
  close: string;
  /** Whether there is a code fence between the tokens and the calls: required, or accepted as damage. */
  fence?: 'due' | 'foreign' | undefined;
  repairs?: readonly RescueRepair[] | undefined;
  /** Whether models repeat the list directly after its closer. */
  hasEchoes?: boolean | undefined;
}

/** Null when the body is neither a call nor a list of calls. */
export function readPythonicBlock(
  context: RescueContext,
  at: number,
  opener: string,
  spelling: PythonicSpelling,
): FormatReading | null {
  const { text } = context;
  let from = skipWhite(text, at + opener.length);
  const repairs: RescueRepair[] = [...(spelling.repairs ?? [])];
  const fence = spelling.fence === undefined ? undefined : readFenceOpening(text, from);
  if (spelling.fence === 'due' && !fence) return null;
  if (fence && spelling.fence === 'foreign') repairs.push({ kind: 'code-fence', at: from });
  if (fence) from = skipWhite(text, fence.bodyStart);
  const run = readCallRun(context, skipPythonBlank(context, from));
  if (!run) return null;
  if (run.damage) {
    const end = spelling.close === '' ? undefined : findFailedEnd(context, at, run.damage, spelling.close);
    return toFailedRun(at, { ...run, repairs: [...repairs, ...run.repairs] }, run.damage, end);
  }
  const afterFence = fence ? readFenceClosing(text, run.end, fence) : run.end;
  const closed = readCloser(context, afterFence, spelling.close);
  const closer = spelling.hasEchoes === true ? readEcho(context, run, closed, spelling.close) : closed;
  return {
    ...run,
    start: at,
    end: closer.end,
    repairs: [...repairs, ...run.repairs, ...closer.repairs],
    isOpen: run.isOpen || closer.isOpen,
  };
}

/** Skips a repetition of the list, which has no opener of its own and may have a closer. */
function readEcho(context: RescueContext, { start, end }: CallRun, closer: Closer, close: string): Closer {
  const { text } = context;
  const written = text.slice(start, end);
  const at = skipWhite(text, closer.end);
  if (closer.end === end || !text.startsWith(written, at)) return closer;
  context.meter.spend(at, at + written.length);
  const next = skipWhite(text, at + written.length);
  const repairs = [...closer.repairs, { kind: 'repeated-call', at, note: 'the list is repeated' }];
  return {
    end: text.startsWith(close, next) ? next + close.length : at + written.length,
    repairs,
    isOpen: false,
  };
}

const readCloser = (context: RescueContext, from: number, close: string): Closer =>
  close === '' ? { end: from, repairs: [], isOpen: false } : readCallCloser(context, from, close);

/**
 * Offset after the closer of calls that could not all be read; undefined when there is none. A closer before the damage may
 * be part of a string.
 */
export function findFailedEnd(
  context: RescueContext,
  at: number,
  damage: RunFailure,
  close: string,
): number | undefined {
  const end = context.findAfter(close, Math.min(at + 1, damage.at));
  return end === undefined || damage.reason === 'truncated' ? end : Math.max(end, damage.at);
}

/**
 * The calls before the damage. The text after it, up to the closer, may be meant as an argument and is skipped.
 * @param closed Offset after the closer, if there is one.
 */
export function toFailedRun(at: number, run: CallRun, damage: RunFailure, closed?: number): FormatReading {
  const start = run.calls.at(-1)?.end ?? at;
  const refusal = describeFailure(damage, damage.name, { isCut: closed === undefined });
  const failure = toRejectionReading({ start, end: closed ?? damage.at }, damage.name, refusal);
  return toFailedEmission({ ...run, start: at }, failure);
}
