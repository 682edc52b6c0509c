import { describe, expect, test } from 'vitest';
import { hasSamples, ROW_FILTERS, summarizeEvaluation } from '../../../../src/inspect';
import type { RowFilter, SamplePart } from '../../../../src/types';
import { drawn, drawnBaseline, drawnSamples } from '../../../support/evaluation/samples';

describe('hasSamples', () => {
  const outcomes = { native: 0, rescued: 4, malformed: 1, none: 0, answer: 0, noVerdict: 0 };
  const one = { laneId: 'a', passed: 4, failed: 1, noVerdict: 0, notRun: 5, outcomes };
  const cases = [one, { ...one, laneId: 'b', failed: 0, outcomes: { ...outcomes, malformed: 0 } }] as never;

  test.each<[SamplePart, boolean]>([
    [{ kind: 'malformed' }, true],
    [{ laneId: 'a', kind: 'malformed' }, true],
    [{ laneId: 'b', kind: 'malformed' }, false],
    [{ laneId: 'b', kind: 'rescued' }, true],
    [{ kind: 'native' }, false],
    [{ kind: 'failed' }, true],
    [{ laneId: 'b', kind: 'failed' }, false],
    [{ kind: 'passed' }, true],
    [{ kind: 'no-verdict' }, false],
    [{ kind: 'not-run' }, true],
  ])('%o: %s', (part, isFound) => {
    expect(hasSamples(cases, part)).toBe(isFound);
  });
});

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
