// Builds the report of a run, and defines the error that contains it. Pure.
import type { AgentStep, RunReport, StopReason, ToolResult } from '../../types';
import type { ErrorExplanation } from '../errors';
import { ProviderError } from '../errors';
import { sumKnown, sumUsage } from '../usage/sum-usage';
import { keepName } from '../util/keep-name';

export interface RunEnding {
  output: string;
  stopReason: StopReason;
  /** Number of attempts of a chat that failed. */
  failedAttempts: number;
  /** Results of the calls that were open in the given conversation. */
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

/**
 * A run was stopped by its caller (`aborted`), by its budget (`budget-exceeded`), or by a reply of which nothing arrived
 * (`response-format`).
 */
export class RunStoppedError extends ProviderError {
  static {
    keepName(this, 'RunStoppedError');
  }

  /** The run so far. Its `stopReason` is `error`, or `budget` when the budget ended the run. */
  readonly report: RunReport;

  constructor(
    code: 'aborted' | 'budget-exceeded' | 'response-format',
    explanation: ErrorExplanation,
    details: {
      report: RunReport;
      /** The chat that was in progress, with its attempts, its exchange and the text that had arrived. */
      chat?: ProviderError | undefined;
      cause?: unknown;
    },
  ) {
    const { report, chat, cause } = details;
    super(code, explanation, {
      attempts: report.attempts,
      ledger: [...report.steps.flatMap(({ turn }) => turn.ledger), ...(chat?.ledger ?? [])],
      exchange: chat?.exchange ?? report.steps.at(-1)?.turn.exchange,
      partial: chat?.partial,
      cause,
    });
    this.report = report;
  }
}
