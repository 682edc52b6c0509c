// Writes turns in the Messages protocol, whole and as the events of a stream, as Anthropic's service does. Pure.
import type { ReplyMint } from '../wire/reply-id';
import { splitWords, toServerEvent } from '../http/http-reply';
import type { DemoTurn } from '../model/scenario';
import { countTokens } from '../model/tokens';
import type { DemoUsage } from '../model/tokens';
import { readJson } from '../wire/json-text';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { seal } from '../wire/seal';
import type { MessagesChat } from './messages-request';
import { SIGNATURE_SCOPE } from './messages-turns';

/** A block of the content: as it is in a whole reply, and how a stream builds it. */
interface WrittenBlock {
  whole: JsonObject;
  start: JsonObject;
  deltas: readonly JsonObject[];
}

/** The body of a response that is not streamed. */
export function toMessagesBody(
  chat: MessagesChat,
  turn: DemoTurn,
  usage: DemoUsage,
  mint: ReplyMint,
): JsonObject {
  return {
    ...toHead(chat, mint),
    content: toBlocks(chat, turn, mint).map(({ whole }) => whole),
    ...toStop(turn),
    usage: { ...toPromptUsage(chat, usage), ...toOutputUsage(turn, usage), service_tier: 'standard' },
  };
}

/** Server-sent events: the message, each block with its deltas, a ping after the first block's start, the end. */
export function toMessagesEvents(
  chat: MessagesChat,
  turn: DemoTurn,
  usage: DemoUsage,
  mint: ReplyMint,
): string[] {
  const promptUsage = toPromptUsage(chat, usage);
  const startUsage = {
    ...promptUsage,
    output_tokens: Math.min(1, usage.completionTokens),
    service_tier: 'standard',
  };
  const message = {
    ...toHead(chat, mint),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: startUsage,
  };
  const events: JsonObject[] = toBlocks(chat, turn, mint).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block.start },
    ...block.deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  const { cache_creation: _, ...total } = promptUsage;
  return [
    { type: 'message_start', message },
    ...events.slice(0, 1),
    { type: 'ping' },
    ...events.slice(1),
    { type: 'message_delta', delta: toStop(turn), usage: { ...total, ...toOutputUsage(turn, usage) } },
    { type: 'message_stop' },
  ].map((event) => toServerEvent(JSON.stringify(event), String(event.type)));
}

function toHead(chat: MessagesChat, mint: ReplyMint): JsonObject {
  const { model } = chat.request;
  return { model, id: `msg_01${mint.newId().slice(0, 22)}`, type: 'message', role: 'assistant' };
}

/** Thinking first, then the text, then the calls. A text without characters is no block. */
function toBlocks(chat: MessagesChat, turn: DemoTurn, mint: ReplyMint): WrittenBlock[] {
  const { reasoning, content, toolCalls } = turn;
  return [
    ...(reasoning === undefined ? [] : [toThinkingBlock(chat.isThinkingHidden ? '' : reasoning, mint)]),
    ...(content === '' ? [] : [toTextBlock(content)]),
    ...toolCalls.map((call) =>
      toCallBlock(call.name, call.argumentsText, `toolu_01${mint.newId().slice(0, 22)}`),
    ),
  ];
}

function toThinkingBlock(thinking: string, mint: ReplyMint): WrittenBlock {
  const signature = seal(mint.newId(), SIGNATURE_SCOPE);
  return {
    whole: { type: 'thinking', thinking, signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...splitWords(thinking).map((word) => ({ type: 'thinking_delta', thinking: word })),
      { type: 'signature_delta', signature },
    ],
  };
}

function toTextBlock(text: string): WrittenBlock {
  return {
    whole: { type: 'text', text },
    start: { type: 'text', text: '' },
    deltas: splitWords(text).map((word) => ({ type: 'text_delta', text: word })),
  };
}

/** A call that was cut off has no input in a whole reply, whose input must be an object; a stream shows what came of it. */
function toCallBlock(name: string, argumentsText: string, id: string): WrittenBlock {
  const start = { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } };
  const read = readJson(argumentsText);
  const pieces = argumentsText === '{}' ? [] : splitWords(argumentsText);
  return {
    whole: { ...start, input: read.ok && isJsonObject(read.value) ? read.value : {} },
    start,
    deltas: ['', ...pieces].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  };
}

function toStop(turn: DemoTurn): JsonObject {
  return { stop_reason: toStopReason(turn), stop_sequence: toStopSequence(turn), stop_details: null };
}

function toStopReason(turn: DemoTurn): string {
  if (turn.finishReason === 'length') return 'max_tokens';
  if (toStopSequence(turn) !== null) return 'stop_sequence';
  return turn.toolCalls.length > 0 ? 'tool_use' : 'end_turn';
}

/** Null when the limit was met before the sequence was written. */
const toStopSequence = ({ finishReason, stopSequence }: DemoTurn): string | null =>
  finishReason === 'length' ? null : (stopSequence ?? null);

/**
 * The counts exclude each other: what was read from the cache, what was written to it, and the rest. Where the request marks
 * nothing for the cache, everything is the rest; otherwise only the last token, which the cache never has.
 */
function toPromptUsage({ isCached }: MessagesChat, usage: DemoUsage): JsonObject {
  const read = isCached ? usage.cachedTokens : 0;
  const rest = isCached ? 1 : usage.promptTokens;
  const written = usage.promptTokens - read - rest;
  return {
    input_tokens: rest,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
  };
}

function toOutputUsage({ reasoning }: DemoTurn, usage: DemoUsage): JsonObject {
  return {
    output_tokens: usage.completionTokens,
    output_tokens_details: { thinking_tokens: countTokens(reasoning ?? '') },
  };
}
