import { describe, expect, it } from 'vitest';
import type { AgentEnding, RunProgress, RunState, Verdict } from '../../../../src/protocol';
import { toBand } from '../../../../webview/lanes/band';
import type { LaneSample } from '../samples';
import {
  CALL,
  laneIn,
  toLiveReply,
  toMessage,
  toOutcome,
  toPanel,
  toProgress,
  toReplied,
  toReply,
  toRun,
  toRunState,
} from '../samples';

const band = (lane: LaneSample, now = 1500) => toBand(laneIn(toPanel({ a: lane })), now);
const words = (lane: LaneSample, now?: number): string => {
  const { word = '', rest = '' } = band(lane, now) ?? {};
  return `${word}${rest}`;
};
const running = (progress: Partial<RunProgress>, run: Partial<RunState> = {}): LaneSample => ({
  entries: [toMessage('m'), toRun('r1')],
  run: toRunState('r1', run),
  progress: toProgress('r1', progress),
});
const verdict = (kind: Verdict['kind'], detail = ''): LaneSample => ({
  entries: [toRun('r1', toOutcome('r1', toReply('x'), { verdict: { kind, detail } }))],
});
const ENDING: AgentEnding = {
  stopReason: 'answer',
  steps: 2,
  answered: 1,
  errors: 0,
  rescued: 0,
  usage: {},
  durationMs: 1,
};
const ended = (change: Partial<AgentEnding>, outcome = toOutcome('r1', toReply('x'))): LaneSample => ({
  entries: [toRun('r1', outcome, { ending: { ...ENDING, ...change } })],
});

describe('toBand', () => {
  it('is undefined before the first run', () => {
    expect(band({})).toBeUndefined();
  });

  it.each([
    ['native', '1 call', 'Native · 1 call'],
    ['rescued', '1 call, hermes-json', 'Rescued · 1 call, hermes-json'],
    ['malformed', 'cut inside `city`', 'Malformed · cut inside `city`'],
    ['none', 'answered in prose', 'None · answered in prose'],
    ['answer', '', 'Answer'],
    ['failed', '503 after 3 attempts', 'Failed · 503 after 3 attempts'],
    ['stopped', 'by you', 'Stopped · by you'],
    ['interrupted', '', 'Interrupted'],
  ] as const)('shows %s with the detail %j', (kind, detail, said) => {
    expect(words(verdict(kind, detail))).toBe(said);
    expect(band(verdict(kind, detail))?.kind).toBe(kind);
  });

  it('opens the attempts of a failure, and the text of a rescue', () => {
    expect(band(verdict('failed'))?.tab).toBe('attempts');
    expect(band(verdict('rescued'))?.tab).toBe('rescue');
    expect(band(verdict('malformed'))?.tab).toBe('tool-calls');
    expect(band(verdict('native'))?.tab).toBe('reply');
  });

  it('shows the outcome of an agent run', () => {
    expect(words(ended({}))).toBe('Answer · after 1 call');
    expect(words(ended({ rescued: 1 }))).toBe('Answer · after 1 call, rescued');
    expect(words(ended({ answered: 3, rescued: 1 }))).toBe('Answer · after 3 calls, 1 rescued');
    expect(words(ended({ answered: 0 }))).toBe('Answer');
    expect(words(ended({ stopReason: 'max-steps', steps: 10 }))).toBe('Step limit reached · after 10 steps');
    expect(words(ended({ stopReason: 'budget' }))).toBe('Budget reached · after 2 steps');
    expect(words(ended({ stopReason: 'interrupted' }))).toBe('Interrupted · in step 2');
  });

  it('shows the error of the last step of a failed agent run', () => {
    const failed = toOutcome('r1', undefined, {
      verdict: { kind: 'failed', detail: '503 after 3 attempts' },
    });
    expect(words(ended({ stopReason: 'error' }, failed))).toBe('Failed · 503 after 3 attempts');
  });

  it('counts down a long wait, hidden from screen readers', () => {
    const wait = (delayMs: number) =>
      band(running({ phase: 'waiting-to-retry', attempt: 2, since: 1000, delayMs }));
    expect(wait(12_000)).toMatchObject({
      word: 'Waiting 12 s',
      rest: ' before attempt 2 of 3',
      clock: '0:12 left',
    });
    expect(wait(1500)?.clock).toBeUndefined();
  });

  it('shows what a run waits for', () => {
    expect(words({ entries: [toRun('r1')], run: toRunState('r1') })).toBe('Sending');
    expect(words(running({ phase: 'waiting-for-headers' }))).toBe('Waiting for headers');
    expect(words(running({}))).toBe('Reading');
    expect(words(running({ reply: toLiveReply({ content: '<tool_call>' }) }))).toBe(
      'Reading · a call is being written',
    );
    const queued = (limit: number, ahead: number) =>
      words({ entries: [toRun('r1')], run: toRunState('r1', { phase: 'queued', queue: { limit, ahead } }) });
    expect(queued(4, 0)).toBe('Waiting for its turn · 4 of 4 requests under way to this server');
    expect(queued(1, 2)).toBe('Waiting for its turn · 1 of 1 request under way to this server, 2 ahead');
  });

  it('shows what an agent run does between its requests', () => {
    const between = (run: Partial<RunState>, asked?: number[]): LaneSample => ({
      entries: [toReplied('r1', toReply('', [CALL, { ...CALL, name: 'search' }]), { asked })],
      run: toRunState('r1', { kind: 'agent', ...run }),
    });
    expect(words(between({ phase: 'answering' }))).toBe('Answering · get_weather, search');
    expect(words(between({ phase: 'answering' }, [1]))).toBe('Waiting for a result of search');
    expect(words(between({ phase: 'paused', step: 2 }))).toBe('Paused · after step 2');
  });
});
