import { describe, expect, it } from 'vitest';
import type { RunOutcome, SentSettings } from '../../../../src/protocol';
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
  toSent,
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
const NO_PRINTS = { system: '', tools: '', messages: '', options: '' };
const sentWith = (prints: Partial<SentSettings['prints']>): Pick<LaneSample, 'sent'> => ({
  sent: { settings: toSent({ prints: { ...NO_PRINTS, ...prints } }), changed: [] },
});

describe('compareLanes', () => {
  it('marks the best of each row, unless all are equal', () => {
    const cheap = toReply('x', [], { usage: { promptTokens: 1, completionTokens: 1, costUsd: 0.1 } });
    const dear = toReply('x', [], { usage: { promptTokens: 9, completionTokens: 1, costUsd: 0.2 } });
    const compared = compare({ a: lane(cheap, { durationMs: 900 }), b: lane(dear, { durationMs: 100 }) });
    expect(compared['a']?.best).toEqual(['tokens', 'cost']);
    expect(compared['b']?.best).toEqual(['time']);
  });

  it('marks no value that is within 10 % of another one, or looks like it', () => {
    const paid = (costUsd: number) => toReply('x', [], { usage: { costUsd } });
    const best = (one: LaneSample, other: LaneSample) => compare({ a: one, b: other })['a']?.best;
    const cost = (costUsd: number) => lane(paid(costUsd), { durationMs: 2260 });
    expect(best(cost(0.0001199), lane(paid(0.0001201), { durationMs: 2500 }))).toEqual([]);
    expect(best(cost(0.0001), lane(paid(0.0001201), { durationMs: 2520 }))).toEqual(['time', 'cost']);
    expect(best(lane(undefined, { durationMs: 13 }), lane(undefined, { durationMs: 44 }))).toEqual([]);
  });

  it('marks only what is better than all others, and known of all', () => {
    const compared = compare({ a: lane(), b: lane(), c: lane(undefined, { durationMs: 5000 }) });
    expect(['a', 'b', 'c'].map((id) => compared[id]?.best)).toEqual([[], [], []]);
    const unpaid = lane(toReply('x', [], { usage: {} }));
    const paid = (costUsd: number) => lane(toReply('x', [], { usage: { costUsd } }));
    expect(compare({ a: paid(1), b: paid(9), c: unpaid })['a']?.best).toEqual([]);
  });

  it('lets the outcome decide first: prose does not compete with a call, nor a faulty call with a good one', () => {
    const quick = { durationMs: 100 };
    const prose = lane(toReply('I would look it up.'), quick);
    const slow = lane(called, { durationMs: 2400 });
    const compared = compare({ a: lane(called), b: slow, c: prose });
    expect(['a', 'b', 'c'].map((id) => compared[id]?.best)).toEqual([['time'], [], []]);
    const schemaIssues = { 0: [{ path: '/city', message: 'is missing' }] };
    const faulty = lane(toReply('', [CALL], { schemaIssues }), quick);
    expect(compare({ a: lane(called), b: faulty })['b']?.best).toEqual([]);
  });

  it('marks nothing where the best outcomes are not alike', () => {
    const other = toReply('', [{ ...CALL, name: 'get_time' }]);
    expect(compare({ a: lane(called, { durationMs: 100 }), b: lane(other) })['a']?.best).toEqual([]);
    const given = {
      entries: [
        toMessage('m'),
        toReplied('r1', called, { results: { 0: toResult('4') } }),
        toReplied('r2', toReply('Cold.')),
      ],
    };
    const compared = compare({ a: given, b: lane(called), c: lane(called, { durationMs: 5000 }) });
    expect(['a', 'b', 'c'].map((id) => compared[id]?.best)).toEqual([[], [], []]);
    const forced = { ...lane(called), ...sentWith({ options: 'tool choice' }) };
    expect(compare({ a: lane(called, { durationMs: 100 }), b: forced })['a']).toEqual({
      best: [],
      deviation: undefined,
      unlike: undefined,
    });
  });

  it('does not compare lanes that were sent another prompt or other tools, and says with which ones', () => {
    const fast = lane(called, { durationMs: 100 });
    const compared = compare({
      a: { ...fast, ...sentWith({ system: 'new' }) },
      b: lane(called),
      c: lane(toReply('Cold.')),
    });
    expect(compared['a']).toEqual({
      best: [],
      deviation: undefined,
      unlike: { laneIds: ['b', 'c'], parts: ['system'] },
    });
    expect(compared['b']).toMatchObject({
      deviation: 'called get_weather',
      unlike: { laneIds: ['a'], parts: ['system'] },
    });
  });

  it('compares no lane of which it is not known what it was sent with', () => {
    const unknown = { ...lane(undefined, { durationMs: 100 }), sent: { changed: [] } };
    expect(compare({ a: unknown, b: lane() })).toEqual({});
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
    expect(compared['b']).toEqual({ best: [], deviation: undefined, unlike: undefined });
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
