// Reads what a scripted model needs from a conversation. Pure, independent of protocols.
import type { Message, ProviderToolCall } from '../../types';

/** A tool result that is not answered yet, with the arguments of its call if the call can be found. */
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

/** Whether the conversation has a tool result. */
export function hasToolResult(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === 'tool');
}

/** The tool results at the end of the conversation, in its order; empty when the last message is no tool result. */
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

/** Finds the call by id, else by name, else by position, because small servers and templates omit ids. */
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
