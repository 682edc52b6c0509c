// Reads the spans of OpenTelemetry that describe a chat: OTLP in JSON, or spans as tracers print them. The conventions have changed,
// so messages are looked for in all of their places. https://opentelemetry.io/docs/specs/semconv/gen-ai/
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import { durationOf, firstText, parseText, toFound, toTime, toTool } from '../chat-messages';
import type { FoundRequest, RequestSource } from '../found-request';
import { UnreadRequest } from '../found-request';
import { readAiSdkSpan } from './ai-sdk-span';
import { listNames } from './json-source';

type Members = Record<string, unknown>;

export const OPEN_TELEMETRY_SOURCE: RequestSource = {
  id: 'open-telemetry',
  title: () => t('OpenTelemetry trace'),
  reads: ({ json }) => (findSpans(json).length > 0 ? 3 : 0),
  read: ({ json }) => {
    const found = findSpans(json).flatMap(toRequest);
    if (found.length > 0) return found;
    throw new UnreadRequest(
      t('The trace has no messages: what is said is not recorded in it.'),
      t('Switch the recording of contents on in the program that writes the trace.'),
    );
  },
};

interface Span {
  name: string;
  startMs: number | undefined;
  endMs: number | undefined;
  attributes: Members;
  events: { name: string; fields: Members }[];
}

const ABOUT_CHAT = /^(?:gen_ai\.|llm\.|ai\.prompt\.)/;

function findSpans(json: unknown): Span[] {
  const spans = collectSpans(json, 0).map(readSpan);
  return [...spans, ...groupLogs(collectLogs(json).map(readLog))].filter(
    ({ attributes, events }) =>
      Object.keys(attributes).some((key) => ABOUT_CHAT.test(key)) ||
      events.some(({ name }) => ABOUT_CHAT.test(name)),
  );
}

/** How deep lists of spans are within each other: resource, scope, span. */
const MAX_DEPTH = 6;
const LISTS = [
  'resourceSpans',
  'scopeSpans',
  'instrumentationLibrarySpans',
  'spans',
  'batches',
  'data',
  'traces',
];

function collectSpans(value: unknown, depth: number): Members[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => collectSpans(one, depth + 1));
  if (!isRecord(value)) return [];
  const lists = LISTS.filter((name) => value[name] !== undefined);
  if (lists.length > 0) return lists.flatMap((name) => collectSpans(value[name], depth + 1));
  return value['attributes'] !== undefined ? [value] : [];
}

function readSpan(span: Members): Span {
  const { name, startTimeUnixNano, endTimeUnixNano, attributes, events } = span;
  return {
    name: typeof name === 'string' ? name : '',
    // Tracers print the times as texts.
    startMs: fromNanos(startTimeUnixNano) ?? toTime(span['start_time'] ?? span['startTime']),
    endMs: fromNanos(endTimeUnixNano) ?? toTime(span['end_time'] ?? span['endTime']),
    attributes: readAttributes(attributes),
    events: (Array.isArray(events) ? events.filter(isRecord) : []).map((event) => ({
      name: String(event['name']),
      fields: { ...readAttributes(event['attributes']), ...toRecord(readAny(event['body'])) },
    })),
  };
}

const fromNanos = (value: unknown): number | undefined => {
  const ms = Number(value) / 1e6;
  return value !== undefined && Number.isFinite(ms) && ms > 0 ? Math.round(ms) : undefined;
};

/** OTLP has a list of keys with typed values; tracers print a plain object. */
function readAttributes(attributes: unknown): Members {
  if (!Array.isArray(attributes)) return toRecord(attributes);
  return Object.fromEntries(
    attributes.filter(isRecord).map(({ key, value }) => [String(key), readAny(value)]),
  );
}

function readAny(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const [kind, inner] = Object.entries(value)[0] ?? [];
  if (kind === 'intValue') return Number(inner);
  if (kind === 'stringValue' || kind === 'boolValue' || kind === 'doubleValue') return inner;
  if (kind === 'arrayValue') return listIn(inner, 'values').map(readAny);
  if (kind === 'kvlistValue') return readAttributes(listIn(inner, 'values'));
  return value;
}

const listIn = (value: unknown, key: string): unknown[] => {
  const list = toRecord(value)[key];
  return Array.isArray(list) ? list : [];
};

interface LogEvent {
  spanId: string;
  startMs: number | undefined;
  event: Span['events'][number];
}

/** Messages may be log records beside the spans. */
function collectLogs(json: unknown): Members[] {
  const resources = isRecord(json) ? listIn(json, 'resourceLogs') : [];
  return resources
    .flatMap((resource) => listIn(resource, 'scopeLogs'))
    .flatMap((scope) => listIn(scope, 'logRecords'))
    .filter(isRecord);
}

function readLog(log: Members): LogEvent {
  const attributes = readAttributes(log['attributes']);
  return {
    spanId: firstText(log['spanId']) ?? '',
    startMs: fromNanos(log['timeUnixNano'] ?? log['observedTimeUnixNano']),
    event: {
      name: firstText(log['eventName'], attributes['event.name']) ?? '',
      fields: { ...attributes, ...toRecord(readAny(log['body'])) },
    },
  };
}

/** The log records of one span together. */
function groupLogs(logs: readonly LogEvent[]): Span[] {
  const spans = new Map<string, Span>();
  for (const { spanId, startMs, event } of logs) {
    const known = spans.get(spanId);
    if (known) known.events.push(event);
    else spans.set(spanId, { name: event.name, startMs, endMs: undefined, attributes: {}, events: [event] });
  }
  return [...spans.values()];
}

function toRequest({ name, startMs, endMs, attributes, events }: Span): FoundRequest[] {
  const details = events.find((event) => event.name === 'gen_ai.client.inference.operation.details');
  const all = { ...details?.fields, ...attributes };
  const ofAiSdk = readAiSdkSpan(all);
  const chat = [fromAttributes(all), ofAiSdk, fromEvents(events), fromIndexed(all)].find(
    ({ messages }) => messages.length > 0,
  );
  if (!chat) return [];
  const { messages, output } = chat;
  const parameters = toRecord(parseText(all['llm.invocation_parameters']));
  const reasons = parseText(all['gen_ai.response.finish_reasons']);
  const address = all['server.address'];
  const said = toRecord(output);
  return [
    toFound({
      title: name,
      url:
        typeof address === 'string' && address !== ''
          ? originAt(address, all['server.port'])
          : baseIn(all['gen_ai.openai.api_base']),
      messages,
      body: { ...ofAiSdk.body, ...parameters, ...bodyOf(all), ...toolsIn(all) },
      output,
      finishReason: firstText(
        said['finish_reason'],
        ofAiSdk.finishReason,
        Array.isArray(reasons) ? reasons[0] : reasons,
      ),
      usage: {
        input:
          all['gen_ai.usage.input_tokens'] ??
          all['gen_ai.usage.prompt_tokens'] ??
          all['ai.usage.promptTokens'] ??
          all['llm.token_count.prompt'],
        output:
          all['gen_ai.usage.output_tokens'] ??
          all['gen_ai.usage.completion_tokens'] ??
          all['ai.usage.completionTokens'] ??
          all['llm.token_count.completion'],
      },
      startedAt: startMs,
      durationMs: durationOf(startMs, endMs),
      leftOut: unreadIn(all),
    }),
  ];
}

/** Where instrumentations write the parameters of a request. */
const PREFIXES = ['gen_ai.request.', 'gen_ai.openai.request.', 'llm.request.', 'llm.'];
const PARAMETER = /^(?:gen_ai\.(?:\w+\.)?|llm\.)request\.(.+)$/;
/** Of them, what is read elsewhere, or says nothing of the request. */
const KNOWN = /^(?:tools|type|functions\..*)$/;

/** Parameters of the request that have another name, or none, in a chat completion. */
function unreadIn(attributes: Members): string[] {
  const names = Object.keys(attributes).filter((key) => {
    const [, name] = PARAMETER.exec(key) ?? [];
    return name !== undefined && !KNOWN.test(name) && !Object.hasOwn(PARAMETERS, name);
  });
  return names.length > 0 ? [t('attributes of the span: {0}', listNames(names))] : [];
}

/** Names of parameters in the conventions, and in a chat completion. */
const PARAMETERS: Readonly<Record<string, string>> = {
  model: 'model',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  max_tokens: 'max_tokens',
  seed: 'seed',
  stop_sequences: 'stop',
  frequency_penalty: 'frequency_penalty',
  presence_penalty: 'presence_penalty',
};

function bodyOf(attributes: Members): Members {
  const named = Object.entries(PARAMETERS).map(([name, key]) => [
    key,
    parseText(PREFIXES.map((prefix) => attributes[`${prefix}${name}`]).find((value) => value !== undefined)),
  ]);
  const model =
    attributes['gen_ai.request.model'] ?? attributes['llm.model_name'] ?? attributes['gen_ai.response.model'];
  return Object.fromEntries(
    [...named, ['model', model]].filter(([, value]) => value !== undefined),
  ) as Members;
}

function toolsIn(attributes: Members): Members {
  const declared = parseText(attributes['gen_ai.tool.definitions'] ?? attributes['gen_ai.request.tools']);
  const listed = [
    ...indexedList(attributes, 'llm.request.functions.'),
    ...indexedList(attributes, 'llm.tools.').map((one) => toRecord(one['tool'])['json_schema']),
  ];
  const tools = (Array.isArray(declared) ? declared : listed).map(toTool);
  return tools.length > 0 ? { tools } : {};
}

interface Said {
  messages: unknown[];
  output?: unknown;
}

/** Since version 1.37: the messages with their parts. */
function fromAttributes(attributes: Members): Said {
  const system = parseText(attributes['gen_ai.system_instructions']);
  const messages = parseText(attributes['gen_ai.input.messages']);
  const output = parseText(attributes['gen_ai.output.messages']);
  const parts = typeof system === 'string' ? [{ type: 'text', content: system }] : system;
  return {
    messages: Array.isArray(messages)
      ? [...(Array.isArray(parts) && parts.length > 0 ? [{ role: 'system', parts }] : []), ...messages]
      : [],
    output: Array.isArray(output) ? output[0] : undefined,
  };
}

/** Up to version 1.36: an event for each message. Before that, one for all. */
function fromEvents(events: Span['events']): Said {
  const said: Said = { messages: [] };
  for (const { name, fields } of events) {
    const [, role] = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name) ?? [];
    if (role !== undefined) said.messages.push({ role, ...fields, content: parseContent(fields['content']) });
    if (name === 'gen_ai.choice') {
      const message = toRecord(parseText(fields['message']));
      said.output ??= { finish_reason: fields['finish_reason'], ...fields, ...message, role: 'assistant' };
    }
    const all = name === 'gen_ai.content.prompt' ? parseText(fields['gen_ai.prompt']) : undefined;
    if (all !== undefined) said.messages.push(...(Array.isArray(all) ? all : [all]));
    const reply = name === 'gen_ai.content.completion' ? parseText(fields['gen_ai.completion']) : undefined;
    if (reply !== undefined) said.output ??= Array.isArray(reply) ? reply[0] : reply;
  }
  return said;
}

/** OpenLLMetry and OpenInference: an attribute for each member of each message. */
function fromIndexed(attributes: Members): Said {
  const inner = (list: Members[]): unknown[] =>
    list.map(({ message, ...own }) => fromOpenInference(toRecord(message), own));
  const prompt = indexedList(attributes, 'gen_ai.prompt.');
  const [completion] = indexedList(attributes, 'gen_ai.completion.');
  if (prompt.length > 0)
    return { messages: prompt.map(withContent), output: completion && withContent(completion) };
  const [output] = inner(indexedList(attributes, 'llm.output_messages.'));
  return { messages: inner(indexedList(attributes, 'llm.input_messages.')), output };
}

function fromOpenInference(message: Members, own: Members): Members {
  const calls = message['tool_calls'];
  return {
    ...own,
    ...message,
    ...(Array.isArray(calls) && { tool_calls: calls.map((call) => toRecord(call)['tool_call'] ?? call) }),
  };
}

const withContent = (message: Members): Members => ({
  ...message,
  content: parseContent(message['content']),
});

/** The parts of a message as JSON text; any other JSON is what was said. */
function parseContent(value: unknown): unknown {
  const parsed = parseText(value);
  return Array.isArray(parsed) && parsed.every((part) => isRecord(part) && part['type'] !== undefined)
    ? parsed
    : value;
}

/** More are no messages of one request. */
const MAX_INDEX = 10_000;

/** Collects `prefix0.role`, `prefix0.tool_calls.1.name` … into the records of a list. */
function indexedList(attributes: Members, prefix: string): Members[] {
  const list: Members[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(prefix)) continue;
    const [index = '', ...path] = key.slice(prefix.length).split('.');
    if (!/^\d{1,5}$/.test(index) || Number(index) > MAX_INDEX || path.length === 0 || path.length > 8)
      continue;
    setAt((list[Number(index)] ??= {}), path, value);
  }
  return list.filter(Boolean);
}

function setAt(record: Members, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (key === '__proto__') return;
  if (rest.length === 0) return void (record[key] = value);
  const [next = ''] = rest;
  if (!/^\d{1,4}$/.test(next)) {
    const inner = isRecord(record[key]) ? record[key] : (record[key] = {});
    return setAt(inner, rest, value);
  }
  const list = (Array.isArray(record[key]) ? record[key] : (record[key] = [])) as Members[];
  const [, ...deeper] = rest;
  if (deeper.length > 0) setAt((list[Number(next)] ??= {}), deeper, value);
}

/** OpenLLMetry names the base address of the client. */
const baseIn = (base: unknown): string | undefined =>
  typeof base === 'string' && URL.canParse(base) ? `${base.replace(/\/+$/, '')}/chat/completions` : undefined;

/** The conventions name no scheme. */
function originAt(address: string, port: unknown): string | undefined {
  const number = Number(port ?? 443);
  const url = `${number === 443 ? 'https' : 'http'}://${address}${number === 443 ? '' : `:${number}`}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

const toRecord = (value: unknown): Members => (isRecord(value) ? value : {});
