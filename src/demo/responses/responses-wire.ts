// Writes turns as the items of a response and the response around them, as OpenAI's service does. Pure.
import type { DemoCall, DemoTurn } from '../model/scenario';
import { countTokens } from '../model/tokens';
import type { DemoUsage } from '../model/tokens';
import { splitWords } from '../http/http-reply';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import type { ReplyMint } from '../wire/reply-id';
import { seal } from '../wire/seal';
import { numberIn, objectsIn } from '../wire/wire-message';
import { findStrictFault } from './responses-fields';
import { reasoningScope } from './responses-items';
import type { ResponsesChat } from './responses-request';

/** An item of the output: as it is in the response, and how a stream builds it. */
export interface WrittenItem {
  id: string;
  whole: JsonObject;
  start: JsonObject;
  /** Between the start and the end of the item; without what all events have. */
  events: readonly JsonObject[];
}

/** Reasoning, then the text, then the calls. A text without characters is no item. */
export function toOutput(chat: ResponsesChat, turn: DemoTurn, mint: ReplyMint): WrittenItem[] {
  const { reasoning, content, toolCalls } = turn;
  const stem = mint.newId();
  // Whether an item needs the reasoning before it shows in its id.
  const newId = (index: number): string => (reasoning === undefined ? mint.newId() : `${stem}${index}`);
  const items = [
    ...(reasoning === undefined ? [] : [toReasoning(chat, reasoning, `rs_${stem}`, mint)]),
    ...(content === '' ? [] : [toMessage(content, toolCalls.length > 0, `msg_${newId(0)}`)]),
    ...toolCalls.map((call, index) =>
      toCall(call, `fc_${newId(index + 1)}`, `call_${mint.newId().slice(0, 24)}`),
    ),
  ];
  const last = items.at(-1);
  if (turn.finishReason !== 'length' || last?.whole['status'] === undefined) return items;
  return [...items.slice(0, -1), { ...last, whole: { ...last.whole, status: 'incomplete' } }];
}

function toReasoning(
  { request, hasSummary }: ResponsesChat,
  text: string,
  id: string,
  mint: ReplyMint,
): WrittenItem {
  const scope = reasoningScope(request.model);
  const part = { type: 'summary_text', text };
  const at = { item_id: id, summary_index: 0 };
  const events = [
    { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
    ...splitWords(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part },
  ];
  const item = { id, type: 'reasoning' };
  return {
    id,
    whole: {
      ...item,
      summary: hasSummary ? [part] : [],
      encrypted_content: seal(`${mint.newId()}${text}`, scope),
    },
    // What is encrypted at the start is not what counts in the end.
    start: { ...item, summary: [], encrypted_content: seal(mint.newId(), `${scope}/unfinished`) },
    events: hasSummary ? events : [],
  };
}

function toMessage(text: string, isFollowed: boolean, id: string): WrittenItem {
  const item = { id, type: 'message' };
  const phase = isFollowed ? 'commentary' : 'final_answer';
  const part = { type: 'output_text', annotations: [], logprobs: [], text };
  const at = { item_id: id, content_index: 0 };
  return {
    id,
    whole: { ...item, status: 'completed', content: [part], phase, role: 'assistant' },
    start: { ...item, status: 'in_progress', content: [], phase, role: 'assistant' },
    events: [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...splitWords(text).map((delta) => ({
        type: 'response.output_text.delta',
        ...at,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ],
  };
}

function toCall({ name, argumentsText }: DemoCall, id: string, callId: string): WrittenItem {
  const item = { id, type: 'function_call' };
  const called = { call_id: callId, name };
  const at = { item_id: id };
  return {
    id,
    whole: { ...item, status: 'completed', arguments: argumentsText, ...called },
    start: { ...item, status: 'in_progress', arguments: '', ...called },
    events: [
      ...splitWords(argumentsText).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...at,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...at, arguments: argumentsText, name },
    ],
  };
}

/** The response before anything is generated: with its settings, the defaults among them. */
export function toStartedResponse(chat: ResponsesChat, mint: ReplyMint): JsonObject {
  const { sent } = chat;
  const reasoning = isJsonObject(sent['reasoning']) ? sent['reasoning'] : {};
  const text = isJsonObject(sent['text']) ? sent['text'] : {};
  return {
    id: `resp_${mint.newId()}`,
    object: 'response',
    created_at: Math.floor(mint.now().getTime() / 1000),
    status: 'in_progress',
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: sent['instructions'] ?? null,
    max_output_tokens: sent['max_output_tokens'] ?? null,
    max_tool_calls: sent['max_tool_calls'] ?? null,
    model: chat.request.model,
    output: [],
    parallel_tool_calls: !chat.request.isCallSingle,
    previous_response_id: sent['previous_response_id'] ?? null,
    prompt_cache_key: sent['prompt_cache_key'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? 'none', summary: reasoning['summary'] ?? null },
    safety_identifier: sent['safety_identifier'] ?? null,
    service_tier: 'default',
    store: chat.isStored,
    temperature: numberIn(sent['temperature']) ?? 1,
    text: { format: text['format'] ?? { type: 'text' }, verbosity: text['verbosity'] ?? 'medium' },
    tool_choice: sent['tool_choice'] ?? 'auto',
    tools: objectsIn(sent['tools']).map((tool) => toEcho(tool)),
    top_logprobs: sent['top_logprobs'] ?? 0,
    top_p: numberIn(sent['top_p']) ?? 1,
    truncation: sent['truncation'] ?? 'disabled',
    usage: null,
    user: sent['user'] ?? null,
    metadata: sent['metadata'] ?? {},
  };
}

/** A tool that does not say so is strict if its schema can be followed strictly. */
function toEcho(tool: JsonObject): JsonObject {
  const parameters = tool['parameters'] ?? null;
  const isStrict = parameters !== null && findStrictFault(parameters) === undefined;
  const { type, name, description = null, strict } = tool;
  return { type, description, name, parameters, strict: strict ?? isStrict };
}

export function toFinishedResponse(
  started: JsonObject,
  items: readonly WrittenItem[],
  turn: DemoTurn,
  usage: DemoUsage,
): JsonObject {
  const isCut = turn.finishReason === 'length';
  return {
    ...started,
    status: isCut ? 'incomplete' : 'completed',
    completed_at: isCut ? null : started['created_at'],
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: items.map(({ whole }) => whole),
    usage: toUsage(turn, usage),
  };
}

/** The service caches long prompts only; here, what a prompt shares with the previous one counts however short it is. */
function toUsage({ reasoning }: DemoTurn, usage: DemoUsage): JsonObject {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: 0 },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: countTokens(reasoning ?? '') },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}

/** Server-sent events: the response, its items one after the other with their deltas, the finished response. */
export function toResponsesEvents(
  chat: ResponsesChat,
  started: JsonObject,
  items: readonly WrittenItem[],
  finished: JsonObject,
  mint: ReplyMint,
): JsonObject[] {
  const events: JsonObject[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...items.flatMap(({ start, events: between, whole }, index) => [
      { type: 'response.output_item.added', output_index: index, item: start },
      ...between.map((event) => ({ ...event, output_index: index })),
      { type: 'response.output_item.done', output_index: index, item: whole },
    ]),
    { type: `response.${String(finished['status'])}`, response: finished },
  ];
  return events.map((event, number) => ({
    ...event,
    ...(chat.isObfuscated && typeof event['delta'] === 'string'
      ? { obfuscation: toObfuscation(event['delta'], mint) }
      : {}),
    sequence_number: number,
  }));
}

const OBFUSCATED_LENGTH = 16;

/** Fills a delta up to a length that says little about the text. */
function toObfuscation(delta: string, mint: ReplyMint): string {
  return mint.newId().slice(0, OBFUSCATED_LENGTH - (delta.length % OBFUSCATED_LENGTH));
}
