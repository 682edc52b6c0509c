// Translates Ollama's chat protocol: neutral input to request body, reply to RawAssistant. Pure. Its snake_case keys stay
// here.
import type { ExchangeToolCall } from '../../../types';
import { pruneUndefined } from '../../util/prune-undefined';
import { isRecord, toCount, toRecord, toText } from '../../util/json';
import { readParts } from '../reply/content-parts';
import { toLocalHostBody } from './local-host-body';
import type { RawKeys } from '../request/merge-raw';
import { mergeInto } from '../request/merge-raw';
import { readCallTexts, readNativeCalls } from '../reply/native-calls';
import type { WireInput, WireReply, WireRequest } from '../wire-shapes';
import { writeRequest } from '../request/write-request';

/** The server sends a stream unless the body says otherwise. */
export const STREAMS_BY_DEFAULT = true;

/** Writes the request for `POST {host}/api/chat`. */
export function toLocalHostRequest(input: WireInput, raw: RawKeys): WireRequest {
  return writeRequest(mergeInto(toLocalHostBody(input), raw, { nested: 'options' }), STREAMS_BY_DEFAULT);
}

/**
 * `done_reason` is `stop` for tool calls too, so only the presence of `tool_calls` counts.
 * @returns one sentence instead when the document is not a chat reply
 */
export function fromLocalHostReply(document: unknown): WireReply | string {
  if (!isRecord(document) || !isRecord(document['message'])) return 'The reply has no message.';
  if (document['done'] === false) return 'The reply ends before it is done.';
  const message = toRecord(document['message']);
  const { content, reasoning } = readLocalHostContent(message);
  return {
    content,
    toolCalls: readNativeCalls(message['tool_calls']),
    // The server omits counts of zero, so zero cannot be distinguished from unknown.
    usage: pruneUndefined({
      promptTokens: toCount(document['prompt_eval_count']),
      completionTokens: toCount(document['eval_count']),
    }),
    ...pruneUndefined({
      finishReason: toText(document['done_reason']),
      reasoning,
      model: toText(document['model']),
    }),
  };
}

/** Ollama sends texts; servers that imitate it may send a list of parts, as the hosted protocol allows. */
export function readLocalHostContent(message: Record<string, unknown>): {
  content: string;
  reasoning: string | undefined;
} {
  const { content, thinking } = message;
  const parts = readParts(content);
  return {
    content: parts?.content ?? toText(content) ?? '',
    reasoning: toText(thinking) ?? parts?.reasoning,
  };
}

/** The calls of a reply for the exchange. */
export const readLocalHostCallTexts = (document: unknown): ExchangeToolCall[] =>
  readCallTexts(toRecord(toRecord(document)['message'])['tool_calls']);
