// Ollama's chat protocol: neutral input → request body, reply → RawAssistant. Pure; its snake_case stays here.
import { pruneUndefined } from '../util/prune-undefined';
import { isRecord, toCount, toRecord, toText } from '../util/json';
import { toLocalHostBody } from './local-host-body';
import type { RawKeys } from './merge-raw';
import { mergeRaw, stillSent } from './merge-raw';
import { readNativeCalls } from './native-calls';
import type { WireInput, WireReply, WireRequest } from './wire-shapes';

/** `POST {host}/api/chat`. */
export function toLocalHostRequest(input: WireInput, raw: RawKeys): WireRequest {
  const { body, sent, dropped, replaced = [] } = toLocalHostBody(input);
  const { body: merged, overridden } = mergeRaw(body, raw, 'options');
  return {
    body: merged,
    sent: raw ? stillSent(sent, merged) : sent,
    dropped,
    overridden,
    replaced: merged['messages'] === body.messages ? replaced : [],
  };
}

/**
 * @returns a sentence instead when the document is not a chat reply.
 * `done_reason` says `stop` for tool calls too: whether there are any is decided by `tool_calls` alone.
 */
export function fromLocalHostReply(document: unknown): WireReply | string {
  if (!isRecord(document) || !isRecord(document['message'])) return 'The reply has no message.';
  if (document['done'] === false) return 'The reply ends before it is done.';
  const message = toRecord(document['message']);
  const { toolCalls, raw: calls } = readNativeCalls(message['tool_calls']);
  return {
    raw: {
      content: toText(message['content']) ?? '',
      toolCalls,
      // the server leaves out what is zero, so zero is never told apart from unknown
      usage: pruneUndefined({
        promptTokens: toCount(document['prompt_eval_count']),
        completionTokens: toCount(document['eval_count']),
      }),
      ...pruneUndefined({
        finishReason: toText(document['done_reason']),
        reasoning: toText(message['thinking']),
        model: toText(document['model']),
      }),
    },
    calls,
  };
}

/** `GET {host}/api/tags`. */
export function fromLocalHostModels(document: unknown): string[] {
  const models = toRecord(document)['models'];
  const names = Array.isArray(models) ? models.map((entry) => toText(toRecord(entry)['name'])) : [];
  return names.filter((name) => name !== undefined);
}
