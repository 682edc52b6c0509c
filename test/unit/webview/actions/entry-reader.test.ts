import { describe, expect, it } from 'vitest';
import type { RequestHandlers } from '../../../../src/protocol';
import { openPanel, settle } from '../open-panel';
import { laneIn, toLaneSnapshot, toOutcome, toReply, toResult, toRun } from '../samples';

describe('EntryReader', () => {
  const stored = (id: string) => toRun(id, undefined, { isStored: true });
  const read: RequestHandlers['entries/read'] = ({ entryIds }) =>
    Promise.resolve(entryIds.map((id) => toRun(id, toOutcome(id, toReply(id)))));

  it('reads the last run of each lane, which the strip shows', async () => {
    const lanes = { a: { entries: [stored('r1'), stored('r2')] }, b: { entries: [stored('r3')] } };
    const { playground, sent } = openPanel(lanes, { handlers: { 'entries/read': read } });
    await playground.start();
    await settle();
    expect(sent('entries/read')).toEqual([
      { laneId: 'a', entryIds: ['r2'] },
      { laneId: 'b', entryIds: ['r3'] },
    ]);
    expect(laneIn(playground.state).entries.get('r2')).toMatchObject({ outcome: { runId: 'r2' } });
  });

  it('also reads the earlier runs whose results led to the last one', async () => {
    const given = { isStored: true, results: { 0: toResult('4') } };
    const entries = [stored('r1'), toRun('r2', undefined, given), stored('r3')];
    const { playground, sent } = openPanel({ a: { entries } }, { handlers: { 'entries/read': read } });
    await playground.start();
    await settle();
    expect(sent('entries/read')).toEqual([{ laneId: 'a', entryIds: ['r3', 'r2'] }]);
  });

  it('requests at most fifty entries at a time, and each once', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `r${index}`);
    const { playground, sent } = openPanel(
      { a: { entries: ids.map(stored) } },
      { handlers: { 'entries/read': read } },
    );
    await playground.start();
    await settle();
    playground.entries.need('a', ids);
    playground.entries.need('a', ids);
    await settle();
    const sizes = (sent('entries/read') as { entryIds: string[] }[]).map(({ entryIds }) => entryIds.length);
    expect(sizes).toEqual([1, 50, 50, 19]);
  });

  it('requests again what did not fit into an answer, and missing entries once', async () => {
    const ids = ['r1', 'r2', 'r3'];
    const { playground, sent } = openPanel(
      { a: { entries: ids.map(stored) } },
      {
        handlers: {
          'entries/read': async (params, signal) =>
            (await read(params, signal)).filter(({ id }) => id !== 'r2').slice(0, 1),
        },
      },
    );
    await playground.start();
    await settle();
    playground.entries.need('a', ids);
    await settle();
    expect((sent('entries/read') as { entryIds: string[] }[]).map(({ entryIds }) => entryIds)).toEqual([
      ['r3'],
      ['r1', 'r2'],
      ['r2'],
    ]);
    playground.entries.need('a', ids);
    await settle();
    expect(sent('entries/read')).toHaveLength(3);
  });

  it('requests again an entry that arrived without its outcome', async () => {
    const { playground, sent, emit } = openPanel(
      { a: { entries: [stored('r1')] } },
      { handlers: { 'entries/read': read } },
    );
    await playground.start();
    await settle();
    await emit({ lanes: [{ ...toLaneSnapshot('a', { entries: [stored('r1')] }), version: 2 }] });
    playground.entries.need('a', ['r1']);
    await settle();
    expect(sent('entries/read')).toHaveLength(2);
    expect(laneIn(playground.state).entries.get('r1')).toMatchObject({ outcome: { runId: 'r1' } });
  });

  it('requests again after an error', async () => {
    let isBroken = true;
    const { playground, sent } = openPanel(
      { a: { entries: [stored('r1')] } },
      {
        handlers: {
          'entries/read': (params, signal) => (isBroken ? Promise.reject(new Error()) : read(params, signal)),
        },
      },
    );
    await playground.start();
    await settle();
    isBroken = false;
    playground.entries.need('a', ['r1']);
    await settle();
    expect(sent('entries/read')).toHaveLength(2);
    expect(laneIn(playground.state).entries.get('r1')).toMatchObject({ outcome: { runId: 'r1' } });
  });
});
