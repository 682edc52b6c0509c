import { describe, expect, it } from 'vitest';
import type { LaneSnapshot, SessionSnapshot } from '../../../../src/protocol';
import {
  applyProgress,
  applySnapshot,
  emptySession,
  fillEntries,
  laneOf,
} from '../../../../webview/state/session-state';
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
} from '../samples';
import { fc } from '../../../support/arbitrary/properties';

const OPEN = applySnapshot(
  emptySession(),
  toSnapshot({ a: { entries: [toMessage('m1'), toRun('r1')], run: toRunState('r1') }, b: {} }),
);
const change = (part: Partial<SessionSnapshot>): SessionSnapshot => ({ lanes: [], ...part });
const laneChange = (part: Partial<LaneSnapshot>): SessionSnapshot =>
  change({ lanes: [{ id: 'a', version: 2, since: 1, entries: [], run: null, ...part }] });

describe('applySnapshot', () => {
  it('keeps absent parts', () => {
    const next = applySnapshot(OPEN, change({ environment: { ...ENVIRONMENT, version: 2 } }));
    expect(next.environment?.version).toBe(2);
    expect(next.document).toBe(OPEN.document);
    expect(next.laneIds).toBe(OPEN.laneIds);
    expect(next.lanes.get('a')).toBe(OPEN.lanes.get('a'));
  });

  it('ignores parts that are older than the current ones', () => {
    const newer = applySnapshot(OPEN, change({ document: toDocument([toLane('a')], { version: 5 }) }));
    const late = applySnapshot(newer, change({ document: toDocument([toLane('b')], { version: 4 }) }));
    expect(late.document).toBe(newer.document);
  });

  it('removes lanes that are no longer listed, and uses the order of the list', () => {
    const moved = applySnapshot(OPEN, change({ laneIds: ['b', 'a'] }));
    expect(moved.laneIds).toEqual(['b', 'a']);
    const gone = applySnapshot(moved, change({ laneIds: ['b'] }));
    expect([...gone.lanes.keys()]).toEqual(['b']);
  });

  it('changes only the received entries', () => {
    const outcome = toOutcome('r1', toReply('Cold.'));
    const next = laneOf(applySnapshot(OPEN, laneChange({ entries: [toRun('r1', outcome)] })), 'a');
    expect(next.entries.get('r1')).toEqual(toRun('r1', outcome));
    expect(next.entries.get('m1')).toBe(laneOf(OPEN, 'a').entries.get('m1'));
    expect(next.order).toEqual(['m1', 'r1']);
    expect(next.run).toBeNull();
  });

  it('removes entries that are not in the order', () => {
    const next = laneOf(applySnapshot(OPEN, laneChange({ order: ['m1'] })), 'a');
    expect([...next.entries.keys()]).toEqual(['m1']);
  });

  it('reports a missing change, and keeps the lane', () => {
    const next = applySnapshot(OPEN, laneChange({ version: 4, since: 3, order: [] }));
    expect(next.isOutOfSync).toBe(true);
    expect(next.lanes.get('a')).toBe(OPEN.lanes.get('a'));
    expect(OPEN.isOutOfSync).toBe(false);
  });

  it('ignores a change that was applied already', () => {
    const next = applySnapshot(OPEN, laneChange({ version: 1, since: 0 }));
    expect(next.isOutOfSync).toBe(false);
    expect(next.lanes.get('a')).toBe(OPEN.lanes.get('a'));
  });

  it('accepts ids that are names of object members', () => {
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

  it('results in the same lane by changes as by a full snapshot', () => {
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
        expect(state.isOutOfSync).toBe(false);
      }),
    );
  });
});

describe('applyProgress', () => {
  it('keeps the progress for the run of its lane until the run changes', () => {
    const progress = toProgress('r1');
    const next = applyProgress(OPEN, 'a', progress);
    expect(laneOf(next, 'a').progress).toBe(progress);
    expect(next.lanes.get('b')).toBe(OPEN.lanes.get('b'));
    const ended = applySnapshot(next, laneChange({ run: toRunState('r2') }));
    expect(laneOf(ended, 'a').progress).toBeUndefined();
  });

  it('ignores progress of another run or an unknown lane', () => {
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

  it('inserts requested entries, except those that changed meanwhile', () => {
    const next = laneOf(fillEntries(stored, 'a', [read('r1'), read('r2'), read('r3')]), 'a');
    expect(next.entries.get('r1')).toEqual(read('r1'));
    expect(next.entries.get('r2')).toEqual(toRun('r2'));
    expect(next.entries.has('r3')).toBe(false);
  });

  it('ignores an unknown lane', () => {
    expect(fillEntries(stored, 'z', [read('r1')])).toBe(stored);
  });
});
