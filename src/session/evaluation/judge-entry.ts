// Judges a stored sample by what its row expects now, and counts it. Pure: judging again costs no request.
import { t } from '@vscode/l10n';
import type { JudgeContext } from '../../inspect';
import { holdsFor, judgeSample, outcomeInRow, verdictOf } from '../../inspect';
import type { JudgedExpectation, JudgedSample, OutcomeKind, SampleFacts } from '../../types';
import type { DataRow } from '../rows/data-row';
import { firstIssue } from '../tools/schema/check-against-schema';
import type { SampleEntry } from './sample-entry';
import type { FilledRow } from './setting';

/** What the samples of one row are judged by. */
export interface RowJudge {
  row: DataRow;
  filled: Pick<FilledRow, 'expectations' | 'tools'>;
  /** The time limit of a sample, in milliseconds. */
  timeoutMs: number | undefined;
}

/** What judging says of a sample; the rest of it is what came. */
export type Judged = Pick<
  JudgedSample,
  'verdict' | 'message' | 'reason' | 'outcome' | 'departure' | 'hasExpectations'
>;

export interface JudgedEntry {
  judged: Judged;
  expectations: readonly JudgedExpectation[];
}

export function judgeEntry({ outcome, laneId }: SampleEntry, judge: RowJudge): JudgedEntry {
  if ('facts' in outcome) {
    const expectations = judgeFacts(outcome.facts, laneId, judge);
    const judged = { ...toVerdict(expectations), outcome: outcomeOf(outcome.facts, laneId, judge) };
    return { judged, expectations };
  }
  const { reason, message, limitMs = judge.timeoutMs } = outcome;
  const expectations = reason === 'time' ? judgeTime(laneId, { ...judge, timeoutMs: limitMs }) : [];
  const isFailed = expectations.some(({ verdict }) => verdict === 'failed');
  return {
    judged: isFailed ? toVerdict(expectations) : { verdict: 'no-verdict', reason, message },
    expectations,
  };
}

/** Every member is written out, because an evaluation has up to 100,000 samples and spreading takes many times as long. */
export function toJudgedSample(
  { outcome: came, rowId, laneId, repeat, requeued, cache }: SampleEntry,
  { verdict, message, reason, outcome, departure, hasExpectations }: Judged,
): JudgedSample {
  const { facts, measures } = 'facts' in came ? came : {};
  const { spent } = facts ?? {};
  return {
    rowId,
    laneId,
    repeat,
    verdict,
    message,
    reason,
    departure,
    hasExpectations,
    outcome,
    hasValidArguments: measures?.hasValidArguments,
    calls: measures?.calls,
    replyHash: measures?.replyHash,
    timeMs: spent?.timeMs,
    firstTokenMs: spent?.firstTokenMs,
    promptTokens: spent?.promptTokens,
    completionTokens: spent?.completionTokens,
    costUsd: spent?.costUsd,
    attempts: spent?.attempts,
    model: measures?.model,
    cache,
    requeued,
  };
}

function judgeFacts(
  facts: SampleFacts,
  laneId: string,
  { row, filled }: Pick<RowJudge, 'row' | 'filled'>,
): JudgedExpectation[] {
  return judgeSample(filled.expectations, { laneId, variables: row.variables }, facts, contextOf(filled));
}

const contextOf = ({ tools }: RowJudge['filled']): JudgeContext => ({ tools, checkSchema: firstIssue });

function toVerdict(expectations: readonly JudgedExpectation[]): Omit<Judged, 'outcome'> {
  const verdict = verdictOf(expectations);
  const { message, departure } = expectations.find((each) => each.verdict === verdict) ?? {};
  return {
    verdict,
    ...(verdict !== 'passed' && { message }),
    ...(departure && { departure }),
    ...(verdict === 'no-verdict' && { reason: 'not-reported' }),
    ...(expectations.length === 0 && { hasExpectations: false }),
  };
}

function outcomeOf(facts: SampleFacts, laneId: string, { row, filled }: RowJudge): OutcomeKind {
  if (facts.outcome !== 'none') return facts.outcome;
  const place = { laneId, variables: row.variables };
  const held = filled.expectations.filter((each) => holdsFor(each, place, contextOf(filled)));
  return outcomeInRow(facts, held);
}

/** A sample that was stopped at its time limit has taken longer than every shorter time that is expected. */
function judgeTime(laneId: string, { row, filled, timeoutMs = 0 }: RowJudge): JudgedExpectation[] {
  const place = { laneId, variables: row.variables };
  return filled.expectations.flatMap(({ name, max, ...expectation }, index): JudgedExpectation[] => {
    const { timeMs } = max ?? {};
    if (timeMs === undefined || timeMs > timeoutMs || !holdsFor(expectation, place, contextOf(filled)))
      return [];
    const message = t('It took longer than {0} ms; expected at most {1} ms.', timeoutMs, timeMs);
    const texts = { expected: `timeMs ≤ ${timeMs}`, actual: `timeMs > ${timeoutMs}` };
    return [
      { index, ...(name !== undefined && { name }), verdict: 'failed', message, details: [], ...texts },
    ];
  });
}
