import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/session/run/run-record';
import type { Item, RunItem, ToolAnswer } from '../../../src/session/transcript';
import { callsBefore, isAnswered, toEntry, toMessages } from '../../../src/session/transcript';
import type { Message, ProviderToolCall } from '../../../src/types';
import { makeTurn, NATIVE, RESCUED } from '../../support/turns';

let count = 0;
const said = (role: Message['role'], content: string, more: Partial<Message> = {}): Item => ({
  kind: 'message',
  id: `m${++count}`,
  message: { role, content, ...more },
});
const answer = (content: string, isError = false): ToolAnswer => ({ content, isError, source: 'mock' });

function replied(parts: Parameters<typeof makeTurn>[0], results: Record<number, ToolAnswer> = {}): RunItem {
  const { ledger, ...turn } = makeTurn(parts);
  const record = { runId: 'r', verdict: { kind: 'native', detail: '' }, turn, ledger, findings: [] };
  return {
    kind: 'run',
    id: `r${++count}`,
    record: record as unknown as RunRecord,
    results: new Map(Object.entries(results).map(([index, one]) => [Number(index), one])),
    asked: new Set(),
  };
}
const failed: RunItem = { kind: 'run', id: 'failed', results: new Map(), asked: new Set() };
const second: ProviderToolCall = { ...NATIVE, id: 'call_2' };

describe('toMessages', () => {
  test('is what was said and replied, in order', () => {
    expect(toMessages([said('user', 'one'), replied({}), said('user', 'two')])).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'text' },
      { role: 'user', content: 'two' },
    ]);
  });

  test('a call goes with its result behind it, both by the same id', () => {
    const item = replied({ native: [NATIVE, second] }, { 0: answer('r0'), 1: answer('r1', true) });
    expect(toMessages([item])).toEqual([
      { role: 'assistant', content: 'text', toolCalls: [NATIVE, second] },
      { role: 'tool', toolName: 'get_weather', toolCallId: 'call_1', content: 'r0', isError: false },
      { role: 'tool', toolName: 'get_weather', toolCallId: 'call_2', content: 'r1', isError: true },
    ]);
  });

  test('a call without a result is left out, and its reply too when nothing else is in it', () => {
    const half = replied({ native: [NATIVE, second] }, { 1: answer('r1') });
    expect(toMessages([half])[0]?.toolCalls).toEqual([second]);
    const open = replied({ native: [NATIVE] });
    expect(toMessages([open])).toEqual([{ role: 'assistant', content: 'text' }]);
    if (open.record?.turn) open.record.turn.assistant.content = '';
    expect(toMessages([said('user', 'one'), open])).toEqual([{ role: 'user', content: 'one' }]);
  });

  test('an agent keeps the open calls of the last reply, and of no earlier one', () => {
    const [first, last] = [replied({ native: [NATIVE] }), replied({ native: [second] })];
    expect(toMessages([first, last], true).map(({ toolCalls }) => toolCalls)).toEqual([undefined, [second]]);
    expect(toMessages([first, said('user', 'x')], true).map(({ toolCalls }) => toolCalls)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a run that brought no reply is left out', () => {
    expect(toMessages([said('user', 'one'), failed, said('user', 'two')])).toHaveLength(2);
  });

  test('a rescued call goes without where it was found', () => {
    const [message] = toMessages([replied({ rescued: [RESCUED] }, { 0: answer('r') })]);
    expect(message?.toolCalls).toEqual([
      { id: 'call_1', name: 'get_weather', arguments: { city: 'Oslo' }, source: 'rescued' },
    ]);
  });

  test('what came with a call goes back with it', () => {
    const signed = { ...NATIVE, extraContent: { signature: 'x' } };
    const [message] = toMessages([replied({ native: [signed] }, { 0: answer('r') })]);
    expect(message?.toolCalls).toEqual([signed]);
  });

  test('a pinned call goes with the pinned result behind it, and without one it is left out', () => {
    const pinned = said('assistant', 'Let me see.', { toolCalls: [NATIVE, second] });
    const result = said('tool', 'r', { toolCallId: 'call_2' });
    expect(toMessages([pinned, result, said('user', 'x')]).map(({ toolCalls }) => toolCalls)).toEqual([
      [second],
      undefined,
      undefined,
    ]);
    expect(toMessages([pinned, said('user', 'x'), result])[0]).toEqual({
      role: 'assistant',
      content: 'Let me see.',
    });
    expect(toMessages([pinned], true)[0]?.toolCalls).toBeUndefined();
  });

  test('nothing of the conversation itself is handed out to be changed', () => {
    const items = [said('user', 'one'), replied({ native: [NATIVE] }, { 0: answer('r') })];
    const before = structuredClone(items);
    const messages = toMessages(items);
    for (const message of messages) Object.assign(message, { content: 'changed' });
    expect(items).toEqual(before);
  });
});

describe('isAnswered', () => {
  test('is so when every call of the reply has its result, and there is one', () => {
    expect(isAnswered(replied({}))).toBe(false);
    expect(isAnswered(failed)).toBe(false);
    expect(isAnswered(replied({ native: [NATIVE, second] }, { 1: answer('r') }))).toBe(false);
    expect(isAnswered(replied({ native: [NATIVE, second] }, { 0: answer(''), 1: answer('') }))).toBe(true);
  });
});

describe('callsBefore', () => {
  test('counts the calls of the replies since the last question, and the rescued ones among them', () => {
    const items = [
      said('user', 'one'),
      replied({ native: [NATIVE] }),
      said('user', 'two'),
      replied({ native: [NATIVE, second] }),
      failed,
      replied({ rescued: [RESCUED] }),
    ];
    expect(callsBefore(items)).toEqual({ count: 3, rescued: 1 });
    expect(callsBefore(items.slice(0, 3))).toEqual({ count: 0, rescued: 0 });
    expect(callsBefore([])).toEqual({ count: 0, rescued: 0 });
  });

  test('counts from the question of an agent run, over a message that was put in between', () => {
    const step = (number: number): RunItem => ({
      ...replied({ native: [NATIVE] }),
      step: { agentRunId: 'agent', number },
    });
    const items = [
      said('user', 'one'),
      replied({ rescued: [RESCUED] }),
      step(1),
      said('user', 'two'),
      step(2),
    ];
    expect(callsBefore(items, 'agent')).toEqual({ count: 3, rescued: 1 });
    expect(callsBefore([...items, said('user', 'three')], 'other')).toEqual({ count: 0, rescued: 0 });
  });
});

describe('toEntry', () => {
  test('a message is shown up to a bound, with its whole length', () => {
    const entry = toEntry(said('user', 'x'.repeat(50_000)));
    expect(entry).toMatchObject({ kind: 'message', role: 'user', length: 50_000 });
    expect(entry.kind === 'message' && entry.content).toHaveLength(20_000);
  });

  test('thousands of long results and calls are an entry of about a megabyte', () => {
    const calls = Array.from({ length: 2_000 }, (_, index) => ({
      ...second,
      id: `c${index}`,
      arguments: { text: 'x'.repeat(20_000) },
    }));
    const results = Object.fromEntries(calls.map((_, index) => [index, answer('y'.repeat(20_000))]));
    const entry = toEntry(replied({ native: calls }, results));
    expect(JSON.stringify(entry).length).toBeLessThan(2_500_000);
    const shown = entry.kind === 'run' ? entry.results : {};
    expect(shown[0]?.content).toHaveLength(20_000);
    expect(shown[999]).toMatchObject({ length: 20_000, content: 'y'.repeat(200) });
    const pinned = toEntry(said('assistant', '', { toolCalls: calls }));
    expect(JSON.stringify(pinned).length).toBeLessThan(1_200_000);
  });

  test('a result is shown up to a bound, and by the index of its call', () => {
    const item = replied({ native: [NATIVE, second] }, { 1: answer('y'.repeat(30_000)) });
    const entry = toEntry(item);
    expect(entry).toMatchObject({ results: { 1: { length: 30_000, source: 'mock', isError: false } } });
    expect(JSON.stringify(entry).length).toBeLessThan(25_000);
  });

  test('tells which calls a person is asked for, and that a run lies in the store', () => {
    const item = { ...replied({ native: [NATIVE] }), asked: new Set([0]) };
    expect(toEntry(item)).toMatchObject({ asked: [0] });
    expect(toEntry(failed)).not.toHaveProperty('asked');
    expect(toEntry({ ...failed, isStored: true })).toMatchObject({ isStored: true });
    expect(toEntry({ ...item, isStored: true })).not.toHaveProperty('isStored');
  });
});
