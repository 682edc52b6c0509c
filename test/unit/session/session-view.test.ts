import { afterEach, describe, expect, test } from 'vitest';
import type { HostEventName, RunProgress, SessionSnapshot } from '../../../src/protocol';
import { MemoryRunStore, SessionView } from '../../../src/session';
import { FakeClock } from '../../support/fake-clock';
import type { Opened, SessionSetup } from '../../support/session/scripted-session';
import { openSession } from '../../support/session/scripted-session';
import { SnapshotPage } from '../../support/snapshot-page';

const INTERVAL_MS = 50;
const opened: Opened[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ session }) => session.dispose()));
});

/** Opens a session and a view with a clock of its own, which only the test advances. */
async function open(setup: SessionSetup = {}) {
  const one = await openSession(setup);
  opened.push(one);
  const clock = new FakeClock();
  const events: { name: HostEventName; data: unknown }[] = [];
  const view = new SessionView(one.session, clock, (name, data) => {
    events.push({ name, data: structuredClone(data) });
  });
  const changes = (): SessionSnapshot[] =>
    events.flatMap(({ name, data }) => (name === 'session/changed' ? [data as SessionSnapshot] : []));
  const edit = (value: string): Promise<null> =>
    one.ask('document/edit', { edits: [{ path: ['system'], value }] });
  const send = (text: string, laneIds = one.session.laneIds): Promise<null> =>
    one.ask('run/start', { laneIds, kind: 'chat', text });
  return { ...one, viewClock: clock, sentEvents: events, sessionView: view, changes, edit, send };
}
const lanes = (...ids: string[]): string => JSON.stringify({ lanes: ids.map((id) => ({ id })) });

describe('SessionView', () => {
  test('sends nothing before the first snapshot was requested', async () => {
    const one = await open();
    await one.edit('a');
    one.viewClock.advance(1_000);
    expect(one.sentEvents).toEqual([]);
    expect(one.viewClock.pending).toBe(0);
  });

  test('returns as much as fits into a frame: the latest entries completely, the others on request', async () => {
    const store = new MemoryRunStore();
    const long = 'x'.repeat(400_000);
    const script = () => ({ content: long });
    const before = await open({ text: lanes('a', 'b'), store, script });
    for (let count = 0; count < 12; count++) {
      await before.send(`${count} ${'y'.repeat(30_000)}`);
      await before.settled();
    }
    await before.session.dispose();
    const one = await open({ text: before.backing.text, store, script });
    const snapshot = one.sessionView.open();
    expect(JSON.stringify(snapshot.lanes).length).toBeLessThan(5_000_000);
    const { order = [], entries = [] } = snapshot.lanes[0] ?? {};
    expect(order).toHaveLength(24);
    expect(entries.map(({ id }) => id)).toEqual(order);
    expect(entries.at(-1)).toMatchObject({
      outcome: { reply: { raw: { content: long.slice(0, 200_000) } } },
    });
    const [message, run] = entries;
    expect(message).toMatchObject({ kind: 'message', length: 30_002 });
    expect(message?.kind === 'message' && message.content).toHaveLength(200);
    expect(run).toMatchObject({ kind: 'run', isStored: true });
    expect(run).not.toHaveProperty('outcome');
    const runIds = entries.flatMap(({ id, kind }) => (kind === 'run' ? [id] : []));
    const read = await one.ask('entries/read', { laneId: 'a', entryIds: runIds });
    expect(JSON.stringify(read).length).toBeLessThan(2_500_000);
    expect(read.map(({ id }) => id)).toEqual(runIds.slice(0, read.length));
    expect(read[0]).toMatchObject({ outcome: { reply: { raw: { content: long.slice(0, 200_000) } } } });
  });

  test('returns everything each time it is opened', async () => {
    const one = await open({ text: lanes('a', 'b') });
    const first = one.sessionView.open();
    expect(Object.keys(first).toSorted()).toEqual([
      'document',
      'embedding',
      'environment',
      'evaluation',
      'laneIds',
      'lanes',
    ]);
    expect(first.lanes.map(({ id, since }) => [id, since])).toEqual([
      ['a', undefined],
      ['b', undefined],
    ]);
    await one.edit('a');
    const second = one.sessionView.open();
    expect(second).toEqual({ ...first, document: expect.objectContaining({ version: expect.any(Number) }) });
    expect(second.document?.document.system).toBe('a');
  });

  test('sends changes at most twenty times a second', async () => {
    const one = await open();
    one.sessionView.open();
    one.viewClock.advance(INTERVAL_MS);
    one.sentEvents.length = 0;
    for (let turn = 0; turn < 100; turn++) await one.edit(`system ${turn}`);
    expect(one.sentEvents).toEqual([]);
    one.viewClock.advance(INTERVAL_MS);
    expect(one.changes().map(({ document }) => document?.document.system)).toEqual(['system 99']);
    expect(one.changes()[0]).toMatchObject({ lanes: [] });
    expect(one.changes()[0]).not.toHaveProperty('environment');
    one.viewClock.advance(1_000);
    expect(one.sentEvents).toHaveLength(1);
  });

  test('sends a change at once after a pause', async () => {
    const one = await open();
    one.sessionView.open();
    one.viewClock.advance(INTERVAL_MS);
    one.viewClock.advance(1_000);
    one.sentEvents.length = 0;
    await one.edit('a');
    one.viewClock.advance(0);
    expect(one.sentEvents).toHaveLength(1);
  });

  test('sends only changed lanes, and only their new entries', async () => {
    const one = await open({ text: lanes('a', 'b') });
    await one.send('one', ['a']);
    await one.settled();
    const { lanes: all } = one.sessionView.open();
    one.viewClock.advance(INTERVAL_MS);
    one.sentEvents.length = 0;
    await one.send('two', ['a']);
    await one.settled();
    one.viewClock.advance(INTERVAL_MS);
    const [lane, ...others] = one.changes().flatMap((change) => change.lanes);
    expect(others).toEqual([]);
    expect(lane).toMatchObject({ id: 'a', since: all[0]?.version, order: expect.any(Array) });
    expect(lane?.order).toHaveLength(4);
    expect(lane?.entries.map(({ id }) => id)).toEqual(lane?.order?.slice(2));
  });

  test('sends the complete progress each time, also to a view that opens later', async () => {
    const one = await open({
      script: ({ emit, signal }) => {
        emit({ content: 'It is ' });
        emit({ content: 'cold' });
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      },
    });
    await one.send('x');
    await one.until(() => one.session.progress('a')?.reply !== undefined);
    one.sessionView.open();
    one.viewClock.advance(INTERVAL_MS);
    const sentEvents = one.sentEvents.filter(({ name }) => name === 'run/progress');
    expect(sentEvents).toMatchObject([
      { data: { laneId: 'a', progress: { reply: { content: 'It is cold' } } } },
    ]);
    one.viewClock.advance(1_000);
    expect(one.sentEvents.filter(({ name }) => name === 'run/progress')).toHaveLength(1);
    await one.ask('run/stop', {});
    await one.settled();
    one.viewClock.advance(INTERVAL_MS);
    expect(one.changes().at(-1)?.lanes[0]).toMatchObject({ run: null });
    const last = one.sentEvents.at(-1)?.data as { progress?: RunProgress };
    expect(last.progress).toBeUndefined();
  });

  test('sends a message that is no longer the draft as pending, but only for lanes that have not sent it', async () => {
    const one = await open({
      text: JSON.stringify({
        lanes: [{ id: 'a' }, { id: 'b' }],
        messages: [{ role: 'user', content: 'for both' }],
      }),
    });
    const page = new SnapshotPage((problem) => expect.unreachable(problem));
    page.apply(one.sessionView.open());
    await one.ask('run/replay', { laneIds: ['a'], kind: 'chat' });
    await one.settled();
    one.viewClock.advance(INTERVAL_MS);
    for (const change of one.changes()) page.apply(change);
    expect(page.content()).toMatchObject({
      document: { draft: '' },
      lanes: [{ entries: [{}, {}] }, { entries: [{ content: 'for both', isPending: true }] }],
    });
  });

  test('sends the current state of a lane that was removed and restored between two updates', async () => {
    const one = await open({ text: lanes('a', 'b') });
    await one.send('one');
    await one.settled();
    const page = new SnapshotPage((problem) => expect.unreachable(problem));
    page.apply(one.sessionView.open());
    const { text } = one.backing;
    one.backing.replace(lanes('a'));
    one.backing.replace(text);
    await one.send('two', ['b']);
    await one.settled();
    one.viewClock.advance(INTERVAL_MS);
    for (const change of one.changes()) page.apply(change);
    const fresh = new SnapshotPage((problem) => expect.unreachable(problem));
    fresh.apply(structuredClone(one.sessionView.open()));
    expect(page.content()).toEqual(fresh.content());
    expect(page.content()).toMatchObject({ lanes: [{ entries: [{}, {}] }, { entries: [{}, {}, {}, {}] }] });
  });

  test('sends the environment when a connection changes', async () => {
    const one = await open();
    const { environment } = one.sessionView.open();
    expect(environment).toMatchObject({ requestsLeaveFrom: 'this computer', connections: [{ id: 'demo' }] });
  });

  test('sends nothing after disposal, and has no timer', async () => {
    const one = await open();
    one.sessionView.open();
    await one.edit('a');
    one.sessionView.dispose();
    expect(one.viewClock.pending).toBe(0);
    one.viewClock.advance(1_000);
    await one.edit('b');
    expect(one.sentEvents).toEqual([]);
    expect(one.viewClock.pending).toBe(0);
  });
});
