// Tells which messages of the document were already sent in a lane, and which are pending. Pure.
import type { DocumentMessage } from '../protocol';
import type { Message, ProviderToolCall } from '../types';
import type { Item } from './transcript';

/** Call id of a pinned tool message without one: the id of the first call in the message before it. */
const PINNED_ID = 'pinned_1';

/** The messages of a conversation without the replies. */
const sentOf = (items: readonly Item[]): Message[] =>
  items.flatMap((item) => (item.kind === 'message' ? [item.message] : []));

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

/** Compares without converting to the form that is sent, because this is called often. */
const isSame = (one: DocumentMessage, other: Message): boolean =>
  one.role === other.role &&
  one.content === other.content &&
  (one.role !== 'tool' || (one.toolCallId ?? PINNED_ID) === other.toolCallId);

/**
 * Finds the index in the document of each message of a conversation; undefined for a message that the document does not
 * have. Both are in the same order, so a text that occurs twice in the document is found twice.
 */
function findPlaces(messages: readonly DocumentMessage[], sent: readonly Message[]): (number | undefined)[] {
  const byText = new Map<string, { place: number; message: DocumentMessage }[]>();
  for (const [place, message] of messages.entries()) {
    const same = byText.get(message.content);
    if (same) same.push({ place, message });
    else byText.set(message.content, [{ place, message }]);
  }
  let next = 0;
  return sent.map((message) => {
    const found = byText
      .get(message.content)
      ?.find(({ place, message: other }) => place >= next && isSame(other, message));
    if (found) next = found.place + 1;
    return found?.place;
  });
}

/** The messages after the last one that was sent; all messages when the conversation has none of them. */
export function pendingMessages(
  messages: readonly DocumentMessage[],
  items: readonly Item[],
): DocumentMessage[] {
  const last = findPlaces(messages, sentOf(items)).findLast((place) => place !== undefined);
  return last === undefined ? [...messages] : messages.slice(last + 1);
}

const NO_ITEMS: readonly Item[] = [];

export interface MessageSource {
  document: { messages: readonly DocumentMessage[] };
  /** The messages that are for a lane. */
  messagesOf: (laneId: string) => readonly DocumentMessage[];
}

/** The pending messages of each lane, cached until the document or the conversation changes. */
export class PendingByLane {
  readonly #known = new Map<
    string,
    { messages: object; items: readonly Item[]; pending: DocumentMessage[] }
  >();

  of(laneId: string, source: MessageSource, items: readonly Item[] = NO_ITEMS): DocumentMessage[] {
    const { messages } = source.document;
    const known = this.#known.get(laneId);
    if (known?.messages === messages && known.items === items) return known.pending;
    const pending = pendingMessages(source.messagesOf(laneId), items);
    this.#known.set(laneId, { messages, items, pending });
    return pending;
  }
}

/** Whether the model is asked after this message. It is not when the next message is pinned: that is the answer then. */
export function isAsked(messages: readonly DocumentMessage[], index: number): boolean {
  return messages[index]?.role === 'user' && !['assistant', 'tool'].includes(messages[index + 1]?.role ?? '');
}

/** Index in the document of a message of a lane's conversation; undefined when the document no longer has it. */
export function findSent(
  all: readonly DocumentMessage[],
  ofLane: readonly DocumentMessage[],
  items: readonly Item[],
  itemId: string,
): number | undefined {
  const position = items.filter(({ kind }) => kind === 'message').findIndex(({ id }) => id === itemId);
  const place = findPlaces(ofLane, sentOf(items))[position];
  const message = place === undefined ? undefined : ofLane[place];
  return message && all.indexOf(message);
}
