// Translates the hosted chat-completion protocol (OpenAI's): neutral input to request body, reply to RawAssistant. Pure.
import type { ExchangeToolCall, TokenUsage } from '../../../types';
import { pruneUndefined } from '../../util/prune-undefined';
import { isRecord, toCount, toRecord, toText } from '../../util/json';
import { readParts } from '../reply/content-parts';
import { readReasoning, toReplay } from './reasoning-fields';
import type { TokenLimitKey } from './hosted-api-body';
import { INCLUDE_USAGE, toHostedApiBody } from './hosted-api-body';
import type { RawKeys } from '../request/merge-raw';
import { mergeInto } from '../request/merge-raw';
import { readCallTexts, readNativeCalls } from '../reply/native-calls';
import type { WireInput, WireReply, WireRequest } from '../wire-shapes';
import { writeRequest } from '../request/write-request';

/** Writes the request for `POST {host}/chat/completions`. */
export function toHostedApiRequest(
  input: WireInput,
  raw: RawKeys,
  tokenLimitKey: TokenLimitKey,
): WireRequest {
  const translated = toHostedApiBody(input, tokenLimitKey);
  const merged = mergeInto(translated, raw);
  const { body } = merged;
  if (!Object.hasOwn(raw ?? {}, 'stream_options')) {
    // A stream that only `raw` asks for, without a listener, reports its usage too.
    if (body['stream'] === true) body['stream_options'] = INCLUDE_USAGE;
    // Servers refuse this option in a request for an unstreamed reply.
    else if (body['stream_options'] !== undefined) delete body['stream_options'];
  }
  return writeRequest(merged);
}

/**
 * Servers disagree on `finish_reason` (vLLM says `stop` for a named tool, `tool_calls` without one), so only the presence of
 * `tool_calls` counts.
 * @param asked The model that was asked.
 * @returns one sentence instead when the document is not a chat completion
 */
export function fromHostedApiReply(document: unknown, asked?: string): WireReply | string {
  const choices = toRecord(document)['choices'];
  if (!isRecord(document) || !Array.isArray(choices)) return 'The reply has no choices.';
  const choice = findChoice(choices);
  if (!isRecord(choice['message'])) return 'The reply has no message in its first choice.';
  const message = toRecord(choice['message']);
  const { content, reasoning } = readContent(message);
  return {
    content,
    toolCalls: readNativeCalls(callsIn(message)),
    usage: readUsage(document['usage']),
    ...pruneUndefined({
      finishReason: toText(choice['finish_reason']),
      reasoning,
      model: toText(document['model']),
      replay: toReplay(message, asked),
    }),
  };
}

/** The calls of a reply for the exchange. */
export function readHostedApiCallTexts(document: unknown): ExchangeToolCall[] {
  const choices = toRecord(document)['choices'];
  const choice = findChoice(Array.isArray(choices) ? choices : []);
  return readCallTexts(callsIn(toRecord(choice['message'])));
}

/** With n > 1 the choices may come in any order; the one with the index 0 is the reply. */
const findChoice = (choices: readonly unknown[]): Record<string, unknown> =>
  toRecord(choices.find(isOfFirst) ?? choices[0]);

export function isOfFirst(choice: unknown): boolean {
  const { index } = toRecord(choice);
  return typeof index !== 'number' || index === 0;
}

/** The entries of the calls in a message, or in a piece of one; a call under its former name only if there is no other. */
export function callsIn(message: Record<string, unknown>): unknown[] {
  const { tool_calls: calls, function_call: former } = message;
  if (Array.isArray(calls) && calls.length > 0) return calls;
  return isRecord(former) ? [{ index: 0, function: former }] : [];
}

/** Content is a text, null, absent, or a list of parts (Mistral, including `thinking` parts). */
export function readContent(message: Record<string, unknown>): {
  content: string;
  reasoning: string | undefined;
} {
  const parts = readParts(message['content']);
  const named = readReasoning(message);
  if (!parts)
    return { content: toText(message['content']) ?? toText(message['refusal']) ?? '', reasoning: named };
  return { content: parts.content, reasoning: named ?? parts.reasoning };
}

export function readUsage(value: unknown): TokenUsage {
  const usage = toRecord(value);
  return pruneUndefined({
    promptTokens: toCount(usage['prompt_tokens']),
    completionTokens: toCount(usage['completion_tokens']),
    cachedTokens: toCount(toRecord(usage['prompt_tokens_details'])['cached_tokens']),
    reasoningTokens: toCount(toRecord(usage['completion_tokens_details'])['reasoning_tokens']),
  });
}
