// How many samples of one origin are under way, and when none is.
import { describe, expect, it } from 'vitest';
import { Origin } from '../../../../src/session/evaluation/origin';
import type { LaneSetting, PlannedSample } from '../../../../src/session/evaluation/setting';
import type { AttemptRecord } from '../../../../src/types';
import { CONNECTION } from '../../../support/session/scripted-session';

const attempt = (change: Partial<AttemptRecord>): AttemptRecord => ({
  attempt: 1,
  startedAt: 0,
  endMs: 1,
  endedBy: 'server',
  decision: 'retry',
  reason: '',
  ...change,
});
const waiting = (change: Partial<AttemptRecord>) => ({
  phase: 'waiting-to-retry' as const,
  attempt: 2,
  maxAttempts: 3,
  since: 0,
  ledger: [attempt({ status: 429, ...change })],
});
const CLEAN = [[attempt({ status: 200, decision: 'done' })]];

const openOrigin = (limit = 4): Origin => new Origin('https://api', { limitOf: () => limit });

/** Number of samples that may be under way at once. */
function room(origin: Origin, now: number): number {
  let count = 0;
  for (; origin.mayStart(now); count++) origin.begin();
  for (let left = count; left > 0; left--) origin.finish([], now, now);
  return count;
}

describe('Origin', () => {
  it('halves its limit after a 429, down to one', () => {
    const origin = openOrigin();
    origin.notePhase(waiting({}), 1, 10);
    expect(room(origin, 10)).toBe(2);
    origin.notePhase(waiting({}), 11, 20);
    origin.notePhase(waiting({}), 21, 30);
    expect(room(origin, 30)).toBe(1);
  });

  it('halves it once for requests that were under way together', () => {
    const origin = openOrigin();
    for (const since of [1, 2, 3]) origin.notePhase(waiting({}), since, 10);
    expect(room(origin, 10)).toBe(2);
  });

  it('allows one more after 20 samples without a 429', () => {
    const origin = openOrigin();
    origin.notePhase(waiting({}), 1, 10);
    for (let count = 0; count < 20; count++) {
      origin.begin();
      origin.finish(CLEAN, 20, 30);
    }
    expect(room(origin, 30)).toBe(3);
  });

  it('keeps its limit after a failure of the server', () => {
    const origin = openOrigin();
    origin.notePhase({ ...waiting({}), ledger: [attempt({ status: 503 })] }, 1, 10);
    expect(room(origin, 10)).toBe(4);
  });

  it('starts nothing before the time that the server asked for', () => {
    const origin = openOrigin();
    expect(origin.notePhase(waiting({ delaySource: 'retry-after', delayMs: 500 }), 1, 10)).toBe(true);
    expect(room(origin, 509)).toBe(0);
    expect(room(origin, 510)).toBe(2);
  });

  it('shares pause and limit with the other evaluations of the window, until all have ended', () => {
    const gate = { limitOf: () => 4 };
    const [one, other] = [new Origin('https://api', gate), new Origin('https://api', gate)];
    const elsewhere = new Origin('https://other', gate);
    one.notePhase(waiting({ delaySource: 'retry-after', delayMs: 500 }), 1, 10);
    expect([other, elsewhere].map((origin) => room(origin, 509))).toEqual([0, 4]);
    expect(room(other, 510)).toBe(2);
    one.begin();
    expect(room(other, 510)).toBe(1);
    one.finish(CLEAN, 510, 520);
    for (const origin of [one, other]) origin.end();
    expect(room(new Origin('https://api', gate), 509)).toBe(0);
    expect(room(new Origin('https://api', gate), 510)).toBe(4);
  });

  it('gives the room of a sample that has ended to the evaluation that has waited longest', () => {
    const gate = { limitOf: () => 1 };
    const clock = { now: () => 0, after: () => () => undefined };
    const order: string[] = [];
    const origins = ['a', 'b', 'c'].map((name) => {
      const origin = new Origin('https://api', gate);
      origin.add({} as PlannedSample);
      origin.wake(clock, () => {
        order.push(name);
        origin.begin();
      });
      return origin;
    });
    origins[0]?.begin();
    for (const index of [0, 1, 2, 0]) origins[index]?.finish(CLEAN, 0, 0);
    expect(order).toEqual(['b', 'c', 'a', 'b']);
  });

  it('sends to a local server lane by lane, elsewhere in the given order', () => {
    const order = (address: string): string[] => {
      const origin = openOrigin();
      const lanes = ['a', 'b'].map((id) => ({
        config: { id },
        connection: { ...CONNECTION, scope: 'user', address },
        model: id,
      })) as unknown as LaneSetting[];
      for (const lane of lanes) origin.addLane(lane);
      for (const repeat of [1, 2]) for (const lane of lanes) origin.add({ lane, repeat } as PlannedSample);
      origin.sort();
      return Array.from({ length: 4 }, () => origin.next(new Map())?.lane.model ?? '');
    };
    expect(order('127.0.0.1:11434')).toEqual(['a', 'a', 'b', 'b']);
    expect(order('api.openai.com')).toEqual(['a', 'b', 'a', 'b']);
  });
});
