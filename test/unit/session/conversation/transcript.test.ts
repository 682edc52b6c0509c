import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../../src/session/run/record/run-record';
import type { Item, RunItem, ToolAnswer } from '../../../../src/session/conversation/transcript';
import {
  callsBefore,
  isAnswered,
  toEntry,
  toMessages,
  withOwnReplay,
} from '../../../../src/session/conversation/transcript';
import type { Message, ProviderToolCall } from '../../../../src/types';
import { makeTurn, NATIVE, RESCUED } from '../../../support/session/turns';

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

describe('withOwnReplay', () => {
  test('withholds replay data of another connection only', () => {
    const replay = { provider: 'p', connection: 'one', data: { a: 1 } };
    const message: Message = { role: 'assistant', content: '', replay };
    expect(withOwnReplay(message, 'one')).toBe(message);
    expect(withOwnReplay(message, 'two')).toEqual({ ...message, replay: { ...replay, isWithheld: true } });
    expect(message.replay).toEqual(replay);
    const unknown: Message = { ...message, replay: { provider: 'p', data: 1 } };
    expect(withOwnReplay(unknown, 'two')).toBe(unknown);
  });
});

describe('toMessages', () => {
  test('returns messages and replies in order', () => {
    expect(toMessages([said('user', 'one'), replied({}), said('user', 'two')])).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'text' },
      { role: 'user', content: 'two' },
    ]);
  });

  test('places a call before its result, with the same id', () => {
    const item = replied({ native: [NATIVE, second] }, { 0: answer('r0'), 1: answer('r1', true) });
    expect(toMessages([item])).toEqual([
      { role: 'assistant', content: 'text', toolCalls: [NATIVE, second] },
      { role: 'tool', toolName: 'get_weather', toolCallId: 'call_1', content: 'r0', isError: false },
      { role: 'tool', toolName: 'get_weather', toolCallId: 'call_2', content: 'r1', isError: true },
    ]);
  });

  test('leaves out a call without a result, and its reply if nothing else is in it', () => {
    const half = replied({ native: [NATIVE, second] }, { 1: answer('r1') });
    expect(toMessages([half])[0]?.toolCalls).toEqual([second]);
    const open = replied({ native: [NATIVE] });
    expect(toMessages([open])).toEqual([{ role: 'assistant', content: 'text' }]);
    if (open.record?.turn) open.record.turn.assistant.content = '';
    expect(toMessages([said('user', 'one'), open])).toEqual([{ role: 'user', content: 'one' }]);
  });

  test('keeps a reply without text that its service paused, and no other one', () => {
    const run = replied({});
    const { turn } = run.record ?? {};
    if (!turn) throw new Error('no turn');
    const replay = { provider: 'messages', data: { content: [] } };
    Object.assign(turn.assistant, { content: '', replay });
    expect(toMessages([run])).toEqual([]);
    turn.raw.finishReason = 'pause_turn';
    expect(toMessages([run])).toEqual([{ role: 'assistant', content: '', replay }]);
  });

  test('keeps the open calls of the last reply for an agent, but not those of earlier replies', () => {
    const [first, last] = [replied({ native: [NATIVE] }), replied({ native: [second] })];
    expect(toMessages([first, last], true).map(({ toolCalls }) => toolCalls)).toEqual([undefined, [second]]);
    expect(toMessages([first, said('user', 'x')], true).map(({ toolCalls }) => toolCalls)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('leaves out a run without a reply', () => {
    expect(toMessages([said('user', 'one'), failed, said('user', 'two')])).toHaveLength(2);
  });

  test('leaves out the position of a rescued call', () => {
    const [message] = toMessages([replied({ rescued: [RESCUED] }, { 0: answer('r') })]);
    expect(message?.toolCalls).toEqual([
      { id: 'call_1', name: 'get_weather', arguments: { city: 'Oslo' }, source: 'rescued' },
    ]);
  });

  test('sends extra content of a call back with it', () => {
    const signed = { ...NATIVE, extraContent: { signature: 'x' } };
    const [message] = toMessages([replied({ native: [signed] }, { 0: answer('r') })]);
    expect(message?.toolCalls).toEqual([signed]);
  });

  test('places a pinned call before its pinned result, and leaves it out without one', () => {
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

  test('keeps as many pinned calls with one id as it has results', () => {
    const pinned = said('assistant', '', { toolCalls: [NATIVE, { ...second, id: NATIVE.id }] });
    const result = said('tool', 'r', { toolCallId: NATIVE.id });
    expect(toMessages([pinned, result])[0]?.toolCalls).toEqual([NATIVE]);
    expect(toMessages([pinned, result, result])[0]?.toolCalls).toHaveLength(2);
  });

  test('returns copies that may be changed', () => {
    const items = [said('user', 'one'), replied({ native: [NATIVE] }, { 0: answer('r') })];
    const before = structuredClone(items);
    const messages = toMessages(items);
    for (const message of messages) Object.assign(message, { content: 'changed' });
    expect(items).toEqual(before);
  });
});

describe('isAnswered', () => {
  test('is true if the reply has calls and each of them has a result', () => {
    expect(isAnswered(replied({}))).toBe(false);
    expect(isAnswered(failed)).toBe(false);
    expect(isAnswered(replied({ native: [NATIVE, second] }, { 1: answer('r') }))).toBe(false);
    expect(isAnswered(replied({ native: [NATIVE, second] }, { 0: answer(''), 1: answer('') }))).toBe(true);
  });
});

describe('callsBefore', () => {
  test('counts calls in replies since the last question, and the rescued ones among them', () => {
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

  test('counts from the question of an agent run, ignoring messages in between', () => {
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
  test('truncates a long message and returns its whole length', () => {
    const entry = toEntry(said('user', 'x'.repeat(50_000)));
    expect(entry).toMatchObject({ kind: 'message', role: 'user', length: 50_000 });
    expect(entry.kind === 'message' && entry.content).toHaveLength(20_000);
  });

  test('limits an entry with thousands of long calls and results to about a megabyte', () => {
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

  test('truncates results, by the index of the call', () => {
    const item = replied({ native: [NATIVE, second] }, { 1: answer('y'.repeat(30_000)) });
    const entry = toEntry(item);
    expect(entry).toMatchObject({ results: { 1: { length: 30_000, source: 'mock', isError: false } } });
    expect(JSON.stringify(entry).length).toBeLessThan(25_000);
  });

  test('contains the calls that the user is asked for, and whether a run is in the store', () => {
    const item = { ...replied({ native: [NATIVE] }), asked: new Set([0]) };
    expect(toEntry(item)).toMatchObject({ asked: [0] });
    expect(toEntry(failed)).not.toHaveProperty('asked');
    expect(toEntry({ ...failed, isStored: true })).toMatchObject({ isStored: true });
    expect(toEntry({ ...item, isStored: true })).not.toHaveProperty('isStored');
  });
});
