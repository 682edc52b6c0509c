// Which rows the filters of an evaluation show. Pure.
import type { CaseSummary, RowFilter } from '../../types';

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
