// Translates OpenAI's Responses API: neutral input to request body, reply to RawAssistant. Pure.
import type { ExchangeToolCall, TokenUsage } from '../../../types';
import { StreamFailure } from '../../transport/client/stream-reader';
import type { JsonRecord } from '../../util/json';
import { isRecord, toCount, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { readCallTexts, readNativeCalls } from '../reply/native-calls';
import type { RawKeys } from '../request/merge-raw';
import { mergeInto } from '../request/merge-raw';
import { writeRequest } from '../request/write-request';
import type { WireInput, WireReply, WireRequest } from '../wire-shapes';
import { toResponsesBody } from './responses-body';
import { joinParts, textOf, toReplay } from './responses-replay';

/** Writes the request for `POST {host}/responses`. */
export const toResponsesRequest = (input: WireInput, raw: RawKeys): WireRequest =>
  writeRequest(mergeInto(toResponsesBody(input, raw), raw, { history: 'input' }));

/**
 * @param asked The model that was asked.
 * @returns one sentence instead when the document is not a response
 * @throws StreamFailure (`document`) for a response that failed or was cancelled, of which nothing is a reply
 */
export function fromResponsesReply(document: unknown, asked?: string): WireReply | string {
  const { output, model, status, usage } = toRecord(document);
  if (!isRecord(document) || !Array.isArray(output)) return 'The reply has no output.';
  if (status === 'failed' || status === 'cancelled') throw new StreamFailure('document', sayFailure(status));
  const items = output.map(toRecord);
  const calls = readNativeCalls(callsIn(items));
  return {
    content: textOf(items),
    toolCalls: calls,
    usage: readResponsesUsage(usage),
    ...pruneUndefined({
      finishReason: findFinishReason(document, items, calls.length > 0),
      reasoning: toText(items.map(reasoningOf).join('')),
      model: toText(model),
      replay: toReplay(items, asked),
    }),
  };
}

/** What a response without an error of its own says of its end. */
export const sayFailure = (status: 'failed' | 'cancelled'): string =>
  status === 'failed' ? 'The response failed.' : 'The response was cancelled.';

/** The protocol has no finish reason; its words are those of chat completions. */
function findFinishReason(
  { status, incomplete_details: details }: JsonRecord,
  items: readonly JsonRecord[],
  hasCalls: boolean,
): string | undefined {
  const reason = toText(toRecord(details)['reason']);
  if (status === 'incomplete') return reason === 'max_output_tokens' ? 'length' : (reason ?? status);
  if (items.some(isRefused)) return 'content_filter';
  if (status === 'completed') return hasCalls ? 'tool_calls' : 'stop';
  return toText(status);
}

const isRefused = ({ content }: JsonRecord): boolean =>
  Array.isArray(content) && content.some((part) => toRecord(part)['type'] === 'refusal');

/** The text itself, of open models, or else its summary. */
export const reasoningOf = ({ type, content, summary }: JsonRecord): string =>
  type === 'reasoning' ? joinParts(content) || joinParts(summary) : '';

/** The calls of a reply for the exchange. */
export const readResponsesCallTexts = (document: unknown): ExchangeToolCall[] => {
  const { output } = toRecord(document);
  return readCallTexts(callsIn(Array.isArray(output) ? output.map(toRecord) : []));
};

/** A call is known by `call_id`; its `id` is that of the item. */
const callsIn = (items: readonly JsonRecord[]): object[] =>
  items
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: id, name, arguments: args }) => ({ id, function: { name, arguments: args } }));

export function readResponsesUsage(value: unknown): TokenUsage {
  const usage = toRecord(value);
  return pruneUndefined({
    promptTokens: toCount(usage['input_tokens']),
    completionTokens: toCount(usage['output_tokens']),
    cachedTokens: toCount(toRecord(usage['input_tokens_details'])['cached_tokens']),
    reasoningTokens: toCount(toRecord(usage['output_tokens_details'])['reasoning_tokens']),
  });
}
