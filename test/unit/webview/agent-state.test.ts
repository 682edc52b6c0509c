import { describe, expect, it } from 'vitest';
import type { AgentEnding, AgentStepView } from '../../../src/protocol';
import {
  describeAgent,
  describeAnswers,
  describeEnding,
  stepsOf,
  withAgentEnded,
  withAgentProgress,
  withAgentStarted,
  withAgentStep,
} from '../../../webview/agent-state';
import type { Entry, PlaygroundState } from '../../../webview/state';
import { runEntries } from '../../../webview/state';
import { CALL, readyState, toOutcome, toRun, toTurn } from './samples';

const ENDING: AgentEnding = {
  stopReason: 'answer',
  steps: 2,
  answered: 2,
  unmatched: 0,
  usage: { promptTokens: 10, completionTokens: 2 },
  durationMs: 1200,
};
const ANSWER = { callId: CALL.id, content: '{"temp_c":-2}', isError: false };
const user: Entry = { kind: 'user', id: 'u1', content: 'Weather?' };

/** A conversation whose last reply has an open call, with a run to the end under way. */
const started = (): PlaygroundState => {
  const entries = [user, toRun('r1', toOutcome('r1', toTurn('', [CALL])))];
  return withAgentStarted(readyState({ entries }), 'agent', 5);
};
const stepOf = (step: number, change: Partial<AgentStepView> = {}): AgentStepView => ({
  agentRunId: 'agent',
  step,
  answers: [],
  ...change,
});
const first = stepOf(1, { outcome: toOutcome('agent/1', toTurn('', [CALL])), answers: [ANSWER] });
const second = stepOf(2, { outcome: toOutcome('agent/2', toTurn('Cold.', [])) });
const progressOf = (runId: string) => ({
  runId,
  phase: 'reading' as const,
  attempt: 1,
  maxAttempts: 3,
  since: 9,
  ledger: [],
});

describe('a run to the end', () => {
  it('begins with a step of its own, which is the run under way', () => {
    const state = started();
    expect(state).toMatchObject({ agent: { runId: 'agent', maxSteps: 10 }, pendingRunId: 'agent/1' });
    expect(state.entries.at(-1)).toMatchObject({
      runId: 'agent/1',
      step: { agentRunId: 'agent', number: 1 },
    });
    expect(describeAgent(state)).toBe('Step 1 of at most 10');
  });

  it('answers the calls that were open, and says that mocks did', () => {
    const state = withAgentStep(started(), stepOf(0, { answers: [ANSWER] }));
    expect(runEntries(state)[0]).toMatchObject({
      runId: 'r1',
      results: { 0: { content: '{"temp_c":-2}', isError: false, source: 'mock' } },
    });
  });

  it('shows each step with its answers, and the next one when something is heard of it', () => {
    let state = withAgentStep(started(), first);
    expect(runEntries(state).at(-1)).toMatchObject({
      outcome: { runId: 'agent/1' },
      results: { 0: { source: 'mock' } },
    });
    state = withAgentProgress(state, progressOf('agent/2'), 9);
    expect(state).toMatchObject({ pendingRunId: 'agent/2', pendingSince: 9, progress: { runId: 'agent/2' } });
    expect(describeAgent(state)).toBe('Step 2 of at most 10');
    expect(withAgentProgress(state, progressOf('agent/2'), 12).entries).toBe(state.entries);
  });

  it('marks an answer that is no mock', () => {
    const answers = [{ ...ANSWER, content: 'There is no tool named x.', isError: true }];
    const state = withAgentStep(started(), { ...first, answers });
    expect(runEntries(state).at(-1)?.results[0]).toMatchObject({ source: 'unmatched', isError: true });
  });

  it('ends with all its steps, the last one carrying how it came out', () => {
    const heard = withAgentProgress(withAgentStep(started(), first), progressOf('agent/2'), 9);
    for (const state of [heard, started()]) {
      const ended = withAgentEnded(state, 'agent', {
        agentRunId: 'agent',
        steps: [stepOf(0, { answers: [ANSWER] }), first, second],
        ending: ENDING,
      });
      expect(ended.entries.map((entry) => (entry.kind === 'run' ? entry.runId : entry.id))).toEqual([
        'u1',
        'r1',
        'agent/1',
        'agent/2',
      ]);
      expect(ended.entries.at(-1)).toMatchObject({ ending: { stopReason: 'answer' } });
      expect(ended).not.toMatchObject({ agent: expect.anything() });
      expect(ended.pendingRunId).toBeUndefined();
      expect(runEntries(ended)[0]?.results[0]).toMatchObject({ source: 'mock' });
      expect(stepsOf(ended, runEntries(ended)[1] ?? toRun('x'))).toHaveLength(2);
    }
  });

  it('keeps the steps so far when no outcome will come', () => {
    const problem = { code: 'lost', title: 'The answer is lost', what: '', why: '', next: '' };
    const ended = withAgentEnded(withAgentStep(started(), first), 'agent', problem);
    expect(runEntries(ended)).toMatchObject([
      { runId: 'r1' },
      { outcome: {} },
      { runId: 'agent/2', problem },
    ]);
    expect(ended.pendingRunId).toBeUndefined();
  });

  it('that was cleared away is ignored, whatever still arrives of it', () => {
    const cleared = { ...started(), agent: undefined, pendingRunId: undefined, entries: [] };
    expect(withAgentStep(cleared, first)).toBe(cleared);
    expect(withAgentProgress(cleared, progressOf('agent/2'), 1)).toBe(cleared);
    expect(withAgentEnded(cleared, 'agent', { agentRunId: 'agent', steps: [first], ending: ENDING })).toBe(
      cleared,
    );
  });
});

describe('describeEnding', () => {
  it.each([
    ['answer', 'Answer after 2 steps'],
    ['max-steps', 'Step limit reached after 2 steps'],
    ['budget', 'Budget reached after 2 steps'],
    ['stopped', 'Stopped in step 2'],
    ['error', 'Failed in step 2'],
  ] as const)('%s', (stopReason, words) => {
    const { word, rest } = describeEnding({ ...ENDING, stopReason });
    expect(`${word}${rest}`).toBe(words);
  });
});

describe('describeAnswers', () => {
  it('never hides a call that was answered with an error, and says no more than that', () => {
    expect(describeAnswers({ ...ENDING, answered: 3, unmatched: 1 })).toEqual([
      '2 calls answered by mocks',
      '1 call answered with an error',
    ]);
    expect(describeAnswers({ ...ENDING, answered: 0 })).toEqual([]);
  });
});
