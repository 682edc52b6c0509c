// Conversations of a session, and calls with their results, with scripted providers.
import { describe, expect, test } from 'vitest';
import { MemoryRunStore } from '../../../../src/session';
import { calling, inTurn, MemoryBacking } from '../../../support/session/scripted-session';
import { open, QUESTION, send, toText, withTool } from '../weather';

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
    const long = 'x'.repeat(1_100_000);
    const one = await open({ script: () => ({ content: long }) });
    for (let turn = 0; turn < 9; turn++) {
      await send(one, `question ${turn}`);
      await one.settled();
    }
    const last = one.asked.at(-1)?.messages ?? [];
    expect(last).toHaveLength(17);
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
    expect(one.session.documentSnapshot()).toMatchObject({ draft: 'two', canRestore: true });
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
    const give = (callIndex: number) =>
      one.ask('result/give', {
        laneId: 'a',
        runId,
        callIndex,
        result: { content: `r${callIndex}`, isError: false },
      });
    await give(1);
    expect(one.asked).toHaveLength(1);
    await give(0);
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

  test('are reported with the pointer if the arguments violate the schema', async () => {
    const call = { id: 'c', name: 'get_weather', arguments: { city: 7 }, source: 'native' as const };
    const one = await open({ text: toText(withTool()), script: () => ({ toolCalls: [call] }) });
    await send(one, QUESTION);
    await one.settled();
    const issues = one.runs()[0]?.outcome?.reply?.schemaIssues[0];
    expect(issues?.map(({ path }) => path)).toEqual(['/city']);
  });
});
