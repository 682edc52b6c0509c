// Compares lanes whose last runs answered the same question: the best number of each row, and lanes that behaved
// differently from most. Pure.
import { t } from '@vscode/l10n';
import type { RunEntry } from '../../src/protocol';
import type { LaneState } from '../state/session-state';
import type { Figures } from './figures';
import { figuresOf } from './figures';
import { callsOf, lastRun, questionOf, runsUpTo } from './lane-queries';
import { formatCost, formatDuration } from '../text/format';

export type Row = 'tokens' | 'time' | 'attempts' | 'cost';

export interface Comparison {
  /** Rows in which no other lane is better and at least one is worse. */
  best: readonly Row[];
  /** What this lane did differently from most lanes, or from the only other one, such as `called get_weather`. */
  deviation?: string | undefined;
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

/** The number as it is compared: two that look the same are equal. */
const SHOWN: Readonly<Record<Row, (value: number) => string>> = {
  tokens: String,
  // Rounded, because a few milliseconds are chance.
  time: (durationMs) => formatDuration(Math.round(durationMs / 100) * 100),
  attempts: String,
  cost: formatCost,
};

interface Contender {
  laneId: string;
  question: string;
  /** Number of replies to the question: more of them take more time and tokens. */
  replies: number;
  behaviour: string;
  /** Whether no reply came, which the band already says. */
  isBroken: boolean;
  /** Absent when no reply came, because a quick failure is not a fast answer. */
  figures?: Figures | undefined;
}

/** Comparisons by lane id; lanes without a counterpart are absent. */
export function compareLanes(lanes: readonly LaneState[]): ReadonlyMap<string, Comparison> {
  const contenders = lanes.flatMap((lane) => toContender(lane) ?? []);
  const groups = groupBy(contenders, ({ question }) => question);
  const compared = new Map<string, Comparison>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const usual = usualBehaviour(group.filter(({ isBroken }) => !isBroken));
    for (const contender of group) {
      const isOdd = usual !== undefined && !contender.isBroken && contender.behaviour !== usual;
      compared.set(contender.laneId, {
        best: ROWS.filter((row) => isBest(contender, group, row)),
        deviation: isOdd ? contender.behaviour : undefined,
      });
    }
  }
  return compared;
}

function toContender(lane: LaneState): Contender | undefined {
  const run = lastRun(lane);
  const question = questionOf(lane);
  if (lane.run || !run?.outcome || !question) return undefined;
  return {
    laneId: lane.id,
    question: `${question.length} ${question.content}`,
    replies: runsUpTo(lane, run).length,
    behaviour: behaviourOf(lane, run),
    isBroken: run.outcome.reply === undefined,
    figures: run.outcome.reply ? figuresOf(lane) : undefined,
  };
}

/** The run's behaviour in a few words: all tools called on the way, or otherwise how it ended. */
function behaviourOf(lane: LaneState, run: RunEntry): string {
  const runs = runsUpTo(lane, run);
  const names = [...new Set(runs.flatMap((entry) => callsOf(entry).map(({ name }) => name)))].toSorted();
  const kind = run.outcome?.verdict.kind;
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

function isBest({ figures, replies }: Contender, group: readonly Contender[], row: Row): boolean {
  const numbers = group.flatMap((other) =>
    other.figures && other.replies === replies ? (NUMBER_OF[row](other.figures) ?? []) : [],
  );
  const own = figures && NUMBER_OF[row](figures);
  if (own === undefined) return false;
  const [shown, best, worst] = [own, Math.min(...numbers), Math.max(...numbers)].map(SHOWN[row]);
  return shown === best && shown !== worst;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
