import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Limit } from '../../../../src/library/util/deadlines';
import { startDeadline } from '../../../../src/library/util/deadlines';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const start = (delayMs: number, onLimit: () => void): Limit => startDeadline(delayMs, { onLimit });

describe('startDeadline', () => {
  test('calls back each deadline at its time, in order, and once', () => {
    const called: string[] = [];
    start(1000, () => called.push('first'));
    vi.advanceTimersByTime(400);
    start(1000, () => called.push('second'));
    start(300, () => called.push('short'));
    vi.advanceTimersByTime(599);
    expect(called).toEqual(['short']);
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['short', 'first']);
    vi.advanceTimersByTime(399);
    expect(called).toEqual(['short', 'first']);
    vi.advanceTimersByTime(10_000);
    expect(called).toEqual(['short', 'first', 'second']);
  });

  test('does not call back a cancelled deadline, even if cancelled in another callback', () => {
    const called: string[] = [];
    const cancelled = start(1000, () => called.push('cancelled'));
    start(1000, () => {
      called.push('other');
      last.cancel();
    });
    const last = start(1000, () => called.push('last'));
    cancelled.cancel();
    cancelled.cancel();
    vi.advanceTimersByTime(1000);
    expect(called).toEqual(['other']);
  });

  test('uses one timer for all deadlines of equal length, and none after the last', () => {
    const ends = Array.from({ length: 50 }, () => start(60_000, () => undefined));
    expect(vi.getTimerCount()).toBe(1);
    for (const end of ends) end.cancel();
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('keeps the order of the remaining deadlines when most are cancelled', () => {
    const called: number[] = [];
    const ends = Array.from({ length: 300 }, (_, place) => {
      vi.advanceTimersByTime(1);
      return start(1000, () => called.push(place));
    });
    for (const [place, end] of ends.entries()) if (place % 50 !== 7) end.cancel();
    vi.advanceTimersByTime(900);
    expect(called).toEqual([7, 57, 107, 157]);
    vi.advanceTimersByTime(100);
    expect(called).toEqual([7, 57, 107, 157, 207, 257]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('starts a new timer after the last one has ended', () => {
    const called: number[] = [];
    for (const round of [1, 2]) {
      start(10, () => called.push(round));
      vi.advanceTimersByTime(10);
    }
    expect(called).toEqual([1, 2]);
  });
});
