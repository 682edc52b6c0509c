import { describe, expect, it } from 'vitest';
import { figuresOf } from '../../../../webview/lanes/figures';
import {
  ATTEMPT,
  CALL,
  laneIn,
  toMessage,
  toOutcome,
  toPanel,
  toReplied,
  toReply,
  toResult,
  toRun,
} from '../samples';
import type { LaneSample } from '../samples';

const of = (...entries: NonNullable<LaneSample['entries']>) => figuresOf(laneIn(toPanel({ a: { entries } })));

const RATES = { completionPerSecond: 40, source: 'measured' } as const;

describe('figuresOf', () => {
  it('is undefined before a run has ended', () => {
    expect(of(toMessage('m'), toRun('r'))).toBeUndefined();
  });

  it('adds up usage, with the speed that the inspector shows', () => {
    const outcome = toOutcome('r', toReply('Cold.'), { firstTokenMs: 110, rates: RATES });
    expect(of(toRun('r', outcome))).toMatchObject({
      tokens: 212,
      durationMs: 910,
      attempts: 1,
      firstTokenMs: 110,
    });
    expect(of(toRun('r', outcome))?.tokensPerSecond).toBe(40);
  });

  it('leaves out unknown counts, speed and cost', () => {
    const reply = toReply('Cold.', [], { usage: {} });
    const figures = of(toRun('r', toOutcome('r', reply)));
    expect(figures).toMatchObject({ tokens: undefined, costUsd: undefined, tokensPerSecond: undefined });
    const unmeasured = toOutcome('r', toReply('Cold.'), { firstTokenMs: 110 });
    expect(of(toRun('r', unmeasured))?.tokensPerSecond).toBeUndefined();
  });

  it('covers a whole agent run, including the attempts of all steps', () => {
    const step = (number: number) => ({ step: { agentRunId: 'g', number } });
    const ending = {
      stopReason: 'answer' as const,
      steps: 2,
      answered: 1,
      errors: 0,
      rescued: 0,
      usage: { promptTokens: 400, completionTokens: 88 },
      costUsd: 0.5,
      durationMs: 2700,
    };
    const twice = { ledger: [ATTEMPT, { ...ATTEMPT, attempt: 2 }] };
    const first = toRun('g/1', toOutcome('g/1', toReply(''), twice), step(1));
    const last = toRun('g/2', toOutcome('g/2', toReply('Cold.')), { ...step(2), ending });
    expect(of(toRun('old', toOutcome('old', toReply('x'))), first, last)).toMatchObject({
      tokens: 488,
      durationMs: 2700,
      attempts: 3,
      costUsd: 0.5,
    });
  });

  it('covers exactly the chats since the question whose calls were given results', () => {
    const given = { results: { 0: toResult('4', { source: 'given' }) } };
    const cost = (usage: object) => toReply('', [CALL], { usage: { promptTokens: 100, ...usage } });
    const entries = [
      toMessage('m1'),
      toReplied('r1', toReply('', [CALL]), given),
      toMessage('m2'),
      toReplied('r2', cost({ costUsd: 0.25 }), given),
      toRun('r3', toOutcome('r3', undefined)),
      toReplied('r4', cost({ costUsd: 0.5 }), given),
    ];
    const last = toOutcome('r5', toReply('Cold.'), { firstTokenMs: 110, rates: RATES });
    expect(of(...entries, toRun('r5', last))).toMatchObject({
      usage: { promptTokens: 380, completionTokens: 32 },
      tokens: 412,
      durationMs: 2730,
      attempts: 3,
      costUsd: 0.75,
      firstTokenMs: 110,
      tokensPerSecond: 40,
    });
  });

  it('adds up the steps of an interrupted agent run, whose totals were never recorded', () => {
    const ending = { stopReason: 'interrupted' as const, steps: 1, answered: 0, errors: 0, rescued: 0 };
    const step = { step: { agentRunId: 'g', number: 1 }, ending: { ...ending, usage: {}, durationMs: 0 } };
    const run = toRun('g/1', toOutcome('g/1', toReply('')), step);
    expect(of(run)).toMatchObject({ tokens: 212, durationMs: 910 });
  });

  it('has no numbers for an interrupted run', () => {
    const gone = { verdict: { kind: 'interrupted' as const, detail: '' }, ledger: [], durationMs: 0 };
    expect(of(toRun('r1', toOutcome('r1', undefined, gone)))).toBeUndefined();
  });
});
