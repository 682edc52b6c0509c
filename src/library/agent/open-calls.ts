// Finds the open calls of a conversation, and inserts their results. Pure.
import type { Message, ProviderToolCall, ToolResult } from '../../types';

/**
 * Calls of the last assistant message for which no tool message directly follows, in the order of the calls.
 * @param messages Their results must have the ids of their calls.
 */
export function findOpenCalls(messages: readonly Message[]): ProviderToolCall[] {
  const { calls, given } = splitAtLastCalls(messages);
  // A history written by hand may have two calls with the same id; each result answers one of them.
  const answers = new Map<string | undefined, number>();
  for (const { toolCallId } of given) answers.set(toolCallId, (answers.get(toolCallId) ?? 0) + 1);
  return calls.filter(({ id }) => {
    const left = answers.get(id) ?? 0;
    if (left > 0) answers.set(id, left - 1);
    return left === 0;
  });
}

/**
 * The conversation with these results inserted. All results of the turn are in the order of its calls.
 * @param answers Results of calls that `findOpenCalls` returned.
 */
export function withAnswers(messages: readonly Message[], answers: readonly Message[]): Message[] {
  const { before, calls, given, after } = splitAtLastCalls(messages);
  const all = [...given, ...answers];
  // A server may send two calls with the same id; the position of the first one counts, hence the reversed order.
  const places = new Map(calls.map(({ id }, index) => [id, index] as const).toReversed());
  const place = ({ toolCallId = '' }: Message): number => places.get(toolCallId) ?? -1;
  return [...before, ...all.toSorted((one, other) => place(one) - place(other)), ...after];
}

/** The message with which the model gets a result. */
export function toAnswer({ callId, output, isError }: ToolResult, toolName: string | undefined): Message {
  const answer: Message = { role: 'tool', content: output, toolName, toolCallId: callId };
  return isError ? { ...answer, isError } : answer;
}

interface Split {
  /** Up to and including the message with the calls. */
  before: readonly Message[];
  calls: readonly ProviderToolCall[];
  /** The results that the conversation already has. */
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
