import { describe, expect, test } from 'vitest';
import {
  describeCase,
  describeCost,
  describeGate,
  describeRate,
  describeTimes,
  describeTokens,
  formatInterval,
  formatLong,
  formatShare,
} from '../../../../../src/inspect/export/evaluation/rate-words';
import { exportedOf } from '../../../../support/evaluation/exported';
import type { LaneSummary } from '../../../../../src/types';

const { summary } = exportedOf('x');
const [passing, failing] = summary.lanes as [LaneSummary, LaneSummary];

describe('formatShare', () => {
  test.each([
    [0, '0 %'],
    [0.0001, '0.1 %'],
    [0.004, '0.4 %'],
    [0.705, '71 %'],
    [0.996, '99.6 %'],
    [0.99999, '99.9 %'],
    [1, '100 %'],
  ])('says 0 and 100 only of none and all: %d', (share, words) => {
    expect(formatShare(share)).toBe(words);
  });

  test('of an interval', () => {
    expect(formatInterval({ low: 0.533, high: 0.9999 })).toBe('53 to 99.9 %');
  });
});

describe('the words of a lane', () => {
  test('have the count instead of a rate below five judged samples', () => {
    expect(describeRate({ ...passing, passed: 3, failed: 1, rate: 0.75 })).toBe('3 of 4');
    expect(describeRate({ ...passing, passed: 0, failed: 0, rate: undefined })).toBe('none judged');
    expect(describeRate(passing)).toBe('100 % (60 of 60)');
  });

  test('say which gate was not met, and what is not judged', () => {
    const gates = { case: 0.9, lane: 0.95 };
    expect(describeGate(passing, gates, summary)).toBe('met');
    expect(describeGate({ ...failing, gate: 'met' }, gates, summary)).toBe('not met: 5 rows below 90 %');
    expect(describeGate({ ...failing, lostCases: 0 }, gates, summary)).toBe('not met: mean below 95 %');
    const open = { ...failing, gate: 'open', lostCases: 0 } as const;
    expect(describeGate(open, gates, summary)).toBe('open: 1 row not judged');
    expect(describeGate(open, gates, { ...summary, isEnded: false })).toBe('open');
  });

  test('say of how many samples a sum is, and why there is none', () => {
    expect(describeTokens({ ...passing, tokens: { total: 900, samples: 60 } })).toBe('900');
    expect(describeTokens({ ...passing, tokens: { total: 15, samples: 1 } })).toBe('15 of 1 sample');
    expect(describeTokens(passing)).toBe('not reported');
    expect(describeCost({ ...passing, costUsd: { total: 0.27, samples: 60 } }, 'rates')).toBe('$0.27');
    expect(
      (['rates', 'free', 'quota', 'unknown'] as const).map((billing) => describeCost(passing, billing)),
    ).toEqual(['not known', 'no cost', "quota of VS Code's models", 'no rates']);
  });

  test('have minutes from a minute on', () => {
    expect([59_000, 59_600, 1_190_000].map(formatLong)).toEqual(['59.0 s', '1 min 0 s', '19 min 50 s']);
  });

  test('have the first time apart', () => {
    expect(describeTimes({ ...passing, firstMs: 2_400 })).toBe('2.4 s (first sample)');
    expect(describeTimes({ ...passing, firstMs: 2_400, medianMs: 1_100, p90Ms: 2_000 })).toBe(
      '1.1 s, p90 2.0 s',
    );
    expect(describeTimes(passing)).toBe('–');
  });
});

test('the words of a case have what was before, if anything was judged then', () => {
  const one = summary.cases[1];
  if (!one) throw new Error('no case');
  expect(describeCase(one)).toBe('3 of 9 passed; before: 10 of 10');
  expect(describeCase({ ...one, before: { passed: 0, failed: 0 } })).toBe('3 of 9 passed');
  expect(describeCase({ ...one, passed: 0, failed: 0, before: undefined })).toBe('none judged');
});
