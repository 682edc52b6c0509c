// Agent runs of a session: mocks, questions to the person, steps and limits.
import { describe, expect, test, vi } from 'vitest';
import type { Opened } from '../../support/scripted-session';
import { calling, inTurn } from '../../support/scripted-session';
import { open, QUESTION, send, toText, withTool } from './weather';

describe('an agent run', () => {
  const agent = (one: Opened, fields: object = {}): Promise<null> =>
    one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION, ...fields });

  test('answers calls with mocks until the model answers', async () => {
    const text = toText(withTool([{ result: { temp_c: -2 } }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Cold.' }) });
    await agent(one);
    await one.settled();
    const [first, last] = one.runs();
    expect(first?.results[0]).toMatchObject({ content: '{"temp_c":-2}', source: 'mock', isError: false });
    expect(last?.ending).toMatchObject({ stopReason: 'answer', steps: 2, answered: 1, unmatched: 0 });
  });

  test('a call that no mock answers is said, never silently empty', async () => {
    const text = toText(withTool([{ when: { city: 'Bergen' }, result: 1 }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Sorry.' }) });
    await agent(one);
    await one.settled();
    const [first, last] = one.runs();
    expect(first?.results[0]).toMatchObject({ isError: true, source: 'refused' });
    expect(first?.results[0]?.content).toContain('city');
    expect(last?.ending?.unmatched).toBe(1);
  });

  test('the second call is answered by its number, and a mock error reaches the model as it is', async () => {
    const text = toText(withTool([{ call: 2, error: 'station is offline' }, { result: 'mild' }]));
    const script = inTurn(calling('get_weather'), calling('get_weather'), { content: 'Done.' });
    const one = await open({ text, script });
    await agent(one);
    await one.settled();
    const told = one.asked.at(-1)?.messages.filter(({ role }) => role === 'tool');
    expect(told?.map(({ content, isError }) => [content, isError])).toEqual([
      ['mild', false],
      ['station is offline', true],
    ]);
  });

  test('a mock that asks waits for the person', async () => {
    const text = toText(withTool([{ ask: true }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Done.' }) });
    await agent(one);
    await one.until(() => one.runs()[0]?.asked !== undefined);
    const [run] = one.runs();
    expect(run?.asked).toEqual([0]);
    const result = { content: 'by hand', isError: false };
    await one.ask('result/give', { laneId: 'a', runId: run?.id ?? '', callIndex: 0, result });
    await one.settled();
    expect(one.runs()[0]?.results[0]).toMatchObject({ content: 'by hand', source: 'given' });
    expect(one.asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'by hand' });
  });

  test('step by step it pauses after each call; an edited result is what is sent, and is marked', async () => {
    const text = toText(withTool([{ result: 'mild' }]));
    const script = inTurn(calling('get_weather'), calling('get_weather'), { content: 'Done.' });
    const one = await open({ text, script });
    const isPaused = () => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused';
    await agent(one, { isStepMode: true });
    await one.until(isPaused);
    expect(one.asked).toHaveLength(1);
    const runId = one.runs()[0]?.id ?? '';
    const result = { content: 'stormy', isError: false };
    await one.ask('result/give', { laneId: 'a', runId, callIndex: 0, result });
    expect(one.runs()[0]?.results[0]).toMatchObject({ content: 'stormy', isEdited: true });
    await one.ask('run/continue', { laneId: 'a', isStepMode: true, text: 'Hurry.' });
    await one.until(() => one.asked.length === 2 && isPaused());
    expect(one.asked[1]?.messages.slice(-2).map(({ content }) => content)).toEqual(['stormy', 'Hurry.']);
    await one.ask('run/continue', { laneId: 'a', isStepMode: false });
    await one.settled();
    expect(one.runs().at(-1)?.ending?.stopReason).toBe('answer');
  });

  test('step by step from a reply with open calls, it pauses once they are answered', async () => {
    const text = toText(withTool([{ result: 'mild' }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Done.' }) });
    await send(one, QUESTION);
    await one.settled();
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', isStepMode: true });
    await one.until(() => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused');
    expect(one.asked).toHaveLength(1);
    const runId = one.runs()[0]?.id ?? '';
    const result = { content: 'stormy', isError: false };
    await one.ask('result/give', { laneId: 'a', runId, callIndex: 0, result });
    await one.ask('run/continue', { laneId: 'a', isStepMode: true });
    await one.settled();
    expect(one.asked[1]?.messages.at(-1)?.content).toBe('stormy');
    expect(one.runs().at(-1)?.ending?.stopReason).toBe('answer');
  });

  test('goes on from a reply with open calls, which are answered first', async () => {
    const text = toText(withTool([{ result: 'mild' }]));
    const one = await open({ text, script: inTurn(calling('get_weather'), { content: 'Done.' }) });
    await send(one, QUESTION);
    await one.settled();
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent' });
    await one.settled();
    expect(one.runs().map(({ results }) => results[0]?.content)).toEqual(['mild', undefined]);
    expect(one.asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  test('stops at its step limit, and many steps leave no listener behind', async () => {
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

  test('a token budget that cannot be held ends it, with the reason', async () => {
    const document = { ...withTool([{ result: 1 }]), lanes: [{ id: 'a', limits: { maxTokens: 5 } }] };
    const one = await open({ text: toText(document), script: () => calling('get_weather') });
    await agent(one);
    await one.settled();
    expect(one.runs().at(-1)?.ending).toMatchObject({ stopReason: 'budget', steps: 1 });
  });
});
