// Ollama's chat protocol: neutral input → request body, reply → RawAssistant. Pure; its snake_case stays here.
import type { Message } from '../../types';
import { translateSampling } from '../sampling/translate-sampling';
import { pruneUndefined } from '../util/prune-undefined';
import { isRecord, toCount, toRecord, toText } from '../util/json';
import { mergeRaw } from './merge-raw';
import { readNativeCalls } from './native-calls';
import type { WireInput, WireReply, WireRequest } from './wire-shapes';
import { toResultText } from './wire-shapes';
import { LOCAL_HOST_SAMPLING_KEYS } from './sampling-keys';
import { toArgumentsObject } from './tool-arguments';
import { toWireTools } from './tools';

/** `POST {host}/api/chat`. `stream` is always sent: the server's own default is true. */
export function toLocalHostRequest({
  model,
  tools,
  messages,
  sampling,
  raw,
  isStreaming,
}: WireInput): WireRequest {
  const { params, sent, dropped } = translateSampling(sampling, LOCAL_HOST_SAMPLING_KEYS);
  const body = {
    model,
    messages: messages.map(toLocalHostMessage),
    stream: isStreaming,
    ...(tools.length > 0 && { tools: toWireTools(tools) }),
    ...(Object.keys(params).length > 0 && { options: params }),
  };
  return { ...mergeRaw(body, raw, 'options'), sent: prefix(sent), dropped };
}

/** Field by field, since the server refuses what it does not expect (arguments as text, content as a list). */
function toLocalHostMessage(message: Message): Record<string, unknown> {
  const { role, content, toolCalls, toolName, toolCallId, reasoning } = message;
  if (role === 'tool') {
    return pruneUndefined({
      role,
      content: toResultText(message),
      tool_name: toolName,
      tool_call_id: toolCallId,
    });
  }
  const calls = toolCalls?.map(({ id, name, arguments: args }) => ({
    id,
    function: { name, arguments: toArgumentsObject(args) },
  }));
  return pruneUndefined({
    role,
    content,
    thinking: reasoning,
    tool_calls: calls?.length ? calls : undefined,
  });
}

/** `options.` shows where the key went. */
function prefix(sent: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(sent).map(([neutral, key]) => [neutral, `options.${key}`]));
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
