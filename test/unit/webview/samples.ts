// Snapshots, entries and states for the tests of the panel, each complete and JSON-safe.
import type {
  ConnectionView,
  DocumentLane,
  DocumentSnapshot,
  EnvironmentSnapshot,
  EvaluationSnapshot,
  LaneEntry,
  LaneSnapshot,
  LaneStanding,
  LiveReplyView,
  MessageEntry,
  PlaygroundDocument,
  ReplyView,
  RunEntry,
  RunOutcome,
  RunProgress,
  RunState,
  SentSettings,
  SessionSnapshot,
  ToolResultView,
  ToolView,
} from '../../../src/protocol';
import type {
  AttemptRecord,
  ProviderToolCall,
  RescuedCall,
  RescueRejection,
  RescueReport,
} from '../../../src/types';
import type { PanelState } from '../../../webview/state/panel-state';
import { firstPlace } from '../../../webview/state/evaluate-place';
import { initialPanel } from '../../../webview/state/panel-state';
import type { LaneState } from '../../../webview/state/session-state';
import { applyProgress, applySnapshot, emptySession, laneOf } from '../../../webview/state/session-state';
import type { ViewState } from '../../../webview/state/view-state';
import { initialView } from '../../../webview/state/view-state';

export const HOSTILE = '<img src=x onerror="globalThis.stolen = 1"><b>bold</b>';

/** A right-to-left override and a zero width space. */
export const HIDDEN = 'ab\u202ecd\u200bef';

export const CONNECTION: ConnectionView = {
  id: 'demo',
  label: 'Demo',
  provider: 'local-host',
  address: 'built in',
  scope: 'built-in',
  model: 'first-look',
  needsKey: false,
  hasKey: false,
  samplingKeys: {
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    seed: 'seed',
    maxTokens: 'num_predict',
    numCtx: 'num_ctx',
    stop: 'stop',
    repeatPenalty: 'repeat_penalty',
  },
  limits: { connectTimeoutMs: 10_000, maxAttempts: 3 },
  toolChoiceKey: null,
  hasRates: false,
};

export const HOSTED: ConnectionView = {
  ...CONNECTION,
  id: 'hosted',
  label: 'Hosted',
  address: 'api.example.com',
  scope: 'user',
  model: undefined,
  needsKey: true,
  hasKey: true,
  samplingKeys: { ...CONNECTION.samplingKeys, topK: null },
  limits: { timeoutMs: 60_000, connectTimeoutMs: 10_000, maxAttempts: 1 },
  toolChoiceKey: 'tool_choice',
  hasRates: true,
};

export const ENVIRONMENT: EnvironmentSnapshot = {
  version: 1,
  connections: [CONNECTION, HOSTED],
  requestsLeaveFrom: 'this computer',
};

export const TOOL: ToolView = {
  index: 0,
  id: '0',
  parameterIds: [],
  mockIds: ['0'],
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: {},
  isOffered: true,
  mocks: [{ result: '{"temp_c":-2}' }],
  problems: [],
};

export const toLane = (id: string, change: Partial<DocumentLane> = {}): DocumentLane => ({
  id,
  connection: 'demo',
  sampling: {},
  rescueToolCalls: true,
  limits: {},
  ...change,
});

export function toDocument(
  lanes: DocumentLane[],
  change: Partial<DocumentSnapshot> = {},
  document: Partial<PlaygroundDocument> = {},
): DocumentSnapshot {
  return {
    version: 1,
    kind: 'scratch',
    title: 'Playground',
    document: {
      version: 1,
      system: '',
      messages: [],
      tools: [],
      lanes,
      embedding: {},
      evaluate: { mode: 'chat', repeat: 1, varySeed: false, pass: { case: 1 } },
      expect: [],
      ...document,
    },
    draft: '',
    tools: [TOOL],
    warnings: [],
    secrets: [],
    ...change,
  };
}

export const ATTEMPT: AttemptRecord = {
  attempt: 1,
  startedAt: 1_000_000,
  headersMs: 340,
  endMs: 910,
  status: 200,
  endedBy: 'server',
  decision: 'done',
  reason: '200, ended by the server.',
};

export const CALL: ProviderToolCall = {
  id: 'call_1',
  name: 'get_weather',
  arguments: { city: 'Oslo' },
  source: 'native',
};

/** A call of `get_weather` that was rescued from this part of the text. */
export function rescuedCallAt(start: number, end: number, change: Partial<RescuedCall> = {}): RescuedCall {
  return {
    id: `call_at_${start}`,
    name: 'get_weather',
    arguments: { city: 'Oslo' },
    source: 'rescued',
    format: 'hermes-json',
    evidence: 'marker',
    rawName: 'get_weather',
    start,
    end,
    repairs: [],
    ...change,
  };
}

/** A rejected call of an unknown tool in this part of the text. */
export function rejectionAt(
  start: number,
  end: number,
  change: Partial<RescueRejection> = {},
): RescueRejection {
  return {
    format: 'hermes-json',
    start,
    end,
    reason: 'unknown-tool',
    detail: '`search_flight` was not offered.',
    name: 'search_flight',
    ...change,
  };
}

export function toReply(
  content: string,
  toolCalls: ProviderToolCall[] = [],
  change: Partial<ReplyView> & { rescue?: RescueReport | undefined } = {},
): ReplyView {
  return {
    raw: {
      content,
      toolCalls: toolCalls.filter(({ source }) => source === 'native'),
      usage: {},
      attempts: 1,
      finishReason: 'stop',
    },
    toolCalls,
    usage: { promptTokens: 180, completionTokens: 32 },
    parseErrors: {},
    schemaIssues: {},
    ...change,
  };
}

/** Without a reply, the outcome of a failed run. */
export function toOutcome(
  runId: string,
  reply: ReplyView | undefined,
  change: Partial<RunOutcome> = {},
): RunOutcome {
  const failed: Partial<RunOutcome> = {
    verdict: { kind: 'failed', detail: 'connection refused' },
    error: {
      code: 'network',
      title: 'No connection to Demo',
      what: '`POST /api/chat` was refused.',
      why: 'Nothing listens.',
      next: 'Start the server.',
    },
  };
  const hasCalls = reply !== undefined && reply.toolCalls.length > 0;
  return {
    runId,
    connectionId: 'demo',
    connectionLabel: 'Demo',
    model: 'first-look',
    startedAt: 1_000_000,
    durationMs: 910,
    verdict: hasCalls ? { kind: 'native', detail: '1 call' } : { kind: 'answer', detail: '' },
    reply,
    ledger: [ATTEMPT],
    findings: [],
    cut: [],
    ...(reply ? {} : failed),
    ...change,
  };
}

/** A run, which has ended if an outcome is given. */
export function toRun(id: string, outcome?: RunOutcome, change: Partial<RunEntry> = {}): RunEntry {
  return { kind: 'run', id, outcome, results: {}, ...change };
}

export const toReplied = (id: string, reply: ReplyView, change: Partial<RunEntry> = {}): RunEntry =>
  toRun(id, toOutcome(id, reply), change);

export const toMessage = (
  id: string,
  content = 'Is it cold?',
  change: Partial<MessageEntry> = {},
): MessageEntry => ({
  kind: 'message',
  id,
  role: 'user',
  content,
  length: content.length,
  ...change,
});

export const toResult = (content: string, change: Partial<ToolResultView> = {}): ToolResultView => ({
  content,
  length: content.length,
  isError: false,
  source: 'mock',
  ...change,
});

export const toRunState = (runId: string, change: Partial<RunState> = {}): RunState => ({
  runId,
  kind: 'chat',
  phase: 'running',
  since: 0,
  begunAt: 0,
  ...change,
});

export function toLiveReply(fields: Partial<LiveReplyView>): LiveReplyView {
  return {
    content: '',
    reasoning: '',
    toolCalls: [],
    omitted: { content: 0, reasoning: 0, toolCalls: 0 },
    ...fields,
  };
}

export const toProgress = (runId: string, change: Partial<RunProgress> = {}): RunProgress => ({
  runId,
  phase: 'reading',
  attempt: 1,
  maxAttempts: 3,
  since: 0,
  ledger: [],
  ...change,
});

/** What a reply was sent with, without any setting. */
export const toSent = (change: Partial<SentSettings> = {}): SentSettings => ({
  sampling: {},
  rescueToolCalls: true,
  rawKeys: 0,
  prints: { system: '', tools: '', messages: '', options: '' },
  ...change,
});

export interface LaneSample extends LaneStanding {
  entries?: LaneEntry[];
  run?: RunState | null;
  progress?: RunProgress;
  settings?: Partial<DocumentLane>;
}

/** A lane with a run was sent what it would be sent now, unless the sample says something else. */
export const toLaneSnapshot = (
  id: string,
  { entries = [], run = null, next, blocker, ...sample }: LaneSample,
): LaneSnapshot => {
  const hasRun = entries.some(({ kind }) => kind === 'run');
  const { sent = hasRun ? { settings: toSent(), changed: [] } : undefined } = sample;
  return { id, version: 1, order: entries.map((entry) => entry.id), entries, run, sent, next, blocker };
};

/** A snapshot of a session with these lanes. */
export function toSnapshot(
  lanes: Record<string, LaneSample>,
  change: Partial<DocumentSnapshot> = {},
  document: Partial<PlaygroundDocument> = {},
): SessionSnapshot {
  const all = Object.entries(lanes);
  return {
    document: toDocument(
      all.map(([id, { settings }]) => toLane(id, settings)),
      change,
      document,
    ),
    environment: ENVIRONMENT,
    laneIds: all.map(([id]) => id),
    lanes: all.map(([id, lane]) => toLaneSnapshot(id, lane)),
    embedding: { version: 1, labels: [] },
  };
}

/** The state of a panel with these lanes. */
export function toPanel(
  lanes: Record<string, LaneSample> = { a: {} },
  { document, environment, view, evaluation, ...panel }: PanelChange = {},
): PanelState {
  let session = applySnapshot(emptySession(), toSnapshot(lanes, document));
  if (environment) session = applySnapshot(session, { environment, lanes: [] });
  if (evaluation) session = applySnapshot(session, { evaluation, lanes: [] });
  for (const [id, { progress }] of Object.entries(lanes)) {
    if (progress) session = applyProgress(session, id, progress);
  }
  return {
    ...initialPanel({ ...initialView(), ...view }, firstPlace(), 0),
    session,
    hasLaterParts: true,
    ...panel,
  };
}

export interface PanelChange extends Partial<Omit<PanelState, 'view' | 'session'>> {
  document?: Partial<DocumentSnapshot>;
  environment?: EnvironmentSnapshot;
  evaluation?: EvaluationSnapshot;
  view?: Partial<ViewState>;
}

export const laneIn = (state: PanelState, id = 'a'): LaneState => laneOf(state.session, id);
