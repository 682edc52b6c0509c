import { describe, expect, test } from 'vitest';
import { ROW_FILTERS, summarizeEvaluation } from '../../../../src/inspect';
import type { RowFilter } from '../../../../src/types';
import { drawn, drawnBaseline, drawnSamples } from '../../../support/evaluation/samples';

describe('ROW_FILTERS', () => {
  test.each<[RowFilter, number]>([
    ['failing', 15],
    ['flaky', 16],
    ['lanes-disagree', 15],
    ['no-verdict', 3],
    ['fixed', 4],
    // One of them in two lanes.
    ['broken', 3],
  ])('%s shows %i of the rows that are drawn', (filter, count) => {
    const { cases } = summarizeEvaluation({ ...drawn, baseline: drawnBaseline }, drawnSamples, {
      isEnded: true,
    });
    const rows = drawn.rows.map(({ id }) => cases.filter(({ rowId }) => rowId === id));
    expect(rows.filter(ROW_FILTERS[filter])).toHaveLength(count);
  });

  test('lanes do not disagree as long as one of them is open', () => {
    const some = drawnSamples.filter(({ repeat }) => repeat < 9);
    const { cases } = summarizeEvaluation(drawn, some, { isEnded: false });
    expect(cases.some(({ gate }) => gate === 'lost')).toBe(true);
    expect(ROW_FILTERS['lanes-disagree'](cases)).toBe(false);
  });
});
