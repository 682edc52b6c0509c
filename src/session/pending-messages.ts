// Which messages of the document a lane has been sent already, and which are still to come. Pure.
import type { DocumentMessage } from '../protocol';
import type { Message, ProviderToolCall } from '../types';
import type { Item } from './transcript';

/** Of a pinned tool message that names no call: the first of the message before it. */
const PINNED_ID = 'pinned_1';

/** The messages of a conversation, without the replies. */
const sentOf = (items: readonly Item[]): Message[] =>
  items.flatMap((item) => (item.kind === 'message' ? [item.message] : []));

/** As it is sent: a pinned call that has no id gets one by its place, so that its answer finds it. */
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

/** Without what it would be sent as: this is asked often. */
const isSame = (one: DocumentMessage, other: Message): boolean =>
  one.role === other.role &&
  one.content === other.content &&
  (one.role !== 'tool' || (one.toolCallId ?? PINNED_ID) === other.toolCallId);

/**
 * For each message of a conversation its place in the document; undefined for one that the document does not have. Both
 * are in the same order, so a text that stands there twice is found twice.
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

/** What comes after the last one that was sent: all of a document that has nothing of the conversation. */
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
  /** The messages that a lane is sent. */
  messagesOf: (laneId: string) => readonly DocumentMessage[];
}

/** What is pending in each lane; worked out anew only for another document or another conversation. */
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

/** Whether the model is asked after this message: a pinned answer behind it is its answer. */
export function isAsked(messages: readonly DocumentMessage[], index: number): boolean {
  return messages[index]?.role === 'user' && !['assistant', 'tool'].includes(messages[index + 1]?.role ?? '');
}

/** The index in the document of a message of a lane's conversation; undefined when the document has it no more. */
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
