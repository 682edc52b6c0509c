// Limits of a run: checks whether they can be enforced, and whether one is reached. Pure: reads no clock.
import type { AgentStep } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkNumber, checkRecord } from '../util/check-options';

/**
 * Limits of a run. They are checked between steps: all calls of a step are run, and a chat in progress is never interrupted.
 */
export interface Budget {
  /** USD. Requires the provider's `costPer1kTokens`. Counts as reached when the server does not report token counts. */
  maxCostUsd?: number | undefined;
  /** Prompt and completion tokens of all chats. Counts as reached when the server does not report them. */
  maxTokens?: number | undefined;
  /** Number of chats; each step has one. */
  maxChatCalls?: number | undefined;
  /** Number of calls that the model made, including those that failed. */
  maxToolCalls?: number | undefined;
  /** Milliseconds since the start of the run. */
  maxDurationMs?: number | undefined;
  /** `stop`: the run returns its report. `throw`: it rejects with `budget-exceeded`. @default 'stop' */
  mode?: 'stop' | 'throw' | undefined;
}

/** What a run has used so far; undefined means unknown. */
export interface Spending {
  /** USD. */
  costUsd: number | undefined;
  /** Prompt and completion tokens of all chats. */
  tokens: number | undefined;
  chatCalls: number;
  /** Number of calls that the model made, including those that failed. */
  toolCalls: number;
  /** Milliseconds since the start of the run. */
  durationMs: number;
}

/** @throws InvalidOptionsError for an invalid limit, or one that could never be enforced */
export function checkBudget(budget: Budget | undefined, hasRates: boolean): void {
  checkRecord('budget', budget);
  if (!budget) return;
  const { maxCostUsd, mode } = budget;
  checkNumber('budget.maxCostUsd', maxCostUsd, { min: 0 });
  checkNumber('budget.maxTokens', budget.maxTokens, { min: 0 });
  checkNumber('budget.maxDurationMs', budget.maxDurationMs, { min: 0 });
  checkNumber('budget.maxChatCalls', budget.maxChatCalls, { min: 1, integer: true });
  checkNumber('budget.maxToolCalls', budget.maxToolCalls, { min: 1, integer: true });
  if (mode !== undefined && mode !== 'stop' && mode !== 'throw') {
    throw new InvalidOptionsError('budget.mode', 'must be stop or throw');
  }
  if (maxCostUsd !== undefined && !hasRates) {
    throw new InvalidOptionsError('budget.maxCostUsd', 'needs the costPer1kTokens of the provider');
  }
}

/** @param steps The finished chats, each with the calls that the model made in it. */
export function measureSpending(
  steps: readonly { turn: Pick<AgentStep['turn'], 'usage'>; calls: AgentStep['calls'] }[],
  durationMs: number,
): Spending {
  return {
    costUsd: sumAll(steps.map(({ turn }) => turn.usage.costUsd)),
    tokens: sumAll(steps.map(({ turn }) => tokensOf(turn.usage))),
    chatCalls: steps.length,
    toolCalls: steps.reduce((sum, { calls }) => sum + calls.length, 0),
    durationMs,
  };
}

/** One sentence about the first limit that is reached; undefined when none is. A limit is reached when used >= limit. */
export function findReachedLimit(budget: Budget, spending: Spending): string | undefined {
  const { costUsd, tokens, chatCalls, toolCalls, durationMs } = spending;
  return [
    judge(budget.maxCostUsd, costUsd === undefined ? undefined : withoutNoise(costUsd), 'USD'),
    judge(budget.maxTokens, tokens, 'tokens'),
    judge(budget.maxChatCalls, chatCalls, 'chat calls'),
    judge(budget.maxToolCalls, toolCalls, 'tool calls'),
    judge(budget.maxDurationMs, Math.round(durationMs), 'milliseconds'),
  ].find((reached) => reached !== undefined);
}

/** Ten times 0.1 adds up to a little less than 1. No price has as many digits as are kept. */
const withoutNoise = (sum: number): number => Number(sum.toPrecision(12));

function judge(limit: number | undefined, used: number | undefined, unit: string): string | undefined {
  if (limit === undefined) return undefined;
  if (used === undefined) {
    return `The limit of ${limit} ${unit} cannot be held: the server did not tell how many tokens it used.`;
  }
  return used >= limit ? `It used ${used} ${unit} of at most ${limit}.` : undefined;
}

function tokensOf({ promptTokens, completionTokens }: AgentStep['turn']['usage']): number | undefined {
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return (promptTokens ?? 0) + (completionTokens ?? 0);
}

/** Undefined as soon as one value is unknown: a partial sum could stay below a limit that is exceeded. */
function sumAll(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0,
  );
}
