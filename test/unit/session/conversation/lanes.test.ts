// Several lanes of a session: run together, alone or in turn; added, moved, removed, replayed.
import { describe, expect, test, vi } from 'vitest';
import { EditableDocument } from '../../../../src/session/editing/editable-document';
import { lanes, open, QUESTION, send, toText } from '../weather';

describe('lanes', () => {
  test('run concurrently, each with its own conversation; the failure of one does not affect others', async () => {
    const one = await open({
      text: toText({ lanes: [{ id: 'a' }, { id: 'b', model: 'broken' }, { id: 'c', model: 'other' }] }),
      script: ({ model }) => {
        if (model === 'broken') throw new Error('broken');
        return { content: 'yes' };
      },
    });
    await send(one, QUESTION);
    await one.settled();
    const kinds = ['a', 'b', 'c'].map((id) => one.runs(id)[0]?.outcome?.verdict.kind);
    expect(kinds).toEqual(['answer', 'failed', 'answer']);
    expect(JSON.parse(one.backing.text).messages).toHaveLength(1);
  });

  test('with an unknown connection are skipped while others run, and their message stays pending', async () => {
    const one = await open({
      text: toText({ lanes: [{ id: 'a' }, { id: 'b', connection: 'gone' }] }),
    });
    await send(one, QUESTION);
    await one.settled();
    expect(one.runs('a')).toHaveLength(1);
    expect(one.entries('b')).toMatchObject([{ kind: 'message', content: QUESTION, isPending: true }]);
    expect(JSON.parse(one.backing.text).messages).toEqual([{ role: 'user', content: QUESTION }]);
  });

  test('that are left out keep their message pending while others run', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await one.ask('run/start', { laneIds: ['a', 'b'], kind: 'chat', text: QUESTION, leftOut: ['b'] });
    await one.settled();
    expect(one.runs('a')).toHaveLength(1);
    expect(one.entries('b')).toMatchObject([{ kind: 'message', content: QUESTION, isPending: true }]);
    expect(JSON.parse(one.backing.text).messages).toEqual([{ role: 'user', content: QUESTION }]);
  });

  test('do not get a message that is only for another lane, and the document says so', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await send(one, 'only b', ['b']);
    await one.settled();
    expect(one.entries('a')).toEqual([]);
    expect(one.entries('b')).toHaveLength(2);
    expect(JSON.parse(one.backing.text).messages).toEqual([
      { role: 'user', content: 'only b', lanes: ['b'] },
    ]);
  });

  test('that are added have all messages pending, and send them all', async () => {
    const one = await open({ text: toText(lanes('a')) });
    await send(one, 'one');
    await one.settled();
    await send(one, 'two');
    await one.settled();
    const { laneId } = await one.ask('lane/add', { copyOf: 'a', change: { model: 'other' } });
    expect(one.entries(laneId)).toMatchObject([{ isPending: true }, { isPending: true }]);
    await one.ask('run/start', { laneIds: [laneId], kind: 'chat' });
    await one.settled();
    expect(one.entries(laneId).map(({ kind }) => kind)).toEqual(['message', 'run', 'message', 'run']);
    expect(one.entries('a')).toHaveLength(4);
  });

  test('wait for the concurrency limit, and report that', async () => {
    const finish: (() => void)[] = [];
    const one = await open({
      text: toText({ lanes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }),
      limit: 1,
      script: () => new Promise((resolve) => finish.push(() => resolve({ content: 'ok' }))),
    });
    await send(one, QUESTION);
    const phase = (id: string) => one.session.laneSnapshot(id, undefined)?.run;
    await one.until(() => phase('c')?.phase === 'queued');
    expect(phase('c')?.queue).toEqual({ limit: 1, ahead: 1 });
    await one.ask('document/edit', { edits: [{ path: ['embedding', 'texts'], value: ['one'] }] });
    await one.ask('embedding/run', {});
    const embedding = () => one.session.embeddingSnapshot;
    await one.until(() => embedding().queue?.ahead === 2);
    const since = [phase('c')?.since, embedding().since];
    expect(one.asked).toHaveLength(1);
    one.clock.advance(5_000);
    await one.ask('run/stop', { laneIds: ['b'] });
    await one.until(() => phase('c')?.queue?.ahead === 0);
    // They have waited since they were started, whatever their position in the queue.
    expect([phase('c')?.since, embedding().since]).toEqual(since);
    finish.shift()?.();
    await one.until(() => finish.length === 1);
    finish.shift()?.();
    await one.settled();
    expect(one.runs('b')[0]?.outcome?.verdict.kind).toBe('stopped');
    expect(one.runs('c')[0]?.outcome?.reply?.raw.content).toBe('ok');
  });

  test('can be moved and removed; their ids stay', async () => {
    const one = await open({ text: toText(lanes('a', 'b', 'c')) });
    await one.ask('lane/move', { laneId: 'c', to: 0 });
    expect(one.session.laneIds).toEqual(['c', 'a', 'b']);
    await one.ask('lane/remove', { laneId: 'a' });
    expect(one.session.laneIds).toEqual(['c', 'b']);
    expect(one.backing.edits).toBe(2);
  });

  test('that were removed are restored by an undo; a new lane never gets their conversation', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await send(one, QUESTION);
    await one.settled();
    const before = one.backing.text;
    const entries = one.entries('b');
    await one.ask('lane/remove', { laneId: 'b' });
    // A copy of a removed lane is refused, because the new lane could have neither its settings nor its place.
    await expect(one.ask('lane/add', { copyOf: 'b' })).rejects.toThrow('The lane no longer exists.');
    expect(await one.ask('lane/add', {})).toEqual({ laneId: 'c' });
    one.backing.replace(before);
    expect(one.entries('b')).toEqual(entries);
  });

  test('can be cleared during a run and get the next question at once', async () => {
    let isFirst = true;
    const one = await open({
      script: () => {
        const isLate = isFirst;
        isFirst = false;
        return isLate ? new Promise(() => undefined) : { content: 'ok' };
      },
    });
    await send(one, 'one');
    await one.until(() => one.asked.length === 1);
    await one.ask('conversation/clear', {});
    await send(one, 'two');
    await one.settled();
    expect(one.entries().map(({ kind }) => kind)).toEqual(['message', 'run']);
    expect(one.asked[1]?.messages).toEqual([{ role: 'user', content: 'two' }]);
  });

  test('replay the messages of the document from the first one', async () => {
    const one = await open({
      text: toText({
        messages: [
          { role: 'user', content: 'one' },
          { role: 'user', content: 'two' },
        ],
      }),
    });
    await one.ask('run/replay', { laneIds: ['a'], kind: 'chat' });
    await one.settled();
    await one.ask('run/replay', { laneIds: ['a'], kind: 'chat' });
    await one.settled();
    expect(one.entries()).toHaveLength(4);
    expect(one.asked.map(({ messages }) => messages.length)).toEqual([1, 3, 1, 3]);
  });

  test('compute pending messages once per update of a view, not per sent message', async () => {
    const messages = Array.from({ length: 300 }, (_, index) => ({ role: 'assistant', content: `${index}` }));
    const text = toText({
      ...lanes('a', 'b', 'c', 'd'),
      messages: [...messages, { role: 'user', content: 'q' }],
    });
    const one = await open({ text });
    await one.settled();
    const looks = vi.spyOn(EditableDocument.prototype, 'messagesOf');
    await one.ask('run/replay', { laneIds: one.session.laneIds, kind: 'chat' });
    await one.settled();
    for (const id of one.session.laneIds) expect(one.entries(id)).toHaveLength(302);
    expect(looks.mock.calls.length).toBeLessThan(100);
    looks.mockRestore();
  });

  test('send a pinned answer with its question instead of asking the model', async () => {
    const messages = [
      { role: 'user', content: 'example' },
      { role: 'assistant', content: 'like this' },
    ];
    const one = await open({ text: toText({ messages, system: 'Be short.' }) });
    await send(one, QUESTION);
    await one.settled();
    expect(one.asked).toHaveLength(1);
    expect(one.asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });
});

describe('the number of running lanes', () => {
  test('is reported with each change, until all are stopped', async () => {
    const one = await open({ text: toText(lanes('a', 'b')), script: () => new Promise(() => undefined) });
    const counts: number[] = [];
    one.session.onDidChange(() => counts.push(one.session.runningCount));
    await send(one, QUESTION, ['a']);
    expect(one.session.runningCount).toBe(1);
    await send(one, QUESTION, ['b']);
    expect(one.session.runningCount).toBe(2);
    one.session.stopAll();
    await one.settled();
    expect(one.session.runningCount).toBe(0);
    expect([counts.includes(1), counts.includes(2), counts.at(-1)]).toEqual([true, true, 0]);
  });
});
