// What the messages of the document are for the model: the form in which they are sent, and which of them it is asked after.
// Pure.
import type { DocumentMessage } from '../../protocol';
import type { Message, ProviderToolCall } from '../../types';

/** Call id of a pinned tool message without one: the id of the first call in the message before it. */
export const PINNED_ID = 'pinned_1';

/**
 * Converts to the form that is sent. A pinned call without an id gets one from its index, so that its result refers to it.
 */
export function toMessage({ role, content, ...rest }: DocumentMessage): Message {
  const { toolCalls, toolCallId, toolName, isError } = rest;
  const calls = toolCalls?.map(({ id, name, arguments: args }, index): ProviderToolCall => ({
    id: id ?? `pinned_${index + 1}`,
    name,
    arguments: args ?? {},
    source: 'native',
  }));
  return {
    role,
    content,
    ...(calls && { toolCalls: calls }),
    ...(role === 'tool' && { toolCallId: toolCallId ?? PINNED_ID }),
    ...(toolName !== undefined && { toolName }),
    ...(isError !== undefined && { isError }),
  };
}

/**
 * Whether the model is asked after this message. It is not when the next message is pinned: that is the answer then. A result at
 * the end is what an agent asks with.
 */
export function isAsked(messages: readonly DocumentMessage[], index: number): boolean {
  const [message, next] = messages.slice(index, index + 2);
  if (message?.role === 'tool') return !next;
  return message?.role === 'user' && !['assistant', 'tool'].includes(next?.role ?? '');
}

export const hasQuestion = (messages: readonly DocumentMessage[]): boolean =>
  messages.some((_message, index) => isAsked(messages, index));
