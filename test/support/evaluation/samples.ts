// Samples for tests of evaluations.
import type { EvaluationLane, EvaluationRow, JudgedSample, SampleVerdict } from '../../../src/types';

export const rowsOf = (count: number): EvaluationRow[] =>
  Array.from({ length: count }, (_, index) => ({ id: `row-${index + 1}` }));

export const laneOf = (id: string, more: Partial<EvaluationLane> = {}): EvaluationLane => ({
  id,
  label: id,
  billing: 'unknown',
  ...more,
});

/** A sample that ran and got a reply, unless it has no verdict. */
export function sampleOf(
  key: Pick<JudgedSample, 'laneId' | 'rowId' | 'repeat'> & Partial<JudgedSample>,
): JudgedSample {
  const verdict = key.verdict ?? 'passed';
  return { verdict, ...(verdict !== 'no-verdict' && verdict !== 'not-run' && { outcome: 'native' }), ...key };
}

/** Samples of a case: first those that passed, then those that failed, then those without a verdict. */
export function caseOf(
  laneId: string,
  rowId: string,
  [passed, failed = 0, noVerdict = 0]: readonly [number, number?, number?],
): JudgedSample[] {
  const verdicts: SampleVerdict[] = [
    ...Array.from({ length: passed }, () => 'passed' as const),
    ...Array.from({ length: failed }, () => 'failed' as const),
    ...Array.from({ length: noVerdict }, () => 'no-verdict' as const),
  ];
  return verdicts.map((verdict, index) => sampleOf({ laneId, rowId, repeat: index + 1, verdict }));
}

/** Samples of a lane, with so many passed of ten in each row. */
export const tensOf = (laneId: string, passed: readonly number[]): JudgedSample[] =>
  passed.flatMap((count, row) => caseOf(laneId, `row-${row + 1}`, [count, 10 - count]));

/** The evaluation that the design of the panel shows: 20 rows, three lanes, ten samples of each case. */
export const drawn = {
  rows: rowsOf(20),
  lanes: [laneOf('hermes-text'), laneOf('qwen3:8b'), laneOf('gpt-4o-mini')],
  repeat: 10,
  gates: { case: 0.9, lane: 0.95 },
};

const HERMES = [10, 10, 6, 9, 8, 8, 10, 1, 0, 9, 10, 3, 7, 10, 10, 9, 5, 5, 3, 6];
const QWEN = [10, 10, 9, 10, 8, 10, 10, 5, 4, 8, 10, 9, 9, 5, 8, 7, 8, 8, 6, 9];
const GPT = [10, 10, 10, 10, 10, 10, 10, 10, 9, 9, 10, 7, 10, 10, 10, 8, 10, 10, 9, 10];
/** Rows of the last lane in which samples have no verdict. */
const LOST: Readonly<Record<number, number>> = { 8: 1, 11: 3, 18: 1 };

const gptSamples = GPT.flatMap((count, row) => {
  const lost = LOST[row] ?? 0;
  return caseOf('gpt-4o-mini', `row-${row + 1}`, [count, 10 - count - lost, lost]);
});

export const drawnSamples: readonly JudgedSample[] = [
  ...tensOf('hermes-text', HERMES),
  ...tensOf('qwen3:8b', QWEN),
  ...gptSamples,
];

/** The last lane is as before. */
export const drawnBaseline: readonly JudgedSample[] = [
  ...tensOf('hermes-text', [10, 10, 6, 9, 9, 4, 5, 0, 0, 7, 10, 2, 4, 10, 9, 6, 8, 4, 3, 5]),
  ...tensOf('qwen3:8b', [10, 10, 9, 9, 9, 10, 10, 6, 3, 8, 10, 9, 5, 3, 9, 8, 7, 9, 6, 9]),
  ...gptSamples,
];
