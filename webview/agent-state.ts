// What a run to the end does to the conversation: each step is a run of its own, the last one carries how it all ended.
// Pure functions, no DOM, no host.
import type {
  AgentEnding,
  AgentOutcome,
  AgentStepView,
  CallAnswer,
  ErrorInfo,
  RunProgress,
} from '../src/protocol';
import { toLimits } from './agent-limits';
import { countOf } from './format';
import type { PlaygroundState, RunEntry } from './state';
import { callsOf, runEntries, withProgress, withRunEntry } from './state';

export function withAgentStarted(state: PlaygroundState, runId: string, now: number): PlaygroundState {
  const agent = { runId, maxSteps: toLimits(state.lane.limits).maxSteps, since: now };
  return withStepBegun({ ...state, agent, selection: undefined }, toStep(runId, 1), now);
}

/** Also begins the step that the progress is about. */
export function withAgentProgress(
  state: PlaygroundState,
  progress: RunProgress,
  now: number,
): PlaygroundState {
  const { agent, entries } = state;
  const [runId, number] = splitStepId(progress.runId);
  if (!agent || agent.runId !== runId) return withProgress(state, progress);
  const isKnown = entries.some((entry) => entry.kind === 'run' && entry.runId === progress.runId);
  return withProgress(isKnown ? state : withStepBegun(state, toStep(runId, number), now), progress);
}

/** A finished step, which may be known already. */
export function withAgentStep(state: PlaygroundState, view: AgentStepView): PlaygroundState {
  return state.agent?.runId === view.agentRunId ? withStep(state, view) : state;
}

/** A run that the conversation no longer holds is ignored. */
export function withAgentEnded(
  state: PlaygroundState,
  agentRunId: string,
  result: AgentOutcome | ErrorInfo,
): PlaygroundState {
  if (state.agent?.runId !== agentRunId) return state;
  const ended = 'ending' in result ? withOutcome(state, result) : withProblem(state, result);
  return {
    ...ended,
    agent: undefined,
    pendingRunId: undefined,
    pendingSince: undefined,
    progress: undefined,
  };
}

/** The steps of the run that this one is part of; none for a run that stood alone. */
export function stepsOf(state: PlaygroundState, entry: RunEntry): RunEntry[] {
  const { agentRunId } = entry.step ?? {};
  if (agentRunId === undefined) return [];
  return runEntries(state).filter(({ step }) => step?.agentRunId === agentRunId);
}

/** The run to the end that is under way, in a few words; undefined when there is none. */
export function describeAgent({ agent, pendingRunId = '' }: PlaygroundState): string | undefined {
  if (!agent) return undefined;
  return `Step ${splitStepId(pendingRunId)[1]} of at most ${agent.maxSteps}`;
}

/** Such as `Answer` and ` after 2 steps`. */
export function describeEnding({ stopReason, steps }: AgentEnding): { word: string; rest: string } {
  const after = ` after ${countOf(steps, 'step')}`;
  const endings = {
    answer: ['Answer', after],
    'max-steps': ['Step limit reached', after],
    budget: ['Budget reached', after],
    stopped: ['Stopped', ` in step ${steps}`],
    error: ['Failed', ` in step ${steps}`],
  } as const;
  const [word, rest] = endings[stopReason];
  return { word, rest };
}

/** How the calls were answered: `2 calls answered by mocks`, `1 call answered with an error`. */
export function describeAnswers({ answered, unmatched }: AgentEnding): string[] {
  const mocked = answered - unmatched;
  return [
    ...(mocked > 0 ? [`${countOf(mocked, 'call')} answered by ${mocked === 1 ? 'a mock' : 'mocks'}`] : []),
    ...(unmatched > 0 ? [`${countOf(unmatched, 'call')} answered with an error`] : []),
  ];
}

interface Step {
  agentRunId: string;
  number: number;
}

const toStep = (agentRunId: string, number: number): Step => ({ agentRunId, number });
const toStepId = ({ agentRunId, number }: Step): string => `${agentRunId}/${number}`;

function splitStepId(stepId: string): [runId: string, number: number] {
  const place = stepId.lastIndexOf('/');
  return [stepId.slice(0, place), Number(stepId.slice(place + 1))];
}

function withStepBegun(state: PlaygroundState, step: Step, now: number): PlaygroundState {
  const runId = toStepId(step);
  const entry: RunEntry = { kind: 'run', runId, step, results: {}, drafts: {} };
  const entries = [...state.entries, entry];
  return { ...state, entries, pendingRunId: runId, pendingSince: now, progress: undefined, now };
}

function withStep(
  state: PlaygroundState,
  { agentRunId, step, outcome, answers }: AgentStepView,
): PlaygroundState {
  if (!outcome) return withOpenAnswers(state, agentRunId, answers);
  const { runId } = outcome;
  const isKnown = state.entries.some((entry) => entry.kind === 'run' && entry.runId === runId);
  const begun = isKnown ? state : withStepBegun(state, toStep(agentRunId, step), state.now);
  const next = withRunEntry(begun, runId, (entry) => withAnswers({ ...entry, outcome }, answers));
  return next.progress?.runId === runId ? { ...next, progress: undefined } : next;
}

/** To the calls of the reply that the run went on from. */
function withOpenAnswers(state: PlaygroundState, agentRunId: string, answers: CallAnswer[]): PlaygroundState {
  const first = runEntries(state).findIndex(({ step }) => step?.agentRunId === agentRunId);
  const before = runEntries(state)[(first < 0 ? runEntries(state).length : first) - 1];
  return before ? withRunEntry(state, before.runId, (entry) => withAnswers(entry, answers)) : state;
}

function withAnswers(entry: RunEntry, answers: readonly CallAnswer[]): RunEntry {
  const calls = callsOf(entry);
  const results = { ...entry.results };
  for (const { callId, content, isError } of answers) {
    const index = calls.findIndex(({ id }) => id === callId);
    if (index >= 0) results[index] = { content, isError, source: isError ? 'unmatched' : 'mock' };
  }
  return { ...entry, results, drafts: {} };
}

function withOutcome(state: PlaygroundState, { agentRunId, steps, ending }: AgentOutcome): PlaygroundState {
  const next = steps.reduce(withStep, state);
  const told = new Set(steps.map(({ outcome }) => outcome?.runId));
  const entries = next.entries.filter(
    (entry) => entry.kind === 'user' || entry.step?.agentRunId !== agentRunId || told.has(entry.runId),
  );
  const last = steps.at(-1)?.outcome?.runId ?? '';
  return withRunEntry({ ...next, entries }, last, (entry) => ({ ...entry, ending }));
}

/** The step that was under way has failed without an outcome; those before it stay. */
function withProblem(state: PlaygroundState, problem: ErrorInfo): PlaygroundState {
  const last = runEntries(state).at(-1);
  const next =
    last?.outcome && last.step
      ? withStepBegun(state, { ...last.step, number: last.step.number + 1 }, state.now)
      : state;
  return withRunEntry(next, next.pendingRunId ?? '', (entry) => ({ ...entry, problem }));
}
