// The calls that a conversation left open, and their answers at their place in it. Pure.
import type { Message, ProviderToolCall, ToolResult } from '../../types';

/** Calls of the last assistant message that no tool message right after it answers; in their order. */
export function findOpenCalls(messages: readonly Message[]): ProviderToolCall[] {
  const { calls, given } = splitAtLastCalls(messages);
  const answered = new Set(given.map(({ toolCallId }) => toolCallId));
  return calls.filter(({ id }) => !answered.has(id));
}

/**
 * The conversation with these answers, all answers of one turn in the order of its calls.
 * @param answers To calls that `findOpenCalls` found.
 */
export function withAnswers(messages: readonly Message[], answers: readonly Message[]): Message[] {
  const { before, calls, given, after } = splitAtLastCalls(messages);
  const all = [...given, ...answers];
  // of two calls with one id, which a server may send, the first has the say
  const places = new Map(calls.map(({ id }, index) => [id, index] as const).toReversed());
  const place = ({ toolCallId = '' }: Message): number => places.get(toolCallId) ?? -1;
  return [...before, ...all.toSorted((one, other) => place(one) - place(other)), ...after];
}

/** What the model is told of a result. */
export function toAnswer({ callId, output, isError }: ToolResult, toolName: string | undefined): Message {
  const answer: Message = { role: 'tool', content: output, toolName, toolCallId: callId };
  return isError ? { ...answer, isError } : answer;
}

interface Split {
  /** Up to the message that asked, which is its last. */
  before: readonly Message[];
  calls: readonly ProviderToolCall[];
  /** The answers that are there. */
  given: readonly Message[];
  after: readonly Message[];
}

function splitAtLastCalls(messages: readonly Message[]): Split {
  const asked = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const rest = messages.slice(asked);
  const other = rest.findIndex(({ role }) => role !== 'tool');
  const end = asked + (other < 0 ? rest.length : other);
  return {
    before: messages.slice(0, asked),
    calls: messages[asked - 1]?.toolCalls ?? [],
    given: messages.slice(asked, end),
    after: messages.slice(end),
  };
}
