// Translates neutral input into the body of Ollama's chat request, before the raw keys are merged into it, and a recorded
// body back. Pure.
import type { Message, NeutralRequest, Role } from '../../../types';
import { translateSampling } from '../../sampling/translate-sampling';
import type { WireSampling } from '../sampling-keys';
import { LOCAL_HOST_SAMPLING_KEYS } from '../sampling-keys';
import { toText } from '../../util/json';
import { toArgumentsObject } from '../reply/tool-arguments';
import type { RecordedBody } from '../request/read-request';
import { readMessages, readRequest, readTools } from '../request/read-request';
import { readReplay } from '../request/replay';
import { linkToolResults } from '../request/tool-results';
import type { WireTool } from '../request/tools';
import { toWireTools } from '../request/tools';
import type { TranslatedInput, WireInput } from '../wire-shapes';
import { toResultText } from '../wire-shapes';
import { TIDY_LOCAL_HOST } from './local-host-forms';

/** Body of `POST {host}/api/chat`. `stream` is always sent, because the server's own default is true. */
export interface LocalHostBody {
  model: string;
  messages: LocalHostMessage[];
  stream: boolean;
  tools?: WireTool[];
  /** Absent when empty. */
  options?: WireSampling<typeof LOCAL_HOST_SAMPLING_KEYS>;
}

export interface LocalHostMessage {
  role: Role;
  content: string;
  thinking?: string;
  tool_calls?: LocalHostToolCall[];
  tool_name?: string;
  tool_call_id?: string;
}

export interface LocalHostToolCall {
  id: string;
  function: { name: string; arguments: Record<string, unknown> };
}

export function toLocalHostBody(input: WireInput): TranslatedInput<LocalHostBody> {
  const { model, tools, messages, sampling, toolChoice, isStreaming } = input;
  const { params, sent, dropped } = translateSampling(sampling, LOCAL_HOST_SAMPLING_KEYS);
  const replaced: string[] = [];
  const body: LocalHostBody = {
    model,
    messages: linkToolResults(messages).map((message, index) => toMessage(message, index, replaced)),
    stream: isStreaming,
    ...(tools.length > 0 && { tools: toWireTools(tools) }),
    ...(Object.keys(params).length > 0 && { options: params }),
  };
  // The protocol has no field for it.
  if (toolChoice !== undefined && tools.length > 0) dropped.push('toolChoice');
  return { body, sent: prefix(sent), dropped, replaced };
}

/**
 * Built field by field, because the server refuses what it does not expect (arguments as text, content as a list).
 * @param replaced Receives the paths of values that were replaced or left out.
 */
function toMessage(message: Message, index: number, replaced: string[]): LocalHostMessage {
  const { role, content, toolCalls = [], toolName, toolCallId, reasoning } = message;
  if (role === 'tool') {
    return {
      role,
      content: toResultText(message),
      ...(toolName !== undefined && { tool_name: toolName }),
      ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    };
  }
  const calls = toolCalls.map(({ id, name, arguments: args }, place) => {
    const object = toArgumentsObject(args);
    if (!object) replaced.push(`messages[${index}].tool_calls[${place}].function.arguments`);
    return { id, function: { name, arguments: object ?? {} } };
  });
  // The neutral reasoning is what the server wants back, so replay data can only be that of another provider.
  readReplay(message, index, undefined, replaced);
  return {
    role,
    content,
    ...(reasoning !== undefined && { thinking: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Prefixes the keys with `options.`, their place in the body. */
function prefix(sent: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(sent).map(([neutral, key]) => [neutral, `options.${key}`]));
}

/** Reads a body back into the input that makes it; see `readRequest`. */
export const readLocalHostBody = (recorded: RecordedBody): NeutralRequest =>
  readRequest(recorded, {
    keys: { messages: 'messages', tools: 'tools' },
    sampling: { keys: LOCAL_HOST_SAMPLING_KEYS, within: 'options' },
    tidy: TIDY_LOCAL_HOST,
    read: ({ model, messages, tools, stream }) => ({
      model: toText(model) ?? '',
      messages: readMessages(messages),
      tools: readTools(tools),
      isStreaming: stream !== false,
    }),
    write: (input) => toLocalHostBody(input).body,
  });
