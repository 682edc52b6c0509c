// The report of a run, and the error that carries it. Pure.
import type { AgentStep, RunReport, StopReason, ToolResult } from '../../types';
import type { ErrorStory } from '../errors';
import { ProviderError } from '../errors';
import { sumKnown, sumUsage } from '../usage/sum-usage';

export interface RunEnding {
  output: string;
  stopReason: StopReason;
  /** Attempts of a chat that came to no turn. */
  failedAttempts: number;
  /** What the calls came to that the input left open. */
  resumed: readonly ToolResult[];
}

export function toRunReport(steps: readonly AgentStep[], ending: RunEnding): RunReport {
  const turns = steps.map(({ turn }) => turn);
  const costUsd = sumKnown(turns.map(({ usage }) => usage.costUsd));
  return {
    output: ending.output,
    ...(ending.resumed.length > 0 && { resumed: [...ending.resumed] }),
    steps: [...steps],
    usage: sumUsage(turns.map(({ usage }) => usage)),
    ...(costUsd !== undefined && { costUsd }),
    attempts: turns.reduce((sum, { attempts }) => sum + attempts, ending.failedAttempts),
    stopReason: ending.stopReason,
  };
}

/** A run that was ended from outside (`aborted`) or by its budget (`budget-exceeded`). */
export class RunStoppedError extends ProviderError {
  /** The run so far. After an abort its `stopReason` is `error`. */
  readonly report: RunReport;

  constructor(
    code: 'aborted' | 'budget-exceeded',
    story: ErrorStory,
    details: { report: RunReport; cause?: unknown },
  ) {
    const { report, cause } = details;
    super(code, story, {
      attempts: report.attempts,
      ledger: report.steps.flatMap(({ turn }) => turn.ledger),
      exchange: report.steps.at(-1)?.turn.exchange,
      cause,
    });
    this.report = report;
  }
}
