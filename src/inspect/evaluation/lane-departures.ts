// Where lanes leave the way of a recorded conversation, of which each row is a turn, and the sentences about it. Pure.
import { t } from '@vscode/l10n';
import type {
  CallDeparture,
  EvaluationLane,
  EvaluationRow,
  JudgedSample,
  LaneDepartures,
  Sentence,
} from '../../types';
import { toLabel } from '../visible-text';
import { trialsOf } from './count-case';
import type { CountedLane } from './lane-tally';
import { fillSentence } from './sentence';

const MAX_LABEL = 60;

/** @returns undefined while no turn has a verdict */
export function findDepartures(
  { summary, cases }: Pick<CountedLane, 'summary' | 'cases'>,
  rows: readonly EvaluationRow[],
): LaneDepartures | undefined {
  const counts = { 'no-call': 0, call: 0, 'other-tool': 0, 'other-count': 0, 'other-arguments': 0, other: 0 };
  const judged = cases.filter(({ ran }) => trialsOf(ran).count > 0);
  let kept = 0;
  let first: LaneDepartures['first'];
  for (const {
    ran,
    summary: { rowId },
  } of judged) {
    const failed = ran.filter(({ verdict }) => verdict === 'failed');
    for (const { departure } of failed) counts[departure?.kind ?? 'other'] += 1;
    if (failed.length === 0) kept += 1;
    else first ??= { rowName: nameOf(rowId, rows), of: trialsOf(ran).count, ...toFirst(failed) };
  }
  if (judged.length === 0) return undefined;
  return { laneId: summary.laneId, judged: judged.length, kept, ...(first && { first }), counts };
}

const nameOf = (rowId: string, rows: readonly EvaluationRow[]): string =>
  rows.find(({ id }) => id === rowId)?.name ?? rowId;

function toFirst(failed: readonly JudgedSample[]): { failed: number; departure?: CallDeparture } {
  const departure = failed.find((sample) => sample.departure)?.departure;
  return { failed: failed.length, ...(departure && { departure }) };
}

/**
 * Such as *qwen3:8b leaves the recorded way at Turn 3: another tool (`list_files` instead of `read_file`). 5 of 8 turns are as
 * recorded; 2 × another tool, 1 × no call.*
 */
export function describeDepartures(departures: LaneDepartures, lanes: readonly EvaluationLane[]): Sentence {
  const { laneId, judged, kept, first, counts } = departures;
  const lane = toLabel(lanes.find(({ id }) => id === laneId)?.label ?? laneId, MAX_LABEL);
  if (!first)
    return fillSentence(
      t('**{0}** keeps to the recorded way: {1} of {2} turns are as recorded.'),
      lane,
      kept,
      judged,
    );
  const { rowName, failed, of, departure } = first;
  const list = KINDS.flatMap((kind) => (counts[kind] > 0 ? [`${counts[kind]} × ${KIND_WORDS[kind]()}`] : []));
  return fillSentence(
    of === 1
      ? t('**{0}** leaves the recorded way at **{1}**: {2}. {3} of {4} turns are as recorded; {5}.')
      : t(
          '**{0}** leaves the recorded way at **{1}** in {6} of {7} samples: {2}. {3} of {4} turns are as recorded; {5}.',
        ),
    lane,
    toLabel(rowName, MAX_LABEL),
    departure ? describeDeparture(departure) : KIND_WORDS.other(),
    kept,
    judged,
    list.join(', '),
    failed,
    of,
  );
}

const KINDS = ['no-call', 'call', 'other-tool', 'other-count', 'other-arguments', 'other'] as const;

const KIND_WORDS: Readonly<Record<(typeof KINDS)[number], () => string>> = {
  'no-call': () => t('no call'),
  call: () => t('a call where none was made'),
  'other-tool': () => t('another tool'),
  'other-count': () => t('another number of calls'),
  'other-arguments': () => t('other arguments'),
  other: () => t('another expectation'),
};

function describeDeparture({ kind, expected, made }: CallDeparture): Sentence {
  const [lost, odd] = [toLabel(expected, MAX_LABEL), toLabel(made, MAX_LABEL)];
  switch (kind) {
    case 'no-call':
      return fillSentence(t('no call (`{0}` was recorded)'), lost);
    case 'call':
      return fillSentence(t('a call (`{0}`) where none was made'), odd);
    case 'other-tool':
      return fillSentence(t('another tool (`{0}` instead of `{1}`)'), odd, lost);
    case 'other-count':
      return lost === ''
        ? fillSentence(t('a further call (`{0}`)'), odd)
        : fillSentence(t('a call less (`{0}`)'), lost);
    case 'other-arguments':
      return fillSentence(t('other arguments of `{0}`'), lost);
  }
}
