// Concurrent commands, and commands in unexpected states: none is lost, and none runs twice.
import { afterEach, describe, expect, test } from 'vitest';
import type { LaneEntry } from '../../../src/protocol';
import { MemoryRunStore } from '../../../src/session';
import type { Opened, Script, SessionSetup } from '../../support/session/scripted-session';
import { calling, hang, inTurn, MemoryBacking, openSession } from '../../support/session/scripted-session';

const opened: Opened[] = [];
async function open(setup: SessionSetup = {}): Promise<Opened> {
  const one = await openSession(setup);
  opened.push(one);
  return one;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ session }) => session.dispose()));
});

const toText = (document: object): string => JSON.stringify({ version: 1, ...document });
const lanes = (...ids: string[]): object => ({ lanes: ids.map((id) => ({ id, connection: id })) });
const tool = (mocks: object[]): object => ({
  tools: [{ name: 'get_weather', parameters: { type: 'object' }, mocks }],
});
const send = (one: Opened, text: string, laneIds = one.session.laneIds): Promise<null> =>
  one.ask('run/start', { laneIds, kind: 'chat', text });
const said = (entries: readonly LaneEntry[]): string[] =>
  entries.map((entry) =>
    entry.kind === 'run' ? 'run' : entry.isPending ? `(${entry.content})` : entry.content,
  );
const asked = (one: Opened): string[][] =>
  one.asked.map(({ messages }) => messages.map(({ content }) => content));
const documentOf = (one: Opened): { messages?: unknown[] } =>
  JSON.parse(one.backing.text) as { messages?: unknown[] };

describe('stop', () => {
  test('right after a start stops that run, and no later one', async () => {
    const one = await open({ script: ({ messages }) => ({ content: `answer ${messages.length}` }) });
    const first = send(one, 'one');
    const stopped = one.ask('run/stop', {});
    const second = send(one, 'two').catch(() => 'refused');
    await Promise.all([first, stopped, second]);
    await one.settled();
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('stopped');
    await send(one, 'three');
    await one.settled();
    expect(one.runs().at(-1)?.outcome?.verdict.kind).toBe('answer');
  });

  test('ends a run whose connection is never opened', async () => {
    const one = await open({ text: toText(lanes('never')) });
    await send(one, 'one');
    await one.until(() => one.session.laneSnapshot('never', undefined)?.run !== null);
    await one.ask('run/stop', {});
    await one.settled();
    expect(one.runs('never')[0]?.outcome?.verdict.kind).toBe('stopped');
  });

  test('withdraws the question to the user', async () => {
    const one = await open({ text: toText(tool([{ ask: true }])), script: () => calling('get_weather') });
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: 'one' });
    await one.until(() => one.runs()[0]?.asked !== undefined);
    await one.ask('run/stop', {});
    await one.settled();
    expect(one.runs()[0]).not.toHaveProperty('asked');
    expect(one.runs()[0]?.ending?.stopReason).toBe('stopped');
  });
});

describe('a session that ends', () => {
  test('sends no further request, whatever was pending', async () => {
    const one = await open();
    const commands = [send(one, 'one'), one.ask('lane/add', {}), send(one, 'two')].map((done) =>
      done.then(
        () => 'done',
        (error: { info?: { what: string } }) => error.info?.what,
      ),
    );
    await one.session.dispose();
    const before = one.asked.length;
    expect((await Promise.all(commands)).at(-1)).toBe('The playground was closed.');
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(one.asked.length).toBe(before);
  });

  test('while the user is asked keeps the reply, and its agent run is interrupted', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking(toText(tool([{ ask: true }])));
    const script = inTurn({ ...calling('get_weather'), content: 'Let me see.' });
    const first = await openSession({ store, backing, script });
    await first.ask('run/start', { laneIds: ['a'], kind: 'agent', text: 'one' });
    await first.until(() => first.runs()[0]?.asked !== undefined);
    await first.session.dispose();
    const again = await open({ store, backing });
    expect(again.runs()).toMatchObject([
      {
        outcome: { verdict: { kind: 'native' }, reply: { raw: { content: 'Let me see.' } } },
        ending: { stopReason: 'interrupted', steps: 1 },
      },
    ]);
    const result = { content: 'snow', isError: false };
    await again.ask('result/give', {
      laneId: 'a',
      runId: again.runs()[0]?.id ?? '',
      results: [{ callIndex: 0, ...result }],
    });
    await again.settled();
    expect(asked(again)).toEqual([['one', 'Let me see.', 'snow']]);
  });

  test('loses neither a message nor a result of any length', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking(toText(tool([])));
    const long = 'x'.repeat(1_500_000);
    const first = await openSession({ store, backing, script: () => calling('get_weather') });
    await send(first, long);
    await first.settled();
    const runId = first.runs()[0]?.id ?? '';
    await first.ask('result/give', {
      laneId: 'a',
      runId,
      results: [{ callIndex: 0, content: long, isError: false }],
    });
    await first.settled();
    await first.session.dispose();
    const again = await open({ store, backing });
    await send(again, 'And?');
    await again.settled();
    const [question, , result] = again.asked[0]?.messages ?? [];
    expect([question?.content === long, result?.content === long]).toEqual([true, true]);
  });
});

describe('a long conversation', () => {
  test('that was reopened is sent completely, although a view first gets only its end', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking('{}');
    const first = await openSession({ store, backing });
    for (let turns = 0; turns < 15; turns++) {
      await send(first, `question ${turns}`);
      await first.settled();
    }
    const before = first.entries();
    await first.session.dispose();
    const again = await open({ store, backing });
    const stored = again.runs().filter(({ isStored }) => isStored);
    expect(stored.length).toBeGreaterThan(0);
    expect(again.runs().at(-1)).not.toHaveProperty('isStored');
    const read = await again.ask('entries/read', { laneId: 'a', entryIds: stored.map(({ id }) => id) });
    expect(read).toEqual(before.filter(({ id }) => stored.some((entry) => entry.id === id)));
    await send(again, 'last');
    await again.settled();
    expect(again.asked[0]?.messages).toHaveLength(31);
    expect(again.entries().slice(0, 30)).toEqual(before);
  });
});

describe('clear', () => {
  test('waits for the runs that it stops, so that nothing appears in the empty conversation', async () => {
    const one = await open({ script: hang });
    await send(one, 'one');
    await one.ask('conversation/clear', {});
    expect(one.entries()).toEqual([]);
    await one.settled();
    expect(one.entries()).toEqual([]);
    await one.ask('conversation/restore', {});
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('stopped');
  });

  test('without entries keeps the conversation that can be restored', async () => {
    const one = await open();
    await send(one, 'one');
    await one.settled();
    await one.ask('conversation/clear', {});
    await one.ask('conversation/clear', {});
    await one.ask('conversation/restore', {});
    expect(said(one.entries())).toEqual(['one', 'run']);
  });

  test('cannot be undone after something new began, nor after reopening', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking('{}');
    const first = await openSession({ store, backing });
    await send(first, 'one');
    await first.settled();
    await first.ask('conversation/clear', {});
    await send(first, 'two');
    await first.settled();
    expect(first.session.documentSnapshot().restorable).toBeUndefined();
    await first.session.dispose();
    const again = await open({ store, backing });
    expect(again.session.documentSnapshot().restorable).toBeUndefined();
    await again.ask('conversation/restore', {});
    expect(said(again.entries())).toEqual(['two', 'run']);
  });

  test('can be undone for a lane that was removed meanwhile', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await send(one, 'one');
    await one.settled();
    await one.ask('conversation/clear', { laneIds: ['b'] });
    const { text } = one.backing;
    await one.ask('lane/remove', { laneId: 'b' });
    await one.ask('conversation/restore', {});
    one.backing.replace(text);
    expect(said(one.entries('b'))).toEqual(['one', 'run']);
  });
});

describe('a lane', () => {
  test('that is removed and restored has its conversation; a new one starts its own', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await send(one, 'one');
    await one.settled();
    const { text } = one.backing;
    await one.ask('lane/remove', { laneId: 'b' });
    const { laneId } = await one.ask('lane/add', { copyOf: 'a' });
    expect(laneId).not.toBe('b');
    expect(said(one.entries(laneId))).toEqual(['(one)']);
    one.backing.replace(text);
    expect(said(one.entries('b'))).toEqual(['one', 'run']);
  });

  test('that is removed during a run has the stopped run when it is restored', async () => {
    const one = await open({ text: toText(lanes('a', 'b')), script: hang });
    await send(one, 'one', ['b']);
    await one.until(() => one.asked.length === 1);
    const { text } = one.backing;
    await one.ask('lane/remove', { laneId: 'b' });
    one.backing.replace(text);
    await one.settled();
    expect(one.runs('b')[0]?.outcome?.verdict.kind).toBe('stopped');
  });
});

describe('a start', () => {
  test('without a message to send is refused', async () => {
    const one = await open({ text: toText({ messages: [] }) });
    const refusal = { info: { code: 'refused', what: 'There is nothing to send.' } };
    await expect(one.ask('run/start', { laneIds: ['a'], kind: 'chat' })).rejects.toMatchObject(refusal);
    await expect(one.ask('run/replay', { laneIds: ['a'], kind: 'chat' })).rejects.toMatchObject(refusal);
    one.backing.replace(toText({ messages: [{ role: 'assistant', content: 'an example' }] }));
    await expect(one.ask('run/start', { laneIds: ['a'], kind: 'agent' })).rejects.toMatchObject(refusal);
    expect(one.entries()).toMatchObject([{ isPending: true }]);
  });

  test('with several lanes runs those that have a message to send', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await send(one, 'only b', ['b']);
    await one.settled();
    await expect(one.ask('run/start', { laneIds: ['a', 'b'], kind: 'chat' })).rejects.toMatchObject({
      info: { what: 'There is nothing to send.' },
    });
    await one.ask('run/start', { laneIds: ['b'], kind: 'chat', isRepeat: true });
    await one.settled();
    expect([one.entries('a').length, one.runs('b').length, one.asked.length]).toEqual([0, 1, 2]);
  });

  test('passes the tool choice on, and fails for a tool that is not offered', async () => {
    const choices = ['required', { tool: 'get_weather' }, { tool: 'gone' }];
    const chosen = choices.map((toolChoice, index) => ({ id: `${index}`, toolChoice }));
    const one = await open({ text: toText({ ...tool([]), lanes: chosen }) });
    await send(one, 'hello');
    await one.settled();
    expect(one.asked.map(({ toolChoice }) => toolChoice)).toEqual(choices.slice(0, 2));
    expect(one.runs('2')[0]?.outcome?.error?.what).toContain('gone, which is not offered');
  });

  test('with several lanes keeps existing answers, and runs lanes without one again', async () => {
    let isDown = true;
    const script: Script = ({ model }) => {
      if (model === 'flaky' && isDown) throw new Error('down');
      return { content: 'yes' };
    };
    const text = toText({ lanes: [{ id: 'a' }, { id: 'b', model: 'flaky' }] });
    const one = await open({ text, script });
    await send(one, 'ready?');
    await one.settled();
    const [answer] = one.runs('a');
    isDown = false;
    await one.ask('run/start', { laneIds: ['a', 'b'], kind: 'chat' });
    await one.settled();
    expect(one.runs('a')).toEqual([answer]);
    expect(one.runs('b')[0]?.outcome?.reply?.raw.content).toBe('yes');
    expect(one.asked).toHaveLength(3);
  });

  test('after a message to a paused agent run does not send the question again', async () => {
    const script = inTurn(calling('get_weather'), { content: 'Done.' }, { content: 'Hello.' });
    const one = await open({ text: toText(tool([{ result: 'mild' }])), script });
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: 'one', isStepMode: true });
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    await one.ask('run/continue', { laneId: 'a', isStepMode: false, text: 'Hurry.' });
    await one.settled();
    expect(one.session.documentSnapshot().draft).toBe('');
    await send(one, 'two');
    await one.settled();
    expect(said(one.entries())).toEqual(['one', 'run', 'Hurry.', 'run', 'two', 'run']);
  });

  test('with a read-only document sends each message once, in order', async () => {
    const backing = new MemoryBacking(toText({ messages: [{ role: 'user', content: 'pinned' }] }));
    backing.readOnly = 'It is read-only.';
    const one = await open({ backing });
    for (const text of ['one', 'two']) {
      await send(one, text);
      await one.settled();
    }
    expect(said(one.entries())).toEqual(['pinned', 'run', 'one', 'run', 'two', 'run']);
    const [, , first] = one.entries();
    await one.ask('message/resend', { laneId: 'a', entryId: first?.id ?? '', text: 'uno', kind: 'chat' });
    await one.settled();
    expect(said(one.entries())).toEqual(['pinned', 'run', 'uno', 'run']);
  });
});

describe('a resend', () => {
  test('leaves the messages of other lanes unchanged', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await send(one, 'for a', ['a']);
    await one.settled();
    await send(one, 'for b', ['b']);
    await send(one, 'for both').catch(() => undefined);
    await one.settled();
    const [first] = one.entries('a');
    await one.ask('message/resend', { laneId: 'a', entryId: first?.id ?? '', text: 'anew', kind: 'chat' });
    await one.settled();
    expect(said(one.entries('a'))).toEqual(['anew', 'run']);
    expect(said(one.entries('b')).slice(0, 2)).toEqual(['for b', 'run']);
    expect(documentOf(one).messages).toMatchObject([
      { content: 'anew', lanes: ['a'] },
      { content: 'for b', lanes: ['b'] },
      { content: 'for both', lanes: ['b'] },
    ]);
  });

  test.each(['gone', 'run'])(
    'of an entry that is not a message of the lane is refused: %s',
    async (which) => {
      const one = await open();
      await send(one, 'one');
      await one.settled();
      const before = one.entries();
      const entryId = which === 'run' ? (one.runs()[0]?.id ?? '') : 'gone';
      const resent = one.ask('message/resend', { laneId: 'a', entryId, text: 'anew', kind: 'chat' });
      await expect(resent).rejects.toMatchObject({ info: { code: 'refused' } });
      expect(one.entries()).toEqual(before);
    },
  );

  test('that the editor refuses leaves the conversation unchanged', async () => {
    const one = await open();
    await send(one, 'one');
    await one.settled();
    const before = one.entries();
    one.backing.apply = () => Promise.resolve(false);
    const entryId = before[0]?.id ?? '';
    const resent = one.ask('message/resend', { laneId: 'a', entryId, text: 'anew', kind: 'chat' });
    await expect(resent).rejects.toMatchObject({ info: { what: 'The playground was not changed.' } });
    expect(one.entries()).toEqual(before);
  });
});

describe('the text of the message box', () => {
  test('that is cleared before it was written to the document leaves no message', async () => {
    const one = await open({ text: toText({ messages: [] }) });
    await one.ask('message/draft', { text: 'W' });
    await one.ask('message/draft', { text: '' });
    await one.session.flush();
    expect(documentOf(one).messages).toEqual([]);
    expect(one.session.documentSnapshot().draft).toBe('');
  });

  test('is written to the document and sent in one undo step', async () => {
    const one = await open({ text: toText({ messages: [] }) });
    await one.ask('message/draft', { text: 'What' });
    await send(one, 'What is it?');
    await one.settled();
    expect(one.backing.edits).toBe(1);
  });

  test('does not contain the message of a removed lane', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    await send(one, 'for b', ['b']);
    await one.settled();
    await one.ask('lane/remove', { laneId: 'b' });
    expect(one.session.documentSnapshot().draft).toBe('');
    await one.ask('message/draft', { text: 'next' });
    await one.session.flush();
    expect(documentOf(one).messages).toMatchObject([{ content: 'for b' }, { content: 'next' }]);
  });
});
