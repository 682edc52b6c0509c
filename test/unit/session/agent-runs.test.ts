// Agent runs of a session: mocks, questions to the user, steps and limits.
import { describe, expect, test, vi } from 'vitest';
import { HostedApiProvider } from '../../../src/library';
import { startServer } from '../../support/servers/http-server';
import type { Opened, Script } from '../../support/session/scripted-session';
import { calling, inTurn } from '../../support/session/scripted-session';
import { open, QUESTION, send, toText, withTool } from './weather';

describe('an agent run', () => {
  const agent = (one: Opened, fields: object = {}): Promise<null> =>
    one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION, ...fields });

  test('sends mocked results until the model answers', async () => {
    const text = toText(withTool([{ result: { temp_c: -2 } }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Cold.' }) });
    await agent(one);
    await one.settled();
    const [first, last] = one.runs();
    expect(first?.results[0]).toMatchObject({ content: '{"temp_c":-2}', source: 'mock', isError: false });
    expect(last?.ending).toMatchObject({ stopReason: 'answer', steps: 2, answered: 1, errors: 0 });
  });

  test('ends with an error for a reply with counted tokens but no content', async () => {
    const one = await open({ script: () => ({ content: '', usage: { completionTokens: 7 } }) });
    await agent(one);
    await one.settled();
    const [run] = one.runs();
    expect(run?.ending).toMatchObject({
      stopReason: 'error',
      detail: expect.stringContaining('the reply is empty'),
    });
    expect(run?.outcome).toMatchObject({
      verdict: { kind: 'none', detail: 'the reply is empty' },
      findings: [{ severity: 'error', what: expect.stringContaining('wrote 7 tokens') }],
    });
  });

  test('ends with an error for a call that came without a name', async () => {
    const calls = [{ id: 'a', function: { name: '', arguments: '{"city":"Oslo"}' } }];
    const body = {
      choices: [{ message: { content: null, tool_calls: calls }, finish_reason: 'tool_calls' }],
    };
    await using server = await startServer((_, answer) => answer.end(JSON.stringify(body)));
    const provider = new HostedApiProvider({ apiKey: 'k', host: server.url });
    const script: Script = async ({ messages, tools }) => (await provider.chat({ messages, tools })).raw;
    const one = await open({ script });
    await agent(one);
    await one.settled();
    expect(one.runs().at(-1)).toMatchObject({
      ending: { stopReason: 'error', detail: expect.stringContaining('without a name') },
      outcome: { verdict: { kind: 'malformed' }, findings: [{ cause: 'nameless-call' }] },
    });
  });

  test('sends an error result for a call that no mock matches', async () => {
    const text = toText(withTool([{ when: { city: 'Bergen' }, result: 1 }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Sorry.' }) });
    await agent(one);
    await one.settled();
    const [first, last] = one.runs();
    expect(first?.results[0]).toMatchObject({ isError: true, source: 'refused' });
    expect(first?.results[0]?.content).toContain('city');
    expect(last?.ending?.errors).toBe(1);
  });

  test('selects a mock by the number of the call, and sends the error of a mock unchanged', async () => {
    const text = toText(withTool([{ call: 2, error: 'station is offline' }, { result: 'mild' }]));
    const script = inTurn(calling('get_weather'), calling('get_weather'), { content: 'Done.' });
    const one = await open({ text, script });
    await agent(one);
    await one.settled();
    const toolMessages = one.asked.at(-1)?.messages.filter(({ role }) => role === 'tool');
    expect(toolMessages?.map(({ content, isError }) => [content, isError])).toEqual([
      ['mild', false],
      ['station is offline', true],
    ]);
    expect(one.runs().at(-1)?.ending).toMatchObject({ answered: 2, errors: 1 });
  });

  test('counts the rescued call of the reply that it answers first', async () => {
    const text = toText(withTool([{ result: 'mild' }]));
    const written = '<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>';
    const one = await open({ text, script: inTurn({ content: written }, { content: 'Mild.' }) });
    await send(one, QUESTION);
    await one.settled();
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('rescued');
    await agent(one, { text: undefined });
    await one.settled();
    expect(one.runs().at(-1)?.ending).toMatchObject({ stopReason: 'answer', answered: 1, rescued: 1 });
  });

  test('waits for the user’s result if the mock asks for one', async () => {
    const text = toText(withTool([{ ask: true }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Done.' }) });
    await agent(one);
    await one.until(() => one.runs()[0]?.asked !== undefined);
    const [run] = one.runs();
    expect(run?.asked).toEqual([0]);
    const result = { content: 'by hand', isError: false };
    await one.ask('result/give', {
      laneId: 'a',
      runId: run?.id ?? '',
      results: [{ callIndex: 0, ...result }],
    });
    await one.settled();
    expect(one.runs()[0]?.results[0]).toMatchObject({ content: 'by hand', source: 'given' });
    expect(one.asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'by hand' });
  });

  test('asks for each of two calls with the same id, and keeps their results apart', async () => {
    const text = toText(withTool([{ call: 1, ask: true }, { ask: true }]));
    const reply = calling('get_weather', 'get_weather');
    const toolCalls = (reply.toolCalls ?? []).map((call) => ({ ...call, id: 'call_0' }));
    const one = await open({ text, script: inTurn({ ...reply, toolCalls }, { content: 'Done.' }) });
    await agent(one);
    await one.until(() => one.runs()[0]?.asked?.length === 2);
    const runId = one.runs()[0]?.id ?? '';
    for (const callIndex of [1, 0]) {
      const result = { content: `result ${callIndex}`, isError: callIndex === 1 };
      await one.ask('result/give', { laneId: 'a', runId, results: [{ callIndex, ...result }] });
    }
    await one.settled();
    const [first, last] = one.runs();
    expect(first?.results).toMatchObject({ 0: { content: 'result 0' }, 1: { content: 'result 1' } });
    expect(one.asked[1]?.messages.slice(-2).map(({ content }) => content)).toEqual(['result 0', 'result 1']);
    expect(last?.ending).toMatchObject({ stopReason: 'answer', answered: 2, errors: 1 });
  });

  test('does not count the time in which it waits for the user', async () => {
    const text = toText(withTool([{ ask: true }]));
    const one = await open({
      text,
      script: inTurn(calling('get_weather', 'get_weather'), { content: 'Done.' }),
    });
    await agent(one, { isStepMode: true });
    await one.until(() => one.runs()[0]?.asked?.length === 2);
    const runId = one.runs()[0]?.id ?? '';
    for (const callIndex of [0, 1]) {
      one.clock.advance(60_000);
      const result = { content: 'by hand', isError: false };
      await one.ask('result/give', { laneId: 'a', runId, results: [{ callIndex, ...result }] });
    }
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    one.clock.advance(60_000);
    await one.ask('run/continue', { laneId: 'a', isStepMode: false });
    await one.settled();
    const { ending } = one.runs().at(-1) ?? {};
    expect(ending).toMatchObject({ stopReason: 'answer', answered: 2 });
    expect(ending?.durationMs).toBeLessThan(60_000);
  });

  test('has a chat without duration when it is stopped while it waits for the user before that chat', async () => {
    const text = toText(withTool([{ ask: true }]));
    const one = await open({ text, script: inTurn(calling('get_weather')) });
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: QUESTION });
    await one.settled();
    await agent(one, { text: undefined });
    await one.until(() => one.runs()[0]?.asked !== undefined);
    one.clock.advance(60_000);
    await one.ask('run/stop', { laneIds: ['a'] });
    await one.settled();
    const last = one.runs().at(-1);
    expect(last?.outcome?.verdict.kind).toBe('stopped');
    expect(last?.outcome?.durationMs).toBe(0);
    expect(last?.ending?.durationMs).toBeLessThan(60_000);
  });

  test('pauses after each step in step mode, and sends an edited result, which is marked', async () => {
    const text = toText(withTool([{ result: 'mild' }]));
    const script = inTurn(calling('get_weather'), calling('get_weather'), { content: 'Done.' });
    const one = await open({ text, script });
    const isPaused = () => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused';
    await agent(one, { isStepMode: true });
    await one.until(isPaused);
    expect(one.asked).toHaveLength(1);
    const runId = one.runs()[0]?.id ?? '';
    const result = { content: 'stormy', isError: false };
    await one.ask('result/give', { laneId: 'a', runId, results: [{ callIndex: 0, ...result }] });
    expect(one.runs()[0]?.results[0]).toMatchObject({ content: 'stormy', isEdited: true });
    await one.ask('run/continue', { laneId: 'a', isStepMode: true, text: 'Hurry.' });
    await one.until(() => one.asked.length === 2 && isPaused());
    expect(one.asked[1]?.messages.slice(-2).map(({ content }) => content)).toEqual(['stormy', 'Hurry.']);
    await one.ask('run/continue', { laneId: 'a', isStepMode: false });
    await one.settled();
    const last = one.runs().at(-1);
    expect(last?.ending).toMatchObject({ stopReason: 'answer', answered: 2 });
    // The message in between is not a new question.
    expect(last?.outcome?.verdict.detail).toBe('after 2 calls');
  });

  test('counts an error that was edited between two steps as the result that was sent', async () => {
    const text = toText(withTool([{ error: 'offline' }]));
    const one = await open({
      text,
      script: inTurn(calling('get_weather', 'get_weather'), { content: 'Done.' }),
    });
    await agent(one, { isStepMode: true });
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    const result = { content: 'mild', isError: false };
    await one.ask('result/give', {
      laneId: 'a',
      runId: one.runs()[0]?.id ?? '',
      results: [{ callIndex: 0, ...result }],
    });
    await one.ask('run/continue', { laneId: 'a', isStepMode: false });
    await one.settled();
    expect(one.runs().at(-1)?.ending).toMatchObject({ answered: 2, errors: 1 });
  });

  test('shows and sends a new message after an older pending one', async () => {
    const messages = [
      { role: 'user', content: 'older' },
      { role: 'user', content: 'half' },
    ];
    const text = toText({ ...withTool([{ result: 'mild' }]), messages });
    const script = inTurn(calling('get_weather'), { content: 'One.' }, { content: 'Two.' });
    const one = await open({ text, script });
    await agent(one, { isStepMode: true });
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    const shown = one.entries().filter(({ kind }) => kind === 'message');
    expect(shown).toMatchObject([{ content: 'older' }, { content: QUESTION, isPending: true }]);
    expect(one.session.documentSnapshot().draft).toBe('');
    // The draft is empty now, so what is typed next becomes another message.
    await one.ask('message/draft', { text: 'next' });
    await one.ask('run/continue', { laneId: 'a', isStepMode: false });
    await one.settled();
    expect(one.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'older',
      '',
      'mild',
      'One.',
      QUESTION,
    ]);
    const { document, draft } = one.session.documentSnapshot();
    expect(document.messages).toMatchObject([
      { content: 'older' },
      { content: QUESTION },
      { content: 'next' },
    ]);
    expect(draft).toBe('next');
  });

  test('returns a new message that it never sent to the message box', async () => {
    const messages = [
      { role: 'user', content: 'older' },
      { role: 'user', content: 'half' },
    ];
    const text = toText({ ...withTool([{ result: 'mild' }]), messages });
    const one = await open({ text, script: inTurn(calling('get_weather')) });
    await agent(one, { isStepMode: true });
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    await one.ask('run/stop', {});
    await one.settled();
    expect(one.session.documentSnapshot().draft).toBe(QUESTION);
    expect(one.entries().filter(({ kind }) => kind === 'message')).toMatchObject([{ content: 'older' }]);
  });

  test('adds a message sent between steps to the document, after what was sent, for its lane only', async () => {
    const lanes = [{ id: 'a' }, { id: 'b' }];
    const text = toText({ ...withTool([{ result: 'mild' }]), lanes });
    const script = inTurn(calling('get_weather'), { content: 'Done.' });
    const one = await open({ text, script });
    await agent(one, { isStepMode: true });
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    await one.ask('message/draft', { text: 'to come' });
    await one.ask('run/continue', { laneId: 'a', isStepMode: false, text: 'Hurry.' });
    await one.settled();
    const { document, draft } = one.session.documentSnapshot();
    expect(document.messages).toMatchObject([
      { content: QUESTION },
      { role: 'user', content: 'Hurry.', lanes: ['a'] },
      { content: 'to come' },
    ]);
    expect(draft).toBe('to come');
    expect(one.session.laneSnapshot('b', undefined)?.entries).toEqual([]);
  });

  test('pauses in step mode after answering the open calls of a reply', async () => {
    const text = toText(withTool([{ result: 'mild' }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Done.' }) });
    await send(one, QUESTION);
    await one.settled();
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', isStepMode: true });
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    expect(one.asked).toHaveLength(1);
    const runId = one.runs()[0]?.id ?? '';
    const result = { content: 'stormy', isError: false };
    await one.ask('result/give', { laneId: 'a', runId, results: [{ callIndex: 0, ...result }] });
    await one.ask('run/continue', { laneId: 'a', isStepMode: true });
    await one.settled();
    expect(one.asked[1]?.messages.at(-1)?.content).toBe('stormy');
    expect(one.runs().at(-1)?.ending?.stopReason).toBe('answer');
  });

  test('answers the open calls of a reply before the next request', async () => {
    const text = toText(withTool([{ result: 'mild' }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Done.' }) });
    await send(one, QUESTION);
    await one.settled();
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent' });
    await one.settled();
    expect(one.runs().map(({ results }) => results[0]?.content)).toEqual(['mild', undefined]);
    expect(one.asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  test('stops at its step limit, and leaves no listeners behind after many steps', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const document = { ...withTool([{ result: 1 }]), lanes: [{ id: 'a', limits: { maxSteps: 30 } }] };
    const one = await open({ text: toText(document), script: () => calling('get_weather') });
    await agent(one);
    await one.settled();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(one.runs()).toHaveLength(30);
    expect(one.runs().at(-1)?.ending).toMatchObject({ stopReason: 'max-steps', answered: 30 });
    expect(warned).not.toHaveBeenCalled();
  });

  test('ends with the reason when its token budget is exceeded', async () => {
    const document = { ...withTool([{ result: 1 }]), lanes: [{ id: 'a', limits: { maxTokens: 5 } }] };
    const one = await open({ text: toText(document), script: () => calling('get_weather') });
    await agent(one);
    await one.settled();
    expect(one.runs().at(-1)?.ending).toMatchObject({ stopReason: 'budget', steps: 1 });
  });
});
