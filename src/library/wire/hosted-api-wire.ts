// The hosted chat-completion protocol (OpenAI's): neutral input → request body, reply → RawAssistant. Pure.
import type { TokenUsage } from '../../types';
import { pruneUndefined } from '../util/prune-undefined';
import { isRecord, toCount, toRecord, toText } from '../util/json';
import type { TokenLimitKey } from './hosted-api-body';
import { toHostedApiBody } from './hosted-api-body';
import type { RawKeys } from './merge-raw';
import { mergeRaw, stillSent } from './merge-raw';
import { readNativeCalls } from './native-calls';
import type { WireInput, WireReply, WireRequest } from './wire-shapes';

/** `POST {host}/chat/completions`. */
export function toHostedApiRequest(
  input: WireInput,
  raw: RawKeys,
  tokenLimitKey: TokenLimitKey,
): WireRequest {
  const { body, sent, dropped } = toHostedApiBody(input, tokenLimitKey);
  const { body: merged, overridden } = mergeRaw(body, raw);
  // servers refuse it beside a reply in one piece
  if (merged['stream'] !== true && !Object.hasOwn(raw ?? {}, 'stream_options'))
    delete merged['stream_options'];
  return { body: merged, sent: raw ? stillSent(sent, merged) : sent, dropped, overridden };
}

/**
 * @returns a sentence instead when the document is not a chat completion.
 * Servers disagree on `finish_reason` (vLLM says `stop` for a named tool, `tool_calls` without one): only the presence of
 * `tool_calls` counts.
 */
export function fromHostedApiReply(document: unknown): WireReply | string {
  const choices = toRecord(document)['choices'];
  if (!isRecord(document) || !Array.isArray(choices)) return 'The reply has no choices.';
  const choice = toRecord(choices[0]);
  if (!isRecord(choice['message'])) return 'The reply has no message in its first choice.';
  const message = toRecord(choice['message']);
  const { toolCalls, raw: calls } = readNativeCalls(
    message['tool_calls'] ?? legacyCall(message['function_call']),
  );
  const { content, reasoning } = readContent(message);
  return {
    raw: {
      content,
      toolCalls,
      usage: readUsage(document['usage']),
      ...pruneUndefined({
        finishReason: toText(choice['finish_reason']),
        reasoning,
        model: toText(document['model']),
      }),
    },
    calls,
  };
}

const legacyCall = (call: unknown): unknown[] => (isRecord(call) ? [{ function: call }] : []);

/**
 * Content is a text, null, absent, or a list of parts (Mistral: `thinking` parts among them). Reasoning has three names:
 * `reasoning_content` (llama-server, DeepSeek), `reasoning` (vLLM, Ollama, OpenRouter), `thinking`; or it comes as a list,
 * `reasoning_details` (OpenRouter), which mostly repeats one of them.
 */
export function readContent(message: Record<string, unknown>): {
  content: string;
  reasoning: string | undefined;
} {
  const parts = Array.isArray(message['content']) ? message['content'].map(toRecord) : undefined;
  const named =
    toText(message['reasoning_content']) ??
    toText(message['reasoning']) ??
    toText(message['thinking']) ??
    readDetails(message['reasoning_details']);
  if (!parts)
    return { content: toText(message['content']) ?? toText(message['refusal']) ?? '', reasoning: named };
  const texts = (type: string): string =>
    parts
      .filter((part) => part['type'] === type)
      .map((part) => partText(part[type]))
      .join('');
  return { content: texts('text'), reasoning: named ?? toText(texts('thinking')) };
}

/** Entries have a text or a summary; encrypted ones have neither. */
function readDetails(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const entries = details.map(toRecord);
  return toText(entries.map((entry) => toText(entry['text']) ?? toText(entry['summary']) ?? '').join(''));
}

function partText(value: unknown): string {
  if (!Array.isArray(value)) return toText(value) ?? '';
  return value.map((inner) => toText(toRecord(inner)['text']) ?? '').join('');
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

/** `GET {host}/models`. */
export function fromHostedApiModels(document: unknown): string[] {
  const data = toRecord(document)['data'];
  const ids = Array.isArray(data) ? data.map((entry) => toText(toRecord(entry)['id'])) : [];
  return ids.filter((id) => id !== undefined);
}
