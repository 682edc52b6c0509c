// Tool results and the calls that they answer. Knows no protocol.
import type { Message, ProviderToolCall } from '../../types';

/**
 * Ollama knows a result by the tool's name, the hosted protocol by the call's id. A result that tells only one of them
 * (a history written by hand, or for the other server) gets the other from the calls of the turn before it.
 */
export function linkToolResults(messages: readonly Message[]): Message[] {
  let open: ProviderToolCall[] = [];
  return messages.map((message) => {
    if (message.role === 'assistant' && message.toolCalls) open = [...message.toolCalls];
    if (message.role !== 'tool') return message;
    const place = open.findIndex((call) => isAnsweredBy(call, message));
    const [call] = place < 0 ? [] : open.splice(place, 1);
    if (!call) return message;
    return { ...message, toolCallId: message.toolCallId ?? call.id, toolName: message.toolName ?? call.name };
  });
}

function isAnsweredBy({ id, name }: ProviderToolCall, { toolCallId, toolName }: Message): boolean {
  return toolCallId === undefined ? toolName === undefined || name === toolName : id === toolCallId;
}
