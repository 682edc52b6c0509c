import { describe, expect, it } from 'vitest';
import {
  countBeside,
  countRate,
  describeCase,
  describePassed,
  describeRate,
  formatShare,
  requiredOf,
} from '../../../../webview/evaluate/rate-words';

describe('describeRate', () => {
  it('is a share from five judged samples on, and a count below', () => {
    expect(describeRate({ rate: 0.8, passed: 4, failed: 1 })).toBe('80 %');
    expect(describeRate({ rate: 0.75, passed: 3, failed: 1 })).toBe('3 of 4');
    expect(describeRate({ passed: 0, failed: 0 })).toBe('none judged');
    // Without expectations there is no rate.
    expect(describeRate({ passed: 9, failed: 0 })).toBe('9 of 9');
  });

  it('has its count beside it, unless it is one itself', () => {
    expect(countBeside({ rate: 0.8, passed: 4, failed: 1 })).toBe('4/5');
    expect(countBeside({ rate: 0.75, passed: 3, failed: 1 })).toBe('');
    expect(countBeside({ passed: 0, failed: 0 })).toBe('');
  });
});

describe('formatShare', () => {
  it.each([
    [1, '100 %'],
    [0.999, '99.9 %'],
    [0.9999, '99.9 %'],
    [0.004, '0.4 %'],
    [0, '0 %'],
    [0.705, '71 %'],
  ])('shows %d as %s: all and none are only for all and none', (share, words) => {
    expect(formatShare(share)).toBe(words);
  });
});

describe('requiredOf', () => {
  it('rounds up, but not an inexact product', () => {
    expect(requiredOf(10, 0.9)).toBe(9);
    expect(requiredOf(10, 0.7)).toBe(7);
    expect(requiredOf(3, 0.9)).toBe(3);
    expect(requiredOf(10, 0)).toBe(0);
  });
});

describe('describeCase', () => {
  const summary = {
    rowId: 'r',
    laneId: 'a',
    planned: 10,
    passed: 6,
    failed: 4,
    noVerdict: 0,
    notRun: 0,
    outcomes: { native: 10, rescued: 0, malformed: 0, none: 0, answer: 0, noVerdict: 0 },
    interval: { low: 0.3127, high: 0.8318 },
    gate: 'lost' as const,
    isFlaky: true,
  };

  it('has the interval and what is required', () => {
    expect(describeCase(summary, { case: 0.9 })).toBe('31 to 83 %; 9 of 10 required');
    expect(countRate(summary)).toBe('6/10');
    expect(describePassed(summary)).toBe('6 of 10 passed');
  });

  it('says what was not run, and claims no share of nothing', () => {
    const part = { ...summary, passed: 3, failed: 0, notRun: 7 };
    expect(describeCase(part, { case: 0.9 })).toBe('9 of 10 required; 7 not run');
    const none = { ...summary, passed: 0, failed: 0, notRun: 10 };
    expect([describePassed(none), describeCase(none, { case: 0.9 })]).toEqual([
      'Not run',
      '9 of 10 required',
    ]);
    expect(describePassed({ ...none, noVerdict: 10, notRun: 0 })).toBe('None judged');
    expect(countRate(none)).toBe('–');
  });

  it('leaves the interval out below five judged samples', () => {
    expect(describeCase({ ...summary, passed: 2, failed: 1, planned: 3 }, { case: 1 })).toBe(
      '3 of 3 required',
    );
  });
});
