// Checks and completes what a provider's own code returned, so that later code can rely on its shape. Independent of
// protocols.
import type { ProviderToolCall, RawAssistant, ReplayData, TokenUsage } from '../../../types';
import type { CallContext } from '../../transport/call-context';
import { isJsonSafe, isRecord, toCount, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { readRefusal } from '../../wire/reply/refusal';
import { uniqueId } from '../../wire/reply/native-calls';
import { moreThan, REPLY_LIMIT } from '../../wire/reply/reply-limit';
import { ArgumentsReader } from '../../wire/reply/tool-arguments';

/**
 * A custom provider may omit what it does not know, whatever the type demands, and may pass on the calls of its server:
 * arguments that are JSON text are parsed, and repeated ids made unique. Unknown members are dropped.
 * @returns one sentence instead when a member is invalid
 */
export function completeReply(reply: unknown, { attempts, translation }: CallContext): RawAssistant | string {
  const given = reply ?? {};
  if (!isRecord(given)) return 'chatInternal returned no object.';
  const content = given['content'] ?? '';
  if (typeof content !== 'string') return 'The content that chatInternal returned is not a text.';
  // The built-in providers have read theirs already; a value that is a text then stays one.
  const isRead = translation !== undefined;
  const toolCalls = readCalls(given['toolCalls'] ?? [], isRead);
  if (typeof toolCalls === 'string') return toolCalls;
  return {
    content,
    toolCalls,
    usage: readTokenUsage(given['usage']),
    attempts: toCount(given['attempts']) ?? attempts,
    ...pruneUndefined({
      finishReason: toString(given['finishReason']),
      reasoning: toString(given['reasoning']),
      model: toString(given['model']),
      replay: readReplayData(given['replay']),
      refusal: readRefusal(given['refusal']),
    }),
  };
}

/** The token counts; unknown ones, and values that are no counts, are omitted. */
export function readTokenUsage(usage: unknown): TokenUsage {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = toRecord(usage);
  return pruneUndefined({
    promptTokens: toCount(promptTokens),
    completionTokens: toCount(completionTokens),
    cachedTokens: toCount(cachedTokens),
    reasoningTokens: toCount(reasoningTokens),
  });
}

/** @returns undefined for anything that is not replay data */
function readReplayData(given: unknown): ReplayData | undefined {
  const { provider, model, origin, data } = toRecord(given);
  if (typeof provider !== 'string' || data === undefined || !isJsonSafe(data)) return undefined;
  return { provider, ...pruneUndefined({ model: toString(model), origin: toString(origin) }), data };
}

const toString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function readCalls(calls: unknown, isRead: boolean): ProviderToolCall[] | string {
  if (!Array.isArray(calls)) return 'The toolCalls that chatInternal returned are not a list.';
  if (calls.length > REPLY_LIMIT.calls)
    return `chatInternal returned ${moreThan(REPLY_LIMIT.calls, 'toolCalls')}.`;
  const reader = new ArgumentsReader();
  const read: ProviderToolCall[] = [];
  const seen = new Map<string, number>();
  for (const [index, call] of calls.entries()) {
    const { id, name, arguments: given, source, extraContent } = toRecord(call);
    if (typeof name !== 'string' || name === '') return `toolCalls[${index}] has no name.`;
    if (!isJsonSafe(given)) return `The arguments of toolCalls[${index}] are not a JSON value.`;
    read.push({
      id: uniqueId(toText(id), seen).id,
      name,
      arguments: isRead ? (given ?? {}) : reader.read(given).value,
      source: source === 'rescued' ? source : 'native',
      ...(isRecord(extraContent) && isJsonSafe(extraContent) && { extraContent }),
    });
  }
  return read;
}
