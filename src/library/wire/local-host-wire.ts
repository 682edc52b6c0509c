// Ollama's chat protocol: neutral input → request body, reply → RawAssistant. Pure; its snake_case stays here.
import type { ExchangeToolCall } from '../../types';
import { pruneUndefined } from '../util/prune-undefined';
import { isRecord, toCount, toRecord, toText } from '../util/json';
import { toLocalHostBody } from './local-host-body';
import type { RawKeys } from './merge-raw';
import { mergeInto } from './merge-raw';
import { readCallTexts, readNativeCalls } from './native-calls';
import type { WireInput, WireReply, WireRequest } from './wire-shapes';
import { writeRequest } from './write-request';

/** `POST {host}/api/chat`. */
export function toLocalHostRequest(input: WireInput, raw: RawKeys): WireRequest {
  return writeRequest(mergeInto(toLocalHostBody(input), raw, 'options'));
}

/**
 * @returns a sentence instead when the document is not a chat reply.
 * `done_reason` says `stop` for tool calls too: whether there are any is decided by `tool_calls` alone.
 */
export function fromLocalHostReply(document: unknown): WireReply | string {
  if (!isRecord(document) || !isRecord(document['message'])) return 'The reply has no message.';
  if (document['done'] === false) return 'The reply ends before it is done.';
  const message = toRecord(document['message']);
  return {
    content: toText(message['content']) ?? '',
    toolCalls: readNativeCalls(message['tool_calls']),
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
  };
}

/** For the exchange: the calls of a document that is a reply. */
export const readLocalHostCallTexts = (document: unknown): ExchangeToolCall[] =>
  readCallTexts(toRecord(toRecord(document)['message'])['tool_calls']);
