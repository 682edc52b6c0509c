// Links tool results with the calls that they answer. Independent of protocols.
import type { Message, ProviderToolCall } from '../../../types';

/**
 * Ollama identifies the call of a result by the tool's name, the hosted protocol by the call's id. A result that has only
 * one of them (a history written by hand, or for the other server) gets the other from the calls of the turn before it.
 */
export function linkToolResults(messages: readonly Message[]): Message[] {
  let open: OpenCalls | undefined;
  return messages.map((message) => {
    if (message.role === 'assistant' && message.toolCalls) open = new OpenCalls(message.toolCalls);
    if (message.role !== 'tool') return message;
    const call = open?.take(message);
    if (!call) return message;
    return { ...message, toolCallId: message.toolCallId ?? call.id, toolName: message.toolName ?? call.name };
  });
}

/** A queue of calls; those that were taken through another queue are skipped. */
interface CallQueue {
  calls: ProviderToolCall[];
  next: number;
}

/**
 * The calls of one turn that have no result yet, in queues, because a turn may have tens of thousands of calls and results.
 */
class OpenCalls {
  readonly #all: CallQueue;
  readonly #byId = new Map<string, CallQueue>();
  readonly #byName = new Map<string, CallQueue>();
  readonly #taken = new Set<ProviderToolCall>();

  constructor(calls: readonly ProviderToolCall[]) {
    // Copies, because one object may be listed as two calls.
    this.#all = { calls: calls.map((call) => ({ ...call })), next: 0 };
    for (const call of this.#all.calls) {
      addTo(this.#byId, call.id, call);
      addTo(this.#byName, call.name, call);
    }
  }

  /**
   * Takes the first call that the result may answer: by its id or, without one, by its name or, without either, any call.
   */
  take({ toolCallId, toolName }: Message): ProviderToolCall | undefined {
    if (toolCallId !== undefined) return this.#takeFrom(this.#byId.get(toolCallId));
    return this.#takeFrom(toolName === undefined ? this.#all : this.#byName.get(toolName));
  }

  #takeFrom(line: CallQueue | undefined): ProviderToolCall | undefined {
    if (!line) return undefined;
    for (let call = line.calls[line.next]; call; call = line.calls[line.next]) {
      line.next += 1;
      if (this.#taken.has(call)) continue;
      this.#taken.add(call);
      return call;
    }
    return undefined;
  }
}

function addTo(lines: Map<string, CallQueue>, key: string, call: ProviderToolCall): void {
  const line = lines.get(key);
  if (line) line.calls.push(call);
  else lines.set(key, { calls: [call], next: 0 });
}
