// A text as the format lab reads it: the calls in it, what was left alone and why, and the same calls in another format.
// Pure but for its clock; nothing is sent.
import { t } from '@vscode/l10n';
import { formatToolCalls, rescueFormats, rescueToolCalls } from '../../library';
import type { FormatCount, LabParams, LabReading } from '../../protocol';
import { LAB_LIMIT } from '../../protocol';
import type { RescueReport, ToolType } from '../../types';
import { boundText, boundValue } from '../run/run-record';
import { guessTools } from './guess-tools';

const MAX_WRITTEN = 200_000;

export interface WholeReading {
  /** All of it. */
  report: RescueReport;
  view: LabReading;
}

/** @param now Milliseconds from whatever moment. */
export function readLab(
  { text, tools, format, writeAs }: LabParams['lab/read'],
  now: () => number,
): WholeReading {
  const start = now();
  const offered: ToolType[] = tools ?? guessTools(text);
  const report = rescueToolCalls(text, offered, format === undefined ? {} : { formats: [format] });
  const durationMs = now() - start;
  const { calls, rejected } = report;
  const { content, length } = boundText(report.content);
  const isWritten = writeAs !== undefined && calls.length > 0;
  const view: LabReading = {
    report: boundValue({
      content,
      ...(report.reasoning !== undefined && { reasoning: report.reasoning }),
      calls: calls.slice(0, LAB_LIMIT.listed),
      rejected: rejected.slice(0, LAB_LIMIT.listed),
    }),
    contentLength: length,
    omittedCalls: Math.max(0, calls.length - LAB_LIMIT.listed),
    omittedRejected: Math.max(0, rejected.length - LAB_LIMIT.listed),
    tools: offered,
    ...(isWritten && { written: writeCalls(calls, writeAs) }),
    durationMs,
  };
  return { report, view };
}

function writeCalls(calls: RescueReport['calls'], format: string): { text: string } | { problem: string } {
  try {
    const text = formatToolCalls(calls, format);
    if (text.length <= MAX_WRITTEN) return { text };
    return { problem: t('They make more than {0} characters.', MAX_WRITTEN) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** How long the host may be kept from everything else, in milliseconds. */
const LONGEST_TURN_MS = 20;

/**
 * The text once in each format alone; those that read a call or refuse one, the most calls first.
 * @param pause Lets others work; asked for after every 20 ms.
 * @throws what the signal was aborted with
 */
export async function compareFormats(
  { text, tools }: LabParams['lab/compare-formats'],
  { signal, now, pause }: { signal: AbortSignal; now: () => number; pause: () => Promise<unknown> },
): Promise<FormatCount[]> {
  const counts: FormatCount[] = [];
  let start = now();
  for (const { id } of rescueFormats()) {
    const { calls, rejected } = rescueToolCalls(text, tools, { formats: [id] });
    if (calls.length + rejected.length > 0)
      counts.push({ id, calls: calls.length, rejected: rejected.length });
    if (now() - start < LONGEST_TURN_MS) continue;
    await pause();
    signal.throwIfAborted();
    start = now();
  }
  return counts.toSorted((one, other) => other.calls - one.calls || other.rejected - one.rejected);
}
