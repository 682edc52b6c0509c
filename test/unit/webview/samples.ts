// Snapshots, outcomes and states as the tests of the panel need them, each complete and JSON-safe.
import type { AgentOutcome, ConnectionView, PlaygroundSnapshot, RunOutcome } from '../../../src/protocol';
import type {
  AttemptRecord,
  ChatTurn,
  ProviderToolCall,
  RescuedCall,
  RescueRejection,
  RescueReport,
} from '../../../src/types';
import type { LiveReply, PlaygroundState, RunEntry } from '../../../webview/state';
import { initialState, withSnapshot } from '../../../webview/state';

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
};

export const SNAPSHOT: PlaygroundSnapshot = {
  connections: [
    CONNECTION,
    {
      ...CONNECTION,
      id: 'hosted',
      label: 'Hosted',
      address: 'api.example.com',
      scope: 'user',
      model: undefined,
      needsKey: true,
      samplingKeys: { ...CONNECTION.samplingKeys, topK: null },
      limits: { timeoutMs: 60_000, connectTimeoutMs: 10_000, maxAttempts: 1 },
    },
  ],
  tools: [
    { name: 'get_weather', description: 'The weather in a city.', parameters: {}, mock: '{"temp_c":-2}' },
    { name: 'search_flights', description: 'Flights on a day.', parameters: {}, mock: '[]' },
  ],
  defaults: {
    connectionId: 'demo',
    model: 'first-look',
    message: 'What is the weather in Oslo?',
    toolNames: ['get_weather'],
  },
  requestsLeaveFrom: 'this computer',
};

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

/** A call of `get_weather` that was read from this part of the text. */
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

/** A call of a tool that nobody offered, in this part of the text. */
export function rejectionAt(
  start: number,
  end: number,
  change: Partial<RescueRejection> = {},
): RescueRejection {
  const detail = '`search_flight` was not offered.';
  return {
    format: 'hermes-json',
    start,
    end,
    reason: 'unknown-tool',
    detail,
    name: 'search_flight',
    ...change,
  };
}

export function toTurn(content: string, toolCalls: ProviderToolCall[], rescue?: RescueReport): ChatTurn {
  const assistant = { role: 'assistant' as const, content };
  return {
    assistant: toolCalls.length > 0 ? { ...assistant, toolCalls } : assistant,
    raw: {
      content,
      toolCalls: toolCalls.filter(({ source }) => source === 'native'),
      usage: {},
      attempts: 1,
      finishReason: 'stop',
    },
    toolCalls,
    rescue,
    usage: { promptTokens: 180, completionTokens: 32 },
    attempts: 1,
    ledger: [ATTEMPT],
    exchange: {
      request: { method: 'POST', url: 'http://127.0.0.1/api/chat', headers: {}, body: 'request body' },
      response: { status: 200, headers: {}, body: 'response body' },
      sent: {},
      dropped: [],
      overridden: [],
      toolCalls: [],
    },
  };
}

export function toOutcome(runId: string, turn: ChatTurn | undefined): RunOutcome {
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
  return {
    runId,
    connectionId: 'demo',
    connectionLabel: 'Demo',
    model: 'first-look',
    startedAt: 1_000_000,
    durationMs: 910,
    verdict: { kind: turn && turn.toolCalls.length > 0 ? 'native' : 'none', detail: '1 call' },
    turn,
    ledger: [ATTEMPT],
    findings: [],
    ...(turn ? {} : failed),
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('This is not asked here.'));

/** Handlers of what a test of single chats never asks for. */
export const UNASKED = {
  'agent/run': refuse,
  'agent/attach': refuse,
  'embed/run': refuse,
  'embed/attach': refuse,
};

/** One step, which answers. */
export function toAgentOutcome(agentRunId: string): AgentOutcome {
  const outcome = toOutcome(`${agentRunId}/1`, toTurn('Cold.', []));
  return {
    agentRunId,
    steps: [{ agentRunId, step: 1, outcome, answers: [] }],
    ending: { stopReason: 'answer', steps: 1, answered: 0, unmatched: 0, usage: {}, durationMs: 910 },
  };
}

export function toRun(runId: string, outcome?: RunOutcome): RunEntry {
  return { kind: 'run', runId, outcome, results: {}, drafts: {} };
}

export function toLiveReply(fields: Partial<LiveReply>): LiveReply {
  return {
    content: '',
    reasoning: '',
    toolCalls: [],
    omitted: { content: 0, reasoning: 0, toolCalls: 0 },
    ...fields,
  };
}

/** A panel whose run `r1` is being answered, as far as `fields` says. */
export function readingState(fields: Partial<LiveReply>): Partial<PlaygroundState> {
  const progress = { runId: 'r1', attempt: 1, maxAttempts: 3, ledger: [], since: 0 };
  return {
    entries: [{ kind: 'user', id: 'u1', content: 'Is it cold?' }, toRun('r1')],
    pendingRunId: 'r1',
    progress: { ...progress, phase: 'reading', reply: toLiveReply(fields) },
  };
}

/** A panel that has its first snapshot. */
export function readyState(change: Partial<PlaygroundState> = {}): PlaygroundState {
  return { ...withSnapshot(initialState(0), SNAPSHOT), ...change };
}
