// The figures of a lane's last run together with the runs that led to it, such as the steps of an agent run. An
// unknown number is absent, never 0. Pure.
import type { AgentEnding, RunEntry, RunOutcome } from '../../src/protocol';
import type { TokenUsage } from '../../src/types';
import type { LaneState } from '../state/session-state';
import { countAttempts } from '../text/format';
import { isNotKept, lastRun, runsUpTo } from './lane-queries';

export interface Figures {
  usage: TokenUsage;
  /** Sum of prompt and completion tokens, as far as the server reported them. */
  tokens?: number | undefined;
  durationMs: number;
  attempts: number;
  costUsd?: number | undefined;
  firstTokenMs?: number | undefined;
  /** Of the last reply: the same rate that the inspector shows. */
  tokensPerSecond?: number | undefined;
}

const USAGE_KEYS = ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const;

/** @returns undefined as long as no run has ended. */
export function figuresOf(lane: LaneState): Figures | undefined {
  const last = lastRun(lane);
  if (!last?.outcome || isUnknown(last)) return undefined;
  const outcomes = runsUpTo(lane, last).flatMap(({ outcome }) => outcome ?? []);
  const { usage, durationMs, costUsd } = totalsOf(last.ending) ?? sumOf(outcomes);
  return {
    usage,
    tokens: sumTokens(usage),
    durationMs,
    costUsd,
    attempts: sum(outcomes.map(({ ledger }) => countAttempts(ledger))) ?? 0,
    firstTokenMs: last.outcome.firstTokenMs,
    tokensPerSecond: last.outcome.rates?.completionPerSecond,
  };
}

/** True for a run whose window was closed, so that its numbers were not recorded, and for one that is no longer stored. */
export function isUnknown(run: RunEntry): boolean {
  const { outcome, ending } = run;
  if (isNotKept(run)) return true;
  if (outcome?.verdict.kind !== 'interrupted' || outcome.reply) return false;
  return outcome.ledger.length === 0 && (ending?.durationMs ?? 0) === 0;
}

/** The totals of an agent run. Those of an interrupted one were never recorded. */
export const totalsOf = (ending: AgentEnding | undefined): AgentEnding | undefined =>
  ending?.stopReason === 'interrupted' ? undefined : ending;

/** Sums over chats. An agent run has its own sums, which include the time of its calls. */
function sumOf(outcomes: readonly RunOutcome[]): Pick<AgentEnding, 'usage' | 'durationMs' | 'costUsd'> {
  const usages = outcomes.map(({ reply }) => reply?.usage ?? {});
  const usage = USAGE_KEYS.flatMap((key) => {
    const count = sum(usages.map((each) => each[key]));
    return count === undefined ? [] : [[key, count] as const];
  });
  return {
    usage: Object.fromEntries(usage),
    durationMs: sum(outcomes.map(({ durationMs }) => durationMs)) ?? 0,
    costUsd: sum(usages.map(({ costUsd }) => costUsd)),
  };
}

/** Sum of the known numbers; undefined when there are none. */
function sum(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length > 0 ? known.reduce((total, number) => total + number, 0) : undefined;
}

function sumTokens({ promptTokens, completionTokens }: TokenUsage): number | undefined {
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return (promptTokens ?? 0) + (completionTokens ?? 0);
}
