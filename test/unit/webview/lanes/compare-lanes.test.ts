import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../../../src/protocol';
import { compareLanes } from '../../../../webview/lanes/compare-lanes';
import type { Comparison } from '../../../../webview/lanes/compare-lanes';
import type { LaneSample } from '../samples';
import {
  CALL,
  toMessage,
  toOutcome,
  toPanel,
  toReplied,
  toReply,
  toResult,
  toRun,
  toRunState,
} from '../samples';

function compare(lanes: Record<string, LaneSample>): Record<string, Comparison> {
  const { session } = toPanel(lanes);
  return Object.fromEntries(compareLanes([...session.lanes.values()]));
}
function lane(
  reply = toReply('Cold.'),
  change: Partial<RunOutcome> = {},
  question = 'Is it cold?',
): LaneSample {
  return { entries: [toMessage('m', question), toRun('r', toOutcome('r', reply, change))] };
}
const called = toReply('', [CALL]);

describe('compareLanes', () => {
  it('marks the best of each row, unless all are equal', () => {
    const cheap = toReply('x', [], { usage: { promptTokens: 1, completionTokens: 1, costUsd: 0.1 } });
    const dear = toReply('x', [], { usage: { promptTokens: 9, completionTokens: 1, costUsd: 0.2 } });
    const compared = compare({ a: lane(cheap, { durationMs: 900 }), b: lane(dear, { durationMs: 100 }) });
    expect(compared['a']?.best).toEqual(['tokens', 'cost']);
    expect(compared['b']?.best).toEqual(['time']);
  });

  it('marks several equal values if another is worse', () => {
    const compared = compare({ a: lane(), b: lane(), c: lane(undefined, { durationMs: 5000 }) });
    expect(['a', 'b', 'c'].map((id) => compared[id]?.best)).toEqual([['time'], ['time'], []]);
  });

  it('marks no value that looks like the others or differs by chance', () => {
    const paid = (costUsd: number) => toReply('x', [], { usage: { costUsd } });
    const compared = compare({
      a: lane(paid(0.0001201), { durationMs: 2260 }),
      b: lane(paid(0.0001199), { durationMs: 2340 }),
    });
    expect(compared['a']?.best).toEqual([]);
    expect(compared['b']?.best).toEqual([]);
    const quick = compare({ a: lane(undefined, { durationMs: 43 }), b: lane(undefined, { durationMs: 44 }) });
    expect(quick['a']?.best).toEqual([]);
  });

  it('compares the numbers of lanes with equally many replies to the question', () => {
    const given = {
      entries: [
        toMessage('m'),
        toReplied('r1', called, { results: { 0: toResult('4') } }),
        toReplied('r2', toReply('Cold.')),
      ],
    };
    const compared = compare({ a: given, b: lane(called), c: lane(called, { durationMs: 5000 }) });
    expect(['a', 'b', 'c'].map((id) => compared[id]?.best)).toEqual([[], ['time'], []]);
  });

  it('compares only finished runs with the same question', () => {
    expect(compare({ a: lane(), b: lane(undefined, {}, 'How cold?'), c: {} })).toEqual({});
    const running = { ...lane(), run: toRunState('r2') };
    expect(compare({ a: lane(), b: running })).toEqual({});
    expect(compare({ a: lane() })).toEqual({});
  });

  it('says what the differing lane did', () => {
    const compared = compare({ a: lane(called), b: lane(called), c: lane() });
    expect(['a', 'b', 'c'].map((id) => compared[id]?.deviation)).toEqual([
      undefined,
      undefined,
      'answered in prose',
    ]);
  });

  it('says for both of two different lanes what they did', () => {
    const compared = compare({ a: lane(called), b: lane() });
    expect(compared['a']?.deviation).toBe('called get_weather');
    expect(compared['b']?.deviation).toBe('answered in prose');
  });

  it('tells a lane that called no tool from one that had none', () => {
    const none = lane(toReply('<tool_call>'), { verdict: { kind: 'none', detail: 'rescue is off' } });
    const compared = compare({ a: none, b: none, c: lane() });
    expect(['a', 'b', 'c'].map((id) => compared[id]?.deviation)).toEqual([
      undefined,
      undefined,
      'answered in prose',
    ]);
    expect(compare({ a: none, b: lane() })['a']?.deviation).toBe('called no tool');
  });

  it('does not count a failure as fast or as different', () => {
    const failed = { entries: [toMessage('m'), toRun('r', toOutcome('r', undefined, { durationMs: 1 }))] };
    const compared = compare({ a: lane(), b: failed, c: lane() });
    expect(compared['b']).toEqual({ best: [], deviation: undefined });
    expect(compared['a']?.best).toEqual([]);
    expect(compare({ a: lane(called), b: failed })['a']?.deviation).toBeUndefined();
  });

  it('counts all calls of an agent run', () => {
    const step = (number: number) => ({ step: { agentRunId: 'g', number } });
    const steps = {
      entries: [
        toMessage('m'),
        toReplied('g/1', called, step(1)),
        toReplied('g/2', toReply('Cold.'), step(2)),
      ],
    };
    const compared = compare({ a: steps, b: lane(called), c: lane(called) });
    expect(compared['a']?.deviation).toBeUndefined();
  });
});
