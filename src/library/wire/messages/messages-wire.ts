// Translates Anthropic's Messages API: neutral input to request body, reply to RawAssistant. Pure.
import type { ExchangeToolCall, TokenUsage } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { isRecord, toCount, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { readCallTexts, readNativeCalls } from '../reply/native-calls';
import { readRefusal } from '../reply/refusal';
import type { RawKeys } from '../request/merge-raw';
import { mergeInto } from '../request/merge-raw';
import { writeRequest } from '../request/write-request';
import type { WireInput, WireReply, WireRequest } from '../wire-shapes';
import { toMessagesBody } from './messages-body';
import { toReplay } from './messages-replay';

/** Writes the request for `POST {host}/v1/messages`. */
export const toMessagesRequest = (input: WireInput, raw: RawKeys): WireRequest =>
  writeRequest(mergeInto(toMessagesBody(input, raw), raw));

/** The reasons that have a neutral word. */
const FINISH_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/**
 * @param asked The model that was asked.
 * @returns one sentence instead when the document is not a message
 */
export function fromMessagesReply(document: unknown, asked?: string): WireReply | string {
  const { content, model, stop_reason: reason, usage } = toRecord(document);
  // Ollama sends null when the model wrote nothing.
  if (!isRecord(document) || content === undefined) return 'The reply has no content.';
  const blocks = blocksOf(content);
  return {
    content: textOf(blocks, 'text'),
    toolCalls: readNativeCalls(callsIn(blocks)),
    usage: readMessagesUsage(usage),
    ...pruneUndefined({
      finishReason: FINISH_REASONS.get(reason) ?? toText(reason),
      reasoning: toText(textOf(blocks, 'thinking')),
      model: toText(model),
      replay: toReplay(content, asked),
      refusal: reason === 'refusal' ? readRefusal(toRecord(document)['stop_details']) : undefined,
    }),
  };
}

/** The calls of a reply for the exchange. */
export const readMessagesCallTexts = (document: unknown): ExchangeToolCall[] =>
  readCallTexts(callsIn(blocksOf(toRecord(document)['content'])));

/** The service always sends a list of blocks. */
const blocksOf = (content: unknown): JsonRecord[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(toRecord) : [];
};

/** A block has its text under the name of its type. */
const textOf = (blocks: readonly JsonRecord[], kind: 'text' | 'thinking'): string =>
  blocks.map(({ type, [kind]: text }) => (type === kind ? (toText(text) ?? '') : '')).join('');

const callsIn = (blocks: readonly JsonRecord[]): object[] =>
  blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id, function: { name, arguments: input } }));

/** What was written to the cache or read from it is not part of `input_tokens`. */
export function readMessagesUsage(value: unknown): TokenUsage {
  const usage = toRecord(value);
  const input = toCount(usage['input_tokens']);
  const written = toCount(usage['cache_creation_input_tokens']);
  const cached = toCount(usage['cache_read_input_tokens']);
  return pruneUndefined({
    promptTokens: input === undefined ? undefined : input + (written ?? 0) + (cached ?? 0),
    completionTokens: toCount(usage['output_tokens']),
    cachedTokens: cached,
    reasoningTokens: toCount(toRecord(usage['output_tokens_details'])['thinking_tokens']),
  });
}
