// What a scripted model needs to see in a conversation. Pure; it knows no protocol.
import type { Message, ProviderToolCall } from '../types';

/** One tool result that still waits for an answer, with the call it answers when that can be told. */
export interface PendingResult {
  toolName: string;
  arguments: unknown;
  content: string;
  isError: boolean;
}

/** The text of the last user message; '' when there is none. */
export function lastUserText(messages: readonly Message[]): string {
  return messages.findLast((message) => message.role === 'user')?.content ?? '';
}

/** Whether any tool has answered yet. */
export function hasToolResult(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === 'tool');
}

/** The tool results at the end of the conversation, oldest first; empty when the last word is not a tool's. */
export function pendingResults(messages: readonly Message[]): PendingResult[] {
  const firstResult = messages.findLastIndex((message) => message.role !== 'tool') + 1;
  const calls = messages.slice(0, firstResult).findLast((message) => message.role === 'assistant')?.toolCalls;
  return messages.slice(firstResult).map((message, index) => {
    const call = findAnsweredCall(message, index, calls ?? []);
    return {
      toolName: message.toolName ?? call?.name ?? 'tool',
      arguments: call?.arguments,
      content: message.content,
      isError: message.isError ?? false,
    };
  });
}

/** By id, else by name, else by place: small servers and templates leave ids out. */
function findAnsweredCall(
  result: Message,
  index: number,
  calls: readonly ProviderToolCall[],
): ProviderToolCall | undefined {
  return (
    calls.find((call) => call.id !== '' && call.id === result.toolCallId) ??
    calls.find((call) => call.name === result.toolName) ??
    calls[index]
  );
}
