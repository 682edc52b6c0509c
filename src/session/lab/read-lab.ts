// Reads a text for the format lab: the calls in it, what was left as text and why, and the same calls in another format.
// Pure except for the clock; sends nothing.
import { t } from '@vscode/l10n';
import { formatToolCalls, rescueFormats, rescueToolCalls } from '../../library';
import type { CutText, FormatCount, LabParams, LabReading } from '../../protocol';
import { LAB_LIMIT } from '../../protocol';
import type { RescueReport, ToolType } from '../../types';
import { boundLists, boundText } from '../run/record/run-record';
import { checkAgainstSchema } from '../tools/schema/check-against-schema';
import { CheckBudget } from '../tools/schema/check-budget';
import { guessTools } from './guess-tools';

const MAX_WRITTEN = 200_000;
/** Path of something in the arguments of a call of the report. */
const CALL_ARGUMENTS = /^calls\.(\d+)\.arguments\b/;

export interface WholeReading {
  /** The report without truncation. */
  report: RescueReport;
  view: LabReading;
}

/** @param now Milliseconds since an arbitrary moment, for durations. */
export function readLab(
  { text, tools, format, writeAs }: LabParams['lab/read'],
  now: () => number,
): WholeReading {
  const start = now();
  const offered: ToolType[] = tools ?? guessTools(text);
  const read = rescueToolCalls(text, offered, format === undefined ? {} : { formats: [format] });
  const durationMs = now() - start;
  const report = tools ? { ...read, calls: withIssues(read.calls, tools) } : read;
  const { calls, rejected } = report;
  const { content, length } = boundText(report.content);
  const isWritten = writeAs !== undefined && calls.length > 0;
  const cut: CutText[] = [];
  const view: LabReading = {
    // Calls can be copied from the page, so their texts are sent completely.
    report: boundLists(
      {
        content,
        ...(report.reasoning !== undefined && { reasoning: report.reasoning }),
        calls: calls.slice(0, LAB_LIMIT.listed),
        rejected: rejected.slice(0, LAB_LIMIT.listed),
      },
      LAB_LIMIT.text,
      cut,
    ),
    contentLength: length,
    omittedCalls: Math.max(0, calls.length - LAB_LIMIT.listed),
    partCalls: [...new Set(cut.flatMap(({ path }) => CALL_ARGUMENTS.exec(path)?.[1] ?? []))].map(Number),
    omittedRejected: Math.max(0, rejected.length - LAB_LIMIT.listed),
    tools: offered,
    ...(isWritten && { written: writeCalls(calls, writeAs) }),
    durationMs,
  };
  return { report, view };
}

/** Adds what the schemas of the chosen tools say of the calls, as a run does. Guessed tools say nothing of values. */
function withIssues(calls: RescueReport['calls'], tools: readonly ToolType[]): RescueReport['calls'] {
  const budget = new CheckBudget();
  return calls.map((call) => {
    const schema = tools.find(({ name }) => name === call.name)?.parameters;
    const issues = schema && checkAgainstSchema(call.arguments, schema, budget).issues;
    if (!issues || issues.length === 0) return call;
    const known = new Set(issues.map(({ path }) => path));
    const before = (call.schemaIssues ?? []).filter(({ path }) => !known.has(path));
    return { ...call, schemaIssues: [...before, ...issues] };
  });
}

function writeCalls(calls: RescueReport['calls'], format: string): { text: string } | { problem: string } {
  try {
    const text = formatToolCalls(calls, format);
    if (text.length <= MAX_WRITTEN) return { text };
    return { problem: t('Together they have more than {0} characters.', MAX_WRITTEN) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Maximum time in milliseconds for which the extension host may be kept from other work. */
const LONGEST_TURN_MS = 20;

/**
 * Reads the text with each format alone. Returns the formats that read or reject a call, those with the most calls first.
 * @param pause Lets other work run; awaited whenever 20 ms have passed.
 * @throws the reason of the signal when it was aborted
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
