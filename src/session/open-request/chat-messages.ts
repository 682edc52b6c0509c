// Writes what a trace says of a chat as the request and the reply of a chat completion, the form that most of them begin with.
// Pure; knows the forms of messages, not those of traces.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { FoundReply, FoundRequest } from './found-request';

type Members = Record<string, unknown>;

export interface TracedChat {
  title?: string | undefined;
  /** Origin of the server. */
  url?: string | undefined;
  messages: readonly unknown[];
  /** The other members of the body, such as `model` and `temperature`. */
  body: Members;
  /** The message of the reply, or the whole reply as the server sent it; undefined when the trace has none. */
  output?: unknown;
  finishReason?: string | undefined;
  usage?: { input?: unknown; output?: unknown } | undefined;
  startedAt?: number | undefined;
  durationMs?: number | undefined;
  leftOut?: readonly string[];
}

export function toFound(chat: TracedChat): FoundRequest {
  const { title, url, body } = chat;
  const unknown = new Set<string>();
  const messages = chat.messages.flatMap((message) => toChatMessages(message, unknown));
  const reply = toReply(chat, unknown);
  const members = Object.entries(body).filter(([, value]) => value !== undefined && value !== null);
  const parts = [...unknown].map((type) => t('parts of messages of the type {0}', type.slice(0, 60)));
  return {
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    headers: [],
    body: JSON.stringify({ ...Object.fromEntries(members), messages }),
    ...(reply && { reply }),
    leftOut: [...(chat.leftOut ?? []), ...parts],
  };
}

function toReply(
  { output, finishReason, usage, startedAt, durationMs, body }: TracedChat,
  unknown: Set<string>,
): FoundReply | undefined {
  if (output === undefined || output === null) return undefined;
  const json = isWholeReply(output) ? output : toCompletion();
  if (json === undefined) return undefined;
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
    startedAt,
    durationMs,
  };

  function toCompletion(): Members | undefined {
    const [message] = toChatMessages(isRecord(output) ? { role: 'assistant', ...output } : output, unknown);
    if (!message) return undefined;
    const { input, output: completion } = usage ?? {};
    return {
      model: body['model'],
      choices: [
        {
          index: 0,
          message: { ...message, role: 'assistant' },
          finish_reason: FINISH.get(finishReason ?? '') ?? finishReason ?? null,
        },
      ],
      ...((typeof input === 'number' || typeof completion === 'number') && {
        usage: { prompt_tokens: input, completion_tokens: completion },
      }),
    };
  }
}

/** Words of the conventions for those of chat completions. */
const FINISH: ReadonlyMap<string, string> = new Map([
  ['tool_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['tool-calls', 'tool_calls'],
  ['content-filter', 'content_filter'],
  ['end_turn', 'stop'],
]);

const isWholeReply = (value: unknown): value is Members =>
  isRecord(value) &&
  (Array.isArray(value['choices']) ||
    value['type'] === 'message' ||
    (value['object'] === 'response' && Array.isArray(value['output'])) ||
    (isRecord(value['message']) && typeof value['done'] === 'boolean'));

/** The words of frameworks for the roles. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['HumanMessage', 'user'],
  ['HumanMessageChunk', 'user'],
  ['ai', 'assistant'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['model', 'assistant'],
  ['SystemMessage', 'system'],
  ['ToolMessage', 'tool'],
]);

/** Whether it is a conversation in the classes of a framework. */
export const isFrameworkMessages = (value: unknown): value is Members[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (one) =>
      isRecord(one) &&
      typeof one['type'] === 'string' &&
      /Message/.test(one['type']) &&
      ROLES.has(one['type']),
  );

/** @param unknown Receives the types of parts that have no form in a chat completion. */
export function toChatMessages(value: unknown, unknown: Set<string>): Members[] {
  if (typeof value === 'string') return [{ role: 'user', content: value }];
  if (!isRecord(value)) return [];
  const { parts, kwargs, data, id, type } = value;
  // What LangChain serializes: the class, and what its constructor is given.
  if (isRecord(kwargs))
    return toChatMessages({ ...kwargs, role: Array.isArray(id) ? id.at(-1) : type }, unknown);
  if (isRecord(data)) return toChatMessages({ ...data, role: type }, unknown);
  const role = firstText(value['role'], type) ?? 'user';
  const known = ROLES.get(role) ?? role;
  return Array.isArray(parts) ? fromParts(known, parts, unknown) : [toMessage(known, value)];
}

/** A message with its calls in any of the forms of frameworks. */
function toMessage(role: string, value: Members): Members {
  const { content = '', tool_call_id: callId, additional_kwargs: more } = value;
  const calls = [value['tool_calls'], isRecord(more) ? more['tool_calls'] : undefined]
    .map(parseText)
    .find((list): list is unknown[] => Array.isArray(list) && list.length > 0);
  const answered = callId ?? (role === 'tool' ? value['id'] : undefined);
  return {
    role,
    content: isRecord(content) ? JSON.stringify(content) : withoutCalls(content, calls !== undefined),
    ...(role === 'tool' && typeof answered === 'string' && { tool_call_id: answered }),
    ...(calls && { tool_calls: calls.filter(isRecord).map(toCall) }),
  };
}

/** LangChain keeps the calls of Claude in the content, too. */
const withoutCalls = (content: unknown, hasCalls: boolean): unknown =>
  hasCalls && Array.isArray(content)
    ? content.filter((part) => !(isRecord(part) && part['type'] === 'tool_use'))
    : content;

function toCall(call: Members, index: number): Members {
  const inner = isRecord(call['function']) ? call['function'] : call;
  const args = inner['arguments'] ?? inner['args'] ?? {};
  return {
    id: typeof call['id'] === 'string' ? call['id'] : `call_${index + 1}`,
    type: 'function',
    function: { name: inner['name'], arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

/** Messages of the conventions of OpenTelemetry. Each result is a message of its own. */
function fromParts(role: string, parts: readonly unknown[], unknown: Set<string>): Members[] {
  const texts: string[] = [];
  const reasoning: string[] = [];
  const calls: Members[] = [];
  const results: Members[] = [];
  for (const part of parts.filter(isRecord)) {
    const { type, content, id, response, result } = part;
    if (type === 'text' && typeof content === 'string') texts.push(content);
    else if ((type === 'reasoning' || type === 'thinking') && typeof content === 'string')
      reasoning.push(content);
    else if (type === 'tool_call') calls.push(toCall(part, calls.length));
    else if (type === 'tool_call_response') {
      const said = response ?? result ?? '';
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      results.push({ role: 'tool', content: text, ...(typeof id === 'string' && { tool_call_id: id }) });
    } else unknown.add(String(type));
  }
  const isEmpty = texts.length === 0 && calls.length === 0 && reasoning.length === 0;
  const message: Members = {
    role,
    content: texts.join('\n'),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('\n') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return isEmpty && results.length > 0 ? results : [message, ...results];
}

/** The first of the values that is a text with something in it. */
export const firstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

/** Traces store many values as JSON text. @returns the text itself when it is none */
export function parseText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** A declaration of a tool in the form of chat completions. */
export function toTool(value: unknown): unknown {
  const tool = parseText(value);
  if (!isRecord(tool) || isRecord(tool['function'])) return tool;
  const { name, description } = tool;
  const parameters = tool['parameters'] ?? tool['input_schema'] ?? tool['inputSchema'];
  return { type: 'function', function: { name, description, parameters: parseText(parameters) } };
}

/** Milliseconds since the epoch of a date in text, or of a number of milliseconds. */
export function toTime(value: unknown): number | undefined {
  // Without a zone, the dates of LangSmith are in UTC.
  const text = typeof value === 'string' && /T[\d:.]+$/.test(value) ? `${value}Z` : value;
  const time = typeof text === 'string' ? Date.parse(text) : typeof text === 'number' ? text : Number.NaN;
  return Number.isFinite(time) && Math.abs(time) < 8e15 ? time : undefined;
}

export function durationOf(start: number | undefined, end: number | undefined): number | undefined {
  return start === undefined || end === undefined || end < start ? undefined : Math.round(end - start);
}
