// Findings of a turn in the circumstances that a session provides, and turns made from responses of real servers.
import type { DiagnosisInput } from '../../../src/inspect';
import { diagnose, diagnoseFailure } from '../../../src/inspect';
import {
  cameToNothing,
  findMarkup,
  findServerWords,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  nearestTools,
  PROVIDER_CATALOG,
  ResponsesApiProvider,
  rescueFormatInfo,
  rescueToolCalls,
} from '../../../src/library';
import { checkAgainstSchema } from '../../../src/session/tools/schema/check-against-schema';
import { CheckBudget } from '../../../src/session/tools/schema/check-budget';
import type { ChatTurn, Finding, FindingCause, Message, ToolType } from '../../../src/types';
import { readRecorded } from '../messages/recorded';
import { WEATHER } from '../messages/recorded-tools';
import { readRecording } from '../../contract/wire/official-readings';
import { startReplay } from '../servers/replay-server';

export const LOCAL_SETTING: DiagnosisInput['setting'] = {
  sampling: {},
  raw: {},
  isRescueOff: false,
  keys: { temperature: 'temperature', maxTokens: 'num_predict', numCtx: 'num_ctx' },
  toolChoiceKey: null,
};

export const HOSTED_SETTING: DiagnosisInput['setting'] = {
  ...LOCAL_SETTING,
  keys: { temperature: 'temperature', maxTokens: 'max_tokens', numCtx: null },
  toolChoiceKey: 'tool_choice',
};

export interface Circumstances {
  tools?: readonly ToolType[];
  idleTools?: readonly string[];
  setting?: Partial<DiagnosisInput['setting']>;
}

export function findingsOf(
  turn: ChatTurn,
  { tools = [], idleTools = [], setting = {} }: Circumstances = {},
): Finding[] {
  const budget = new CheckBudget();
  const isLocal = turn.exchange.request.url.endsWith('/api/chat');
  const issues = turn.toolCalls.slice(0, 1_000).map((call) => {
    const tool = tools.find(({ name }) => name === call.name);
    return tool ? checkAgainstSchema(call.arguments, tool.parameters, budget).issues : [];
  });
  return diagnose({
    catalog: PROVIDER_CATALOG,
    turn,
    tools,
    idleTools,
    setting: { ...(isLocal ? LOCAL_SETTING : HOSTED_SETTING), ...setting },
    schemaIssues: Object.fromEntries(issues.entries()),
    nearestTools: (name) => nearestTools(name, tools),
    cameToNothing,
    nativeHint: (format) => rescueFormatInfo(format)?.nativeHints[0]?.text,
    readText: (text) => rescueToolCalls(text, tools),
    findMarkup,
  });
}

/** The findings of a run that ended with these words of a server. @param body Of the request. */
export function failureFindings(
  said: string,
  {
    setting = LOCAL_SETTING,
    url = 'http://127.0.0.1:11434/api/chat',
    body = {},
    status,
    response,
  }: {
    setting?: DiagnosisInput['setting'];
    url?: string;
    body?: object;
    status?: number;
    response?: string;
  } = {},
): Finding[] {
  const request = { method: 'POST', url, headers: {}, body: JSON.stringify(body) };
  return diagnoseFailure({
    words: findServerWords(said, status),
    exchange: {
      request,
      ...(response !== undefined && { response: { status: status ?? 400, headers: {}, body: response } }),
    },
    catalog: PROVIDER_CATALOG,
    setting,
  });
}

/** @throws when there is no such finding; the message lists the existing ones. */
export function findingOf(cause: FindingCause, turn: ChatTurn, circumstances: Circumstances = {}): Finding {
  const all = findingsOf(turn, circumstances);
  const found = all.find((finding) => finding.cause === cause);
  if (found) return found;
  throw new Error(`There is no finding ${cause}, only: ${all.map((one) => one.cause).join(', ') || 'none'}.`);
}

interface RecordedBody {
  messages: { role: Message['role']; content: string }[];
  tools?: { function: ToolType }[];
}

export interface RecordedTurn {
  turn: ChatTurn;
  tools: ToolType[];
}

/**
 * The turn that this library makes of a recorded response, with the same request as the recording.
 * @param change Changes to the credentials of the provider.
 */
export async function turnOf(
  name: string,
  change: { rescueToolCalls?: boolean } = {},
): Promise<RecordedTurn> {
  const recorded = readRecorded(name);
  const {
    messages,
    tools: wireTools = [],
    model: _model,
    stream: _stream,
    ...raw
  } = recorded.request.body as RecordedBody & Record<string, unknown>;
  const tools = wireTools.map((tool) => tool.function);
  await using server = await startReplay(recorded);
  const common = { model: 'tiny', retry: false as const, raw, ...change };
  const isLocal = recorded.request.path.startsWith('/api/');
  const provider = isLocal
    ? new LocalHostProvider({ ...common, host: server.url })
    : new HostedApiProvider({ ...common, apiKey: 'k', host: `${server.url}/v1` });
  const type = new Headers(recorded.response.headers).get('content-type') ?? '';
  const turn = await provider.chat({
    messages,
    tools,
    ...(/ndjson|event-stream/.test(type) && { onDelta: () => undefined }),
  });
  return { turn, tools };
}

/** The same for a recording of the Messages API or of the Responses API, without rescue. */
export async function turnOfProtocol(name: string): Promise<RecordedTurn> {
  const recorded = readRecording(name);
  const {
    model = '',
    stream,
    tools: _tools,
    input: _input,
    messages: _messages,
    ...raw
  } = recorded.request.body as Record<string, unknown>;
  await using server = await startReplay(recorded);
  const common = { model: String(model), host: server.url, apiKey: 'k', retry: false as const, raw };
  const provider = recorded.request.path.endsWith('/messages')
    ? new MessagesApiProvider({ ...common, rescueToolCalls: false })
    : new ResponsesApiProvider({ ...common, rescueToolCalls: false });
  const turn = await provider.chat({
    messages: [{ role: 'user', content: 'Weather?' }],
    tools: [WEATHER],
    ...(stream === true && { onDelta: () => undefined }),
  });
  return { turn, tools: [WEATHER] };
}
