// Compares lanes whose last runs answered the same question and were sent the same prompt and tools: the best number of each
// row, and lanes that behaved differently from most. Pure.
import { t } from '@vscode/l10n';
import type { RunEntry, SentSettings, SetupPart } from '../../src/protocol';
import type { LaneState } from '../state/session-state';
import type { Figures } from './figures';
import { figuresOf } from './figures';
import { callsOf, lastRun, questionOf, runsUpTo } from './lane-queries';
import { formatCost, formatDuration } from '../text/format';
import { differingParts } from './setup-parts';

export type Row = 'tokens' | 'time' | 'attempts' | 'cost';

export interface Comparison {
  /** Rows in which this lane is better than all others, by more than one sample may differ by chance. */
  best: readonly Row[];
  /** What this lane did differently from most lanes, or from the only other one, such as `called get_weather`. */
  deviation?: string | undefined;
  /** The lanes that were asked the same, but sent something else with it, and in which parts; they are not compared. */
  unlike?: { laneIds: readonly string[]; parts: readonly SetupPart[] } | undefined;
}

export const BEST_WORDS: Readonly<Record<Row, () => string>> = {
  tokens: () => t('fewest tokens'),
  time: () => t('fastest'),
  attempts: () => t('fewest attempts'),
  cost: () => t('cheapest'),
};

const NUMBER_OF: Readonly<Record<Row, (figures: Figures) => number | undefined>> = {
  tokens: ({ tokens }) => tokens,
  time: ({ durationMs }) => durationMs,
  attempts: ({ attempts }) => attempts,
  cost: ({ costUsd }) => costUsd,
};
const ROWS = Object.keys(NUMBER_OF) as Row[];

/** The number as it is shown: two that look the same are equal. */
const SHOWN: Readonly<Record<Row, (value: number) => string>> = {
  tokens: String,
  // Rounded, because a few milliseconds are chance.
  time: (durationMs) => formatDuration(Math.round(durationMs / 100) * 100),
  attempts: String,
  cost: formatCost,
};

/** A number is better only if it is below this part of every other one: one sample shows no smaller difference. */
const CLEARLY_LESS = 0.9;

interface Contender {
  laneId: string;
  question: string;
  sent: SentSettings;
  behaviour: string;
  /** Whether no reply came, which the band already says. */
  isBroken: boolean;
  /** The higher, the more of what was asked for came; only the highest ones compete. */
  rank: number;
  /** Equal in lanes whose numbers mean the same. */
  likeness: string;
  /** Absent when no reply came, because a quick failure is not a fast answer. */
  figures?: Figures | undefined;
}

/** Comparisons by lane id; lanes without a counterpart are absent. */
export function compareLanes(lanes: readonly LaneState[]): ReadonlyMap<string, Comparison> {
  const contenders = lanes.flatMap((lane) => toContender(lane) ?? []);
  const compared = new Map<string, Comparison>();
  for (const asked of groupBy(contenders, ({ question }) => question).values()) {
    if (asked.length < 2) continue;
    for (const contender of asked) {
      const others = asked.filter(({ sent }) => differingParts(contender.sent, sent).length > 0);
      compared.set(contender.laneId, {
        ...compareWith(
          asked.filter((other) => !others.includes(other)),
          contender,
        ),
        unlike: others.length === 0 ? undefined : toUnlike(contender, others),
      });
    }
  }
  return compared;
}

/** @param group The lanes that were sent the same, and the contender. */
function compareWith(group: readonly Contender[], contender: Contender): Comparison {
  const usual = usualBehaviour(group.filter(({ isBroken }) => !isBroken));
  const isOdd = usual !== undefined && !contender.isBroken && contender.behaviour !== usual;
  return {
    best: ROWS.filter((row) => isBest(contender, group, row)),
    deviation: isOdd ? contender.behaviour : undefined,
  };
}

function toUnlike({ sent }: Contender, others: readonly Contender[]): Comparison['unlike'] {
  const parts = others.flatMap((other) => differingParts(sent, other.sent));
  return { laneIds: others.map(({ laneId }) => laneId), parts: [...new Set(parts)] };
}

/** Undefined for a lane whose reply cannot be compared, also because it is not known what it was sent with. */
function toContender(lane: LaneState): Contender | undefined {
  const run = lastRun(lane);
  const question = questionOf(lane);
  const sent = lane.sent?.settings;
  if (lane.run || !run?.outcome || !question || !sent) return undefined;
  const runs = runsUpTo(lane, run);
  const behaviour = behaviourOf(runs, run);
  const rank = rankOf(runs, run);
  return {
    laneId: lane.id,
    question: `${question.length} ${question.content}`,
    sent,
    behaviour,
    isBroken: run.outcome.reply === undefined,
    rank,
    // More replies to the question take more time and tokens.
    likeness: [behaviour, rank, run.ending?.stopReason, runs.length, sent.prints.options].join(' '),
    figures: run.outcome.reply ? figuresOf(lane) : undefined,
  };
}

/** A call that can be used is worth more than one that cannot, and that more than prose. */
function rankOf(runs: readonly RunEntry[], { outcome, ending }: RunEntry): number {
  if (!outcome?.reply || outcome.verdict.kind === 'malformed') return 0;
  if (!runs.some((entry) => callsOf(entry).length > 0)) return 1;
  return (ending && ending.stopReason !== 'answer') || runs.some(isFaulty) ? 2 : 3;
}

const isFaulty = ({ outcome }: RunEntry): boolean =>
  Object.keys({ ...outcome?.reply?.parseErrors, ...outcome?.reply?.schemaIssues }).length > 0;

/** The run's behaviour in a few words: all tools called on the way, or otherwise how it ended. */
function behaviourOf(runs: readonly RunEntry[], { outcome }: RunEntry): string {
  const names = [...new Set(runs.flatMap((entry) => callsOf(entry).map(({ name }) => name)))].toSorted();
  const kind = outcome?.verdict.kind;
  if (names.length > 0) return t('called {0}', names.join(', '));
  if (kind === 'malformed') return t('malformed call');
  return kind === 'none' ? t('called no tool') : t('answered in prose');
}

/**
 * What more than half of the lanes did. Returns '' if there is no majority, so that every lane's behaviour is
 * named, and undefined if all did the same.
 */
function usualBehaviour(group: readonly Contender[]): string | undefined {
  const counts = [...groupBy(group, ({ behaviour }) => behaviour)].map(
    ([behaviour, { length }]) => [behaviour, length] as const,
  );
  if (counts.length < 2) return undefined;
  return counts.find(([, count]) => count * 2 > group.length)?.[0] ?? '';
}

/** Only lanes with the best outcome compete, and only if that is alike in all of them. */
function isBest(contender: Contender, group: readonly Contender[], row: Row): boolean {
  const rank = Math.max(...group.map((one) => one.rank));
  const rivals = group.filter((one) => one.rank === rank && one !== contender);
  const own = numberOf(contender, row);
  if (contender.rank !== rank || rivals.length === 0 || own === undefined) return false;
  return rivals.every((rival) => {
    const other = numberOf(rival, row);
    if (other === undefined || rival.likeness !== contender.likeness) return false;
    return own < other * CLEARLY_LESS && SHOWN[row](own) !== SHOWN[row](other);
  });
}

const numberOf = ({ figures }: Contender, row: Row): number | undefined => figures && NUMBER_OF[row](figures);

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
