import { describe, expect, it } from 'vitest';
import type { LaneSnapshot, SessionSnapshot } from '../../../src/protocol';
import {
  applyProgress,
  applySnapshot,
  emptySession,
  fillEntries,
  laneOf,
} from '../../../webview/session-state';
import {
  ENVIRONMENT,
  toDocument,
  toLane,
  toMessage,
  toOutcome,
  toProgress,
  toReply,
  toRun,
  toRunState,
  toSnapshot,
} from './samples';
import { fc } from '../../support/properties';

const OPEN = applySnapshot(
  emptySession(),
  toSnapshot({ a: { entries: [toMessage('m1'), toRun('r1')], run: toRunState('r1') }, b: {} }),
);
const change = (part: Partial<SessionSnapshot>): SessionSnapshot => ({ lanes: [], ...part });
const laneChange = (part: Partial<LaneSnapshot>): SessionSnapshot =>
  change({ lanes: [{ id: 'a', version: 2, since: 1, entries: [], run: null, ...part }] });

describe('applySnapshot', () => {
  it('leaves what is absent as it was', () => {
    const next = applySnapshot(OPEN, change({ environment: { ...ENVIRONMENT, version: 2 } }));
    expect(next.environment?.version).toBe(2);
    expect(next.document).toBe(OPEN.document);
    expect(next.laneIds).toBe(OPEN.laneIds);
    expect(next.lanes.get('a')).toBe(OPEN.lanes.get('a'));
  });

  it('takes no part that is older than what is held', () => {
    const newer = applySnapshot(OPEN, change({ document: toDocument([toLane('a')], { version: 5 }) }));
    const late = applySnapshot(newer, change({ document: toDocument([toLane('b')], { version: 4 }) }));
    expect(late.document).toBe(newer.document);
  });

  it('lets lanes go that are not named any more, in the order they are named', () => {
    const moved = applySnapshot(OPEN, change({ laneIds: ['b', 'a'] }));
    expect(moved.laneIds).toEqual(['b', 'a']);
    const gone = applySnapshot(moved, change({ laneIds: ['b'] }));
    expect([...gone.lanes.keys()]).toEqual(['b']);
  });

  it('changes the entries that came, and no other', () => {
    const outcome = toOutcome('r1', toReply('Cold.'));
    const next = laneOf(applySnapshot(OPEN, laneChange({ entries: [toRun('r1', outcome)] })), 'a');
    expect(next.entries.get('r1')).toEqual(toRun('r1', outcome));
    expect(next.entries.get('m1')).toBe(laneOf(OPEN, 'a').entries.get('m1'));
    expect(next.order).toEqual(['m1', 'r1']);
    expect(next.run).toBeNull();
  });

  it('forgets entries that the order does not name', () => {
    const next = laneOf(applySnapshot(OPEN, laneChange({ order: ['m1'] })), 'a');
    expect([...next.entries.keys()]).toEqual(['m1']);
  });

  it('says that it is out of step when a change is missing, and leaves the lane as it was', () => {
    const next = applySnapshot(OPEN, laneChange({ version: 4, since: 3, order: [] }));
    expect(next.isOutOfStep).toBe(true);
    expect(next.lanes.get('a')).toBe(OPEN.lanes.get('a'));
    expect(OPEN.isOutOfStep).toBe(false);
  });

  it('is not out of step for what it has seen already', () => {
    const next = applySnapshot(OPEN, laneChange({ version: 1, since: 0 }));
    expect(next.isOutOfStep).toBe(false);
    expect(next.lanes.get('a')).toBe(OPEN.lanes.get('a'));
  });

  it('takes ids that are also names of an object', () => {
    const ids = ['__proto__', 'constructor', 'a b'];
    const state = applySnapshot(
      emptySession(),
      change({
        laneIds: ids,
        lanes: ids.map((id) => ({ id, version: 1, entries: [toMessage(id)], run: null })),
      }),
    );
    expect(ids.map((id) => laneOf(state, id).order)).toEqual(ids.map((id) => [id]));
  });

  it('comes to the same lane by changes as by the whole', () => {
    const ids = fc.array(fc.constantFrom('m1', 'm2', 'm3', 'r1'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(ids, { minLength: 1, maxLength: 8 }), (orders) => {
        let state = emptySession();
        orders.forEach((order, index) => {
          const unique = [...new Set(order)];
          const entries = unique.map((id) => toMessage(id, `${id} ${index}`));
          const since = index === 0 ? undefined : index;
          const lane = { id: 'a', version: index + 1, since, order: unique, entries, run: null };
          state = applySnapshot(state, change({ laneIds: ['a'], lanes: [lane] }));
        });
        const last = [...new Set(orders.at(-1))];
        expect(laneOf(state, 'a').order).toEqual(last);
        expect([...laneOf(state, 'a').entries.keys()]).toEqual(last);
        expect(state.isOutOfStep).toBe(false);
      }),
    );
  });
});

describe('applyProgress', () => {
  it('is held for the run of its lane, until that changes', () => {
    const progress = toProgress('r1');
    const next = applyProgress(OPEN, 'a', progress);
    expect(laneOf(next, 'a').progress).toBe(progress);
    expect(next.lanes.get('b')).toBe(OPEN.lanes.get('b'));
    const ended = applySnapshot(next, laneChange({ run: toRunState('r2') }));
    expect(laneOf(ended, 'a').progress).toBeUndefined();
  });

  it('is ignored for another run, and for a lane that there is not', () => {
    expect(applyProgress(OPEN, 'a', toProgress('r0'))).toBe(OPEN);
    expect(applyProgress(OPEN, 'b', toProgress('r1'))).toBe(OPEN);
    expect(applyProgress(OPEN, 'z', toProgress('r1'))).toBe(OPEN);
  });
});

describe('fillEntries', () => {
  const stored = applySnapshot(
    emptySession(),
    toSnapshot({ a: { entries: [toRun('r1', undefined, { isStored: true }), toRun('r2')] } }),
  );
  const read = (id: string) => toRun(id, toOutcome(id, toReply('Cold.')));

  it('puts in what was asked for, and nothing that changed meanwhile', () => {
    const next = laneOf(fillEntries(stored, 'a', [read('r1'), read('r2'), read('r3')]), 'a');
    expect(next.entries.get('r1')).toEqual(read('r1'));
    expect(next.entries.get('r2')).toEqual(toRun('r2'));
    expect(next.entries.has('r3')).toBe(false);
  });

  it('is nothing for a lane that is gone', () => {
    expect(fillEntries(stored, 'z', [read('r1')])).toBe(stored);
  });
});
