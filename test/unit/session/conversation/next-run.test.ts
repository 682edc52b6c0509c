import { describe, expect, test } from 'vitest';
import { firstAnswer, goesOn, toNextRun } from '../../../../src/session/conversation/next-run';
import type { Item, RunItem } from '../../../../src/session/conversation/transcript';
import type { RunRecord } from '../../../../src/session/run/record/run-record';

const message = (id: string, role: 'user' | 'assistant' = 'user'): Item => ({
  kind: 'message',
  id,
  message: { role, content: id },
});
function run(id: string, calls = 0, more: Partial<RunItem> = {}): RunItem {
  const toolCalls = Array.from({ length: calls }, () => ({ id: '', name: 'f', arguments: {} }));
  const record = { runId: id, turn: { toolCalls } } as unknown as RunRecord;
  return { kind: 'run', id, record, results: new Map(), asked: new Set(), ...more };
}
const step = (id: string, number: number): RunItem => run(id, 1, { step: { agentRunId: 'g', number } });
const RESULTS = new Map([[0, { content: '', isError: false, source: 'given' as const }]]);
const next = (items: Item[], isChanged = false) => toNextRun(items, [], isChanged);

describe('toNextRun', () => {
  test('sends what is pending before anything else, unless nothing in it is asked', () => {
    expect(toNextRun([message('m'), run('r')], [{ role: 'user', content: 'x' }], true)).toBe('send');
    expect(toNextRun([message('m')], [{ role: 'assistant', content: 'x' }], true)).toBeUndefined();
  });

  test('requests a reply that is missing: after a question, a failure, and results', () => {
    expect(next([message('m')])).toBe('reply');
    expect(next([message('m'), run('r', 0, { record: {} as RunRecord })])).toBe('reply');
    expect(next([message('m'), run('r', 1, { results: RESULTS })])).toBe('reply');
  });

  test('does nothing after a reply, a pinned message or one that is not loaded, unless something has changed', () => {
    const stored = run('r', 0, { record: undefined, isStored: true });
    for (const items of [[], [message('m'), run('r')], [message('m', 'assistant')], [message('m'), stored]]) {
      expect(next(items)).toBeUndefined();
    }
    expect(next([message('m'), run('r')], true)).toBe('again');
  });

  test('leaves open calls to an agent run', () => {
    expect(next([message('m'), run('r', 1)])).toBe('results');
    expect([goesOn('results', 'agent'), goesOn('results', 'chat')]).toEqual([true, false]);
    expect([goesOn('again', 'chat'), goesOn(undefined, 'agent')]).toEqual([true, false]);
  });
});

describe('firstAnswer', () => {
  test('is the first run after the last question', () => {
    const items = [
      message('m0'),
      run('r0'),
      message('m1'),
      message('pinned', 'assistant'),
      run('r1', 1),
      run('r2'),
    ];
    expect(firstAnswer(items)?.id).toBe('r1');
    expect(firstAnswer([message('m')])).toBeUndefined();
    expect(firstAnswer([run('r')])?.id).toBe('r');
  });

  test('is the first step of an agent run, also if something was said between its steps', () => {
    expect(firstAnswer([message('m'), step('g/1', 1), message('said'), step('g/2', 2)])?.id).toBe('g/1');
    expect(firstAnswer([message('m'), run('r', 1), step('g/1', 1)])?.id).toBe('r');
  });
});
