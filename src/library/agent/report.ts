// The report of a run, and the error that carries it. Pure.
import type { AgentStep, RunReport, StopReason, TokenUsage, ToolResult } from '../../types';
import type { ErrorStory } from '../errors';
import { ProviderError } from '../errors';

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

function sumUsage(usages: readonly TokenUsage[]): TokenUsage {
  const usage: TokenUsage = {};
  for (const key of ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const) {
    const sum = sumKnown(usages.map((one) => one[key]));
    if (sum !== undefined) usage[key] = sum;
  }
  return usage;
}

function sumKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
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
