// The numbers of a lane's last run, of all of it when it was an agent run. What nobody told is absent, never 0. Pure.
import type { AgentEnding, RunEntry, RunOutcome } from '../../src/protocol';
import type { TokenUsage } from '../../src/types';
import type { LaneState } from '../session-state';
import { countAttempts } from '../text/format';
import { lastRun, stepsOf } from './lane-queries';

export interface Figures {
  usage: TokenUsage;
  /** Prompt and completion, as far as the server told them. */
  tokens?: number | undefined;
  durationMs: number;
  attempts: number;
  costUsd?: number | undefined;
  firstTokenMs?: number | undefined;
  /** Of the last reply, while it was written. */
  tokensPerSecond?: number | undefined;
}

/** @returns undefined as long as no run has ended. */
export function figuresOf(lane: LaneState): Figures | undefined {
  const last = lastRun(lane);
  if (!last?.outcome || isUnknown(last)) return undefined;
  return last.ending ? ofAgentRun(lane, last, last.ending) : ofRun(last.outcome);
}

/** Of a run whose window went away nobody kept the numbers. */
export function isUnknown({ outcome, ending }: RunEntry): boolean {
  if (outcome?.verdict.kind !== 'interrupted' || outcome.reply) return false;
  return outcome.ledger.length === 0 && (ending?.durationMs ?? 0) === 0;
}

function ofRun(outcome: RunOutcome): Figures {
  const usage = outcome.reply?.usage ?? {};
  return {
    usage,
    tokens: sumTokens(usage),
    durationMs: outcome.durationMs,
    attempts: countAttempts(outcome.ledger),
    costUsd: outcome.reply?.usage.costUsd,
    firstTokenMs: outcome.firstTokenMs,
    tokensPerSecond: toRate(outcome),
  };
}

function ofAgentRun(lane: LaneState, last: RunEntry, ending: AgentEnding): Figures {
  const { usage, durationMs, costUsd } = ending;
  const ledgers = stepsOf(lane, last).map(({ outcome }) => outcome?.ledger ?? []);
  const attempts = ledgers.reduce((sum, ledger) => sum + countAttempts(ledger), 0);
  const { firstTokenMs, tokensPerSecond } = last.outcome ? ofRun(last.outcome) : {};
  return {
    usage,
    tokens: sumTokens(usage),
    durationMs,
    costUsd,
    attempts,
    firstTokenMs,
    tokensPerSecond,
  };
}

function sumTokens({ promptTokens, completionTokens }: TokenUsage): number | undefined {
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return (promptTokens ?? 0) + (completionTokens ?? 0);
}

/** From the first piece to the end of the attempt that brought it; a reply in one piece has no rate. */
function toRate({ reply, ledger, firstTokenMs }: RunOutcome): number | undefined {
  const count = reply?.usage.completionTokens;
  const endMs = ledger.at(-1)?.endMs;
  if (count === undefined || firstTokenMs === undefined || endMs === undefined) return undefined;
  const writingMs = endMs - firstTokenMs;
  return count > 1 && writingMs >= 50 ? (count * 1000) / writingMs : undefined;
}
