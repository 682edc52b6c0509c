// Which rows the filters of an evaluation show. Pure.
import type { CaseSummary, RowFilter, SampleKind, SamplePart } from '../../types';

/** Each takes the cases of one row, one a lane. */
export const ROW_FILTERS: Readonly<Record<RowFilter, (cases: readonly CaseSummary[]) => boolean>> = {
  failing: (cases) => cases.some(({ gate }) => gate === 'lost'),
  flaky: (cases) => cases.some(({ isFlaky }) => isFlaky),
  'lanes-disagree': (cases) =>
    cases.some(({ gate }) => gate === 'met') && cases.some(({ gate }) => gate === 'lost'),
  'no-verdict': (cases) => cases.some(({ noVerdict }) => noVerdict > 0),
  fixed: (cases) => cases.some(({ flip }) => flip === 'fixed'),
  broken: (cases) => cases.some(({ flip }) => flip === 'broken'),
};

/** Whether a row has such samples. @param cases Of one row, one a lane. */
export const hasSamples = (cases: readonly CaseSummary[], { laneId, kind }: SamplePart): boolean =>
  cases.some((each) => (laneId === undefined || each.laneId === laneId) && countOf(each, kind) > 0);

function countOf({ outcomes, ...counts }: CaseSummary, kind: SampleKind): number {
  if (kind === 'passed' || kind === 'failed') return counts[kind];
  if (kind === 'no-verdict') return counts.noVerdict;
  return kind === 'not-run' ? counts.notRun : outcomes[kind];
}
