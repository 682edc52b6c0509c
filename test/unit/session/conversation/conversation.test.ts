// Conversations of a session, and calls with their results, with scripted providers.
import { describe, expect, test } from 'vitest';
import { MemoryRunStore, undoOrRedo } from '../../../../src/session';
import type { Opened, SessionSetup } from '../../../support/session/scripted-session';
import { calling, hang, inTurn, MemoryBacking } from '../../../support/session/scripted-session';
import { give, lanes, open, QUESTION, send, toText, withTool } from '../weather';

describe('a conversation', () => {
  test('sends the message, and shows the question and the reply', async () => {
    const one = await open();
    await send(one, QUESTION);
    await one.settled();
    expect(one.asked.map(({ messages }) => messages)).toEqual([[{ role: 'user', content: QUESTION }]]);
    const [question, run] = one.entries();
    expect(question).toMatchObject({ kind: 'message', role: 'user', content: QUESTION });
    expect(run).toMatchObject({ kind: 'run', outcome: { reply: { raw: { content: 'answer 1' } } } });
  });

  test('is sent completely, whatever its length', async () => {
    const long = 'x'.repeat(3_300_000);
    const one = await open({ script: () => ({ content: long }) });
    for (let turn = 0; turn < 4; turn++) {
      await send(one, `question ${turn}`);
      await one.settled();
    }
    const last = one.asked.at(-1)?.messages ?? [];
    expect(last).toHaveLength(7);
    expect(last.filter(({ role }) => role === 'assistant').every(({ content }) => content === long)).toBe(
      true,
    );
  });

  test('shows a long reply in part, which can be read completely', async () => {
    const long = `${'x'.repeat(250_000)}end`;
    const one = await open({ script: () => ({ content: long }) });
    await send(one, QUESTION);
    await one.settled();
    const [run] = one.runs();
    const [cut] = run?.outcome?.cut ?? [];
    expect(cut).toEqual({ path: 'reply.raw.content', length: long.length });
    const { text } = await one.ask('text/read', {
      laneId: 'a',
      entryId: run?.id ?? '',
      path: cut?.path ?? '',
    });
    expect(text).toBe(long);
  });

  test('is written to the document as it is sent: the messages, no replies', async () => {
    const one = await open({ text: '{}' });
    await send(one, 'one');
    await one.settled();
    await send(one, 'two');
    await one.settled();
    expect(JSON.parse(one.backing.text).messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ]);
    expect(one.backing.text).not.toContain('answer');
  });

  test('that was cleared can be restored after reopening, with messages of any length', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking('{}');
    const long = 'x'.repeat(1_100_000);
    const first = await open({ store, backing });
    await send(first, long);
    await first.settled();
    await send(first, 'two');
    await first.settled();
    await first.ask('conversation/clear', {});
    await first.session.dispose();
    const again = await open({ store, backing });
    expect(again.runs()).toEqual([]);
    await again.ask('conversation/restore', {});
    expect(again.runs()).toHaveLength(2);
    expect(again.session.documentSnapshot().document.messages).toMatchObject([
      { content: long },
      { content: 'two' },
    ]);
  });

  test('replaces the last reply when it is run again', async () => {
    const one = await open();
    await send(one, QUESTION);
    await one.settled();
    const [first] = one.runs();
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', isRepeat: true });
    await one.settled();
    expect(one.entries()).toHaveLength(2);
    expect(one.runs()[0]?.id).not.toBe(first?.id);
    expect(one.asked[1]?.messages).toEqual(one.asked[0]?.messages);
  });

  test('does not send the draft when the last reply is run again', async () => {
    const one = await open();
    await send(one, QUESTION);
    await one.settled();
    await one.ask('message/draft', { text: 'Half a sen' });
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', isRepeat: true });
    await one.settled();
    expect(one.asked.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: QUESTION }],
      [{ role: 'user', content: QUESTION }],
    ]);
    expect(one.session.documentSnapshot().draft).toBe('Half a sen');
  });

  test('contains the error of a failed run and the partial reply', async () => {
    const one = await open({
      script: ({ emit }) => {
        emit({ content: 'It is ' });
        throw new Error('cut off');
      },
    });
    await send(one, QUESTION);
    await one.settled();
    const [run] = one.runs();
    expect(run?.outcome?.verdict.kind).toBe('failed');
    expect(run?.outcome?.partial?.content).toBe('It is ');
    await send(one, 'again');
    await one.settled();
    expect(one.asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  test('keeps the partial reply when it is stopped', async () => {
    const one = await open({
      script: ({ emit }) => {
        emit({ content: 'It is cold' });
        return new Promise(() => undefined);
      },
    });
    await send(one, QUESTION);
    await one.until(() => one.session.progress('a')?.reply !== undefined || one.asked.length > 0);
    await one.ask('run/stop', {});
    await one.settled();
    const [run] = one.runs();
    expect(run?.outcome?.verdict).toEqual({ kind: 'stopped', detail: 'by you' });
    expect(run?.outcome?.partial?.content).toBe('It is cold');
  });

  test('is cut at an edited message, which replaces the old one', async () => {
    const one = await open();
    await send(one, 'one');
    await one.settled();
    await send(one, 'two');
    await one.settled();
    const [first] = one.entries();
    await one.ask('message/resend', { laneId: 'a', entryId: first?.id ?? '', text: 'uno', kind: 'chat' });
    await one.settled();
    expect(one.entries().map((entry) => (entry.kind === 'message' ? entry.content : 'run'))).toEqual([
      'uno',
      'run',
    ]);
    expect(JSON.parse(one.backing.text).messages).toEqual([{ role: 'user', content: 'uno' }]);
    expect(one.asked.at(-1)?.messages).toEqual([{ role: 'user', content: 'uno' }]);
  });

  test('puts the last question back into the box when it is cleared, and can be restored', async () => {
    const one = await open();
    await send(one, 'one');
    await one.settled();
    await send(one, 'two');
    await one.settled();
    const before = one.entries().map(({ id }) => id);
    await one.ask('conversation/clear', {});
    expect(one.entries()).toEqual([]);
    expect(one.session.documentSnapshot()).toMatchObject({ draft: 'two', restorable: 'cleared' });
    await one.ask('conversation/restore', {});
    expect(one.entries().map(({ id }) => id)).toEqual(before);
    expect(JSON.parse(one.backing.text).messages).toMatchObject([{ content: 'one' }, { content: 'two' }]);
  });

  test('restored after a reload has the messages of the document and what was typed since', async () => {
    const one = await open();
    for (const text of ['one', 'two', 'three']) {
      await send(one, text);
      await one.settled();
    }
    await one.ask('conversation/clear', {});
    await one.session.dispose();
    const again = await open({ store: one.store, text: one.backing.text });
    await again.ask('message/draft', { text: 'four' });
    await again.ask('conversation/restore', {});
    const { messages } = again.session.documentSnapshot().document;
    expect(messages.map(({ content }) => content)).toEqual(['one', 'two', 'four']);
    expect(again.session.documentSnapshot().draft).toBe('four');
  });
});

describe('calls and their results', () => {
  const twoCalls = () => inTurn(calling('get_weather', 'get_weather'), { content: 'Cold.' });

  test('are sent when every call of a chat has its result', async () => {
    const one = await open({ text: toText(withTool()), script: twoCalls() });
    await send(one, QUESTION);
    await one.settled();
    const runId = one.runs()[0]?.id ?? '';
    const giveOne = (callIndex: number) =>
      one.ask('result/give', {
        laneId: 'a',
        runId,
        results: [{ callIndex, content: `r${callIndex}`, isError: false }],
      });
    await giveOne(1);
    expect(one.asked).toHaveLength(1);
    await giveOne(0);
    await one.settled();
    expect(one.asked[1]?.messages.slice(2)).toEqual([
      { role: 'tool', toolName: 'get_weather', toolCallId: 'call_1', content: 'r0', isError: false },
      { role: 'tool', toolName: 'get_weather', toolCallId: 'call_2', content: 'r1', isError: false },
    ]);
    expect(one.runs().at(-1)?.outcome?.verdict).toEqual({ kind: 'answer', detail: 'after 2 calls' });
  });

  test('are left out of the request if the result is missing', async () => {
    const one = await open({ text: toText(withTool()), script: twoCalls() });
    await send(one, QUESTION);
    await one.settled();
    await send(one, 'Never mind.');
    await one.settled();
    expect(one.asked[1]?.messages).toEqual([
      { role: 'user', content: QUESTION },
      { role: 'user', content: 'Never mind.' },
    ]);
  });

  /** A chat whose call was answered by hand, and that has its answer. */
  const answered = async (setup: SessionSetup = {}): Promise<Opened> => {
    const text = toText(withTool());
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Cold.' }), ...setup });
    await send(one, QUESTION);
    await one.settled();
    await give(one, '-2');
    await one.settled();
    return one;
  };
  const said = (one: Opened): unknown[] =>
    one.runs().map(({ outcome, results }) => results[0]?.content ?? outcome?.reply?.raw.content);

  test('are sent when they are changed after the answer, which is replaced and can be restored', async () => {
    const one = await answered({
      script: inTurn(calling('get_weather'), { content: 'Cold.' }, { content: 'Hot.' }),
    });
    await give(one, '99');
    await one.settled();
    expect(one.asked[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '99' });
    expect(said(one)).toEqual(['99', 'Hot.']);
    expect(one.session.documentSnapshot().restorable).toBe('replaced');
    await one.ask('conversation/restore', {});
    expect(said(one)).toEqual(['-2', 'Cold.']);
    await send(one, 'And now?');
    await one.settled();
    expect(one.asked[3]?.messages.map(({ content }) => content)).toContain('-2');
  });

  test('replace the answer in the way in which it was asked for: an agent run stays one', async () => {
    const script = inTurn(calling('get_weather'), calling('get_weather'), { content: 'Cold.' });
    const one = await open({ text: toText(withTool([{ result: 'mild' }])), script });
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION });
    await one.settled();
    expect(one.asked).toHaveLength(3);
    await give(one, 'stormy');
    await one.settled();
    expect(one.asked[3]?.messages.at(-1)).toMatchObject({ content: 'stormy' });
    expect(one.runs().at(-1)?.ending?.stopReason).toBe('answer');
    expect(one.runs()[0]?.results[0]).toMatchObject({ content: 'stormy', isEdited: true });
  });

  test('of two calls are sent together, and the question after it returns to the message box', async () => {
    const one = await open({ text: toText(withTool()), script: twoCalls() });
    await send(one, QUESTION);
    await one.settled();
    const runId = one.runs()[0]?.id ?? '';
    const giveAll = (...contents: string[]) => {
      const results = contents.map((content, callIndex) => ({ callIndex, content, isError: false }));
      return one.ask('result/give', { laneId: 'a', runId, results });
    };
    await giveAll('a', 'b');
    await one.settled();
    await send(one, 'And tomorrow?');
    await one.settled();
    await giveAll('c', 'd');
    await one.settled();
    expect(one.asked.at(-1)?.messages.slice(-2)).toMatchObject([{ content: 'c' }, { content: 'd' }]);
    expect(one.session.documentSnapshot().draft).toBe('And tomorrow?');
  });

  test('and what Run or a repeated step replaces in all lanes is restored at once', async () => {
    const text = toText({ ...withTool(), ...lanes('a', 'b') });
    let count = 0;
    const one = await open({ text, script: () => ({ content: `answer ${++count}` }) });
    const all = () => one.session.laneIds.map((id) => one.runs(id)[0]?.outcome?.reply?.raw.content);
    await send(one, QUESTION);
    await one.settled();
    const before = all();
    await one.ask('document/edit', { edits: [{ path: ['system'], value: 'Be brief.' }] });
    await one.ask('run/start', { laneIds: ['a', 'b'], kind: 'chat' });
    await one.settled();
    expect(all()).not.toEqual(before);
    await one.ask('conversation/restore', {});
    expect(all()).toEqual(before);
    await one.ask('run/start', { laneIds: ['b'], kind: 'chat', isRepeat: true });
    await one.settled();
    expect(all()).toEqual([before[0], 'answer 5']);
    await one.ask('conversation/restore', {});
    expect(all()).toEqual(before);
  });

  test('that are only kept send nothing, but leave no answer to other results', async () => {
    const one = await answered();
    await give(one, '99', 0, { isKept: true });
    expect(one.asked).toHaveLength(2);
    expect(said(one)).toEqual(['99']);
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat' });
    await one.settled();
    expect(one.asked[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '99' });
  });

  test('and the answer that they replaced can be restored after reopening, by an undo, and during the run', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking(toText(withTool()));
    const first = await answered({ store, backing });
    await give(first, '99');
    await first.settled();
    await first.session.dispose();
    const again = await open({ store, backing, script: hang });
    expect(again.session.documentSnapshot().restorable).toBe('replaced');
    await again.ask('conversation/restore', {});
    await again.ask('entries/read', { laneId: 'a', entryIds: again.entries().map(({ id }) => id) });
    expect(said(again)).toEqual(['-2', 'Cold.']);
    expect(again.session.documentSnapshot().restorable).toBeUndefined();
    await give(again, '7');
    await again.until(() => again.asked.length === 1);
    expect(await undoOrRedo(again.session, 'undo')).toBe(true);
    expect(said(again)).toEqual(['-2', 'Cold.']);
    await again.settled();
    expect(said(again)).toEqual(['-2', 'Cold.']);
  });

  test('are undone before an earlier change of the document, and after a later one', async () => {
    const backing = new MemoryBacking(toText(withTool()));
    backing.kind = 'scratch';
    const one = await answered({ backing });
    const edit = (value: string) => one.ask('document/edit', { edits: [{ path: ['system'], value }] });
    await edit('before');
    await give(one, '99');
    await one.settled();
    await undoOrRedo(one.session, 'undo');
    expect([said(one)[0], one.session.documentSnapshot().document.system]).toEqual(['-2', 'before']);
    await give(one, '99');
    await one.settled();
    await edit('after');
    await undoOrRedo(one.session, 'undo');
    expect([said(one)[0], one.session.documentSnapshot().document.system]).toEqual(['99', 'before']);
  });

  test('of an earlier step cannot be changed while an agent run is paused', async () => {
    const script = inTurn(calling('get_weather'), calling('get_weather'), { content: 'Done.' });
    const one = await open({ text: toText(withTool([{ result: 'mild' }])), script });
    const isPaused = () => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused';
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION, isStepMode: true });
    await one.until(isPaused);
    await one.ask('run/continue', { laneId: 'a', isStepMode: true });
    await one.until(() => one.asked.length === 2 && isPaused());
    await expect(give(one, 'stormy')).rejects.toMatchObject({ info: { next: 'Stop it first.' } });
    expect(one.runs()[0]?.results[0]?.content).toBe('mild');
  });

  test('are reported with the pointer if the arguments violate the schema', async () => {
    const call = { id: 'c', name: 'get_weather', arguments: { city: 7 }, source: 'native' as const };
    const one = await open({ text: toText(withTool()), script: () => ({ toolCalls: [call] }) });
    await send(one, QUESTION);
    await one.settled();
    const issues = one.runs()[0]?.outcome?.reply?.schemaIssues[0];
    expect(issues?.map(({ path }) => path)).toEqual(['/city']);
  });
});
