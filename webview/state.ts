// The state of the panel and what changes it: pure functions, no DOM, no host.
import type {
  AgentEnding,
  ErrorInfo,
  InspectorTab,
  ModelList,
  PlaygroundSnapshot,
  RunOutcome,
  RunProgress,
} from '../src/protocol';
import type { LimitTexts } from './agent-limits';
import { emptyLimits } from './agent-limits';
import type { EmbeddingState } from './embedding-state';
import { initialEmbedding } from './embedding-state';
import type { SamplingKey, SamplingTexts } from './sampling-fields';
import { emptySamplingTexts } from './sampling-fields';
import { chatModels } from './state-queries';

export {
  callsOf,
  chatModels,
  currentConnection,
  inspectedRun,
  liveReply,
  offeredTools,
  runEntries,
} from './state-queries';

export interface LaneForm {
  connectionId: string;
  model: string;
  sampling: SamplingTexts;
  rescueToolCalls: boolean;
  /** Of a run to the end. */
  limits: LimitTexts;
}

export interface ToolResult {
  content: string;
  isError: boolean;
  /** Absent: given by hand. `unmatched`: an error instead of a mock, and the content says why. */
  source?: 'mock' | 'unmatched' | undefined;
}
/** A result that is being written; it survives the closing of its editor. */
export interface ResultDraft extends ToolResult {
  isOpen: boolean;
}

export interface UserEntry {
  kind: 'user';
  id: string;
  content: string;
}
export interface RunEntry {
  kind: 'run';
  runId: string;
  /** Present when it is one step of a run to the end; 1-based. */
  step?: { agentRunId: string; number: number } | undefined;
  /** On the last step: how the run to the end came out. */
  ending?: AgentEnding | undefined;
  /** Present when the run ended. */
  outcome?: RunOutcome | undefined;
  /** Present when no outcome will come: the request itself failed. */
  problem?: ErrorInfo | undefined;
  /** By the index of the call in `outcome.turn.toolCalls`. */
  results: Record<string, ToolResult>;
  drafts: Record<string, ResultDraft>;
}
export type Entry = UserEntry | RunEntry;

export interface Selection {
  runId: string;
  /** A call of the reply. */
  callIndex?: number | undefined;
  /** A span of its text that is no call of it, by its number. With neither of the two: the reply as a whole. */
  spanNumber?: number | undefined;
}

/** What is kept over a reload. */
export interface PersistedState {
  lane: LaneForm;
  systemPrompt: string;
  /** The message that is being written. */
  draft: string;
  toolNames: string[];
  entries: Entry[];
  /** A sent message that is being changed. */
  edit?: { id: string; text: string } | undefined;
  /** A run to the end that is under way; `pendingRunId` is then that of its step. */
  agent?: { runId: string; maxSteps: number; since: number } | undefined;
  embedding: EmbeddingState;
  /** The id of the view that is shown. */
  view: string;
  pendingRunId?: string | undefined;
  /** Milliseconds since the epoch. */
  pendingSince?: number | undefined;
  selection?: Selection | undefined;
  tab: InspectorTab;
  isSettingsOpen: boolean;
  isPromptOpen: boolean;
  /** In pixels; absent: the style sheet's own. */
  inspectorWidth?: number | undefined;
  inspectorHeight?: number | undefined;
}

export type ModelsState = ModelList &
  ({ status: 'loading' } | { status: 'ready' } | { status: 'failed'; error: ErrorInfo });

/** The reply of the run under way, as far as it came. */
export type LiveReply = NonNullable<RunProgress['reply']>;

export interface PlaygroundState extends PersistedState {
  snapshot?: PlaygroundSnapshot | undefined;
  /** Why the host could not say what there is. */
  snapshotError?: ErrorInfo | undefined;
  /** By connection id. */
  models: Record<string, ModelsState>;
  progress?: RunProgress | undefined;
  /** Milliseconds since the epoch; ticks while a run is under way. */
  now: number;
  /** Said once to screen readers, such as after a copy. */
  notice: string;
}

export function initialState(now: number): PlaygroundState {
  return {
    lane: {
      connectionId: '',
      model: '',
      sampling: emptySamplingTexts(),
      rescueToolCalls: true,
      limits: emptyLimits(),
    },
    embedding: initialEmbedding(),
    view: 'chat',
    systemPrompt: '',
    draft: '',
    toolNames: [],
    entries: [],
    tab: 'reply',
    isSettingsOpen: false,
    isPromptOpen: false,
    models: {},
    now,
    notice: '',
  };
}

/** The first snapshot of a first opening also fills the form. */
export function withSnapshot(state: PlaygroundState, snapshot: PlaygroundSnapshot): PlaygroundState {
  const next = { ...state, snapshot, snapshotError: undefined };
  if (state.lane.connectionId !== '') return next;
  const { connectionId, model, message, toolNames } = snapshot.defaults;
  return {
    ...next,
    lane: { ...state.lane, connectionId, model },
    draft: state.draft || message,
    toolNames: [...toolNames],
  };
}

export function withLane(state: PlaygroundState, change: Partial<LaneForm>): PlaygroundState {
  return { ...state, lane: { ...state.lane, ...change } };
}

export function withSampling(state: PlaygroundState, key: SamplingKey, text: string): PlaygroundState {
  return withLane(state, { sampling: { ...state.lane.sampling, [key]: text } });
}

/** The model is the connection's own, since another server has other models. */
export function withConnection(state: PlaygroundState, connectionId: string): PlaygroundState {
  if (state.lane.connectionId === connectionId) return state;
  const defaults = state.snapshot?.defaults;
  const preset = defaults?.connectionId === connectionId ? defaults.model : '';
  const configured = state.snapshot?.connections.find(({ id }) => id === connectionId)?.model;
  const [listed = ''] = chatModels(state, connectionId);
  return withLane(state, { connectionId, model: configured ?? (preset || listed) });
}

/** The first of the list becomes the model of a lane that has none. */
export function withModels(state: PlaygroundState, connectionId: string, list: ModelList): PlaygroundState {
  const next = {
    ...state,
    models: { ...state.models, [connectionId]: { status: 'ready' as const, ...list } },
  };
  const [first] = chatModels(next, connectionId);
  const isWanted = state.lane.connectionId === connectionId && state.lane.model === '' && first !== undefined;
  return isWanted ? withLane(next, { model: first }) : next;
}

export function withTool(state: PlaygroundState, name: string, isOffered: boolean): PlaygroundState {
  const others = state.toolNames.filter((other) => other !== name);
  return { ...state, toolNames: isOffered ? [...others, name] : others };
}

/** What follows the conversation so far is the run; whatever was selected gives way to it. */
export function withRunStarted(state: PlaygroundState, runId: string, now: number): PlaygroundState {
  const entry: RunEntry = { kind: 'run', runId, results: {}, drafts: {} };
  return {
    ...state,
    entries: [...state.entries, entry],
    pendingRunId: runId,
    pendingSince: now,
    progress: undefined,
    selection: undefined,
    now,
  };
}

/** A run that the conversation no longer holds is ignored. */
export function withRunEnded(
  state: PlaygroundState,
  runId: string,
  ending: { outcome: RunOutcome } | { problem: ErrorInfo },
): PlaygroundState {
  const next = withRunEntry(state, runId, (entry) => ({ ...entry, ...ending }));
  if (state.pendingRunId !== runId) return next;
  return { ...next, pendingRunId: undefined, pendingSince: undefined, progress: undefined };
}

export function withProgress(state: PlaygroundState, progress: RunProgress): PlaygroundState {
  return progress.runId === state.pendingRunId ? { ...state, progress } : state;
}

export function withRunEntry(
  state: PlaygroundState,
  runId: string,
  change: (entry: RunEntry) => RunEntry,
): PlaygroundState {
  const entries = state.entries.map((entry) =>
    entry.kind === 'run' && entry.runId === runId ? change(entry) : entry,
  );
  return { ...state, entries };
}

export function withResult(entry: RunEntry, callIndex: number, result: ToolResult): RunEntry {
  const { [callIndex]: _written, ...drafts } = entry.drafts;
  return { ...entry, drafts, results: { ...entry.results, [callIndex]: result } };
}
