import { describe, expect, test } from 'vitest';
import { WantedPlace } from '../../../../src/host/playground/wanted-place';

describe('WantedPlace', () => {
  test('tells the views of what is asked for, and gives it to one of the playground once', () => {
    const wanted = new WantedPlace();
    let asked = 0;
    wanted.onAsk(() => asked++);
    wanted.ask('one', { kind: 'run', runId: 'first' });
    expect(asked).toBe(1);
    expect(wanted.take('other')).toBeUndefined();
    expect(wanted.take('one')).toEqual({ kind: 'run', runId: 'first' });
    expect(wanted.take('one')).toBeUndefined();
  });

  test('keeps the last offer for a view that opens, and tells those that are open nothing', () => {
    const wanted = new WantedPlace();
    let asked = 0;
    wanted.onAsk(() => asked++);
    wanted.offer('one', { kind: 'lane', laneId: 'a' });
    wanted.offer('one', { kind: 'evaluation' });
    wanted.offer('other', { kind: 'lane', laneId: 'b' });
    expect([asked, wanted.take('one')]).toEqual([0, undefined]);
    expect(wanted.takeOffered('one')).toEqual({ kind: 'evaluation' });
    expect(wanted.takeOffered('one')).toBeUndefined();
    expect(wanted.takeOffered('other')).toEqual({ kind: 'lane', laneId: 'b' });
  });
});
