// Knows which messages of the document each lane was sent, and which one is the draft. Messages are known by their ids; they
// are compared by their texts only for a conversation that was restored, and after a change from outside.
import type { DocumentMessage, PlaygroundDocument } from '../../protocol';
import type { Message } from '../../types';
import type { Lane } from './lane';
import type { Lanes } from './lanes';
import { PINNED_ID, toMessage } from './pending-messages';
import type { Item, MessageItem } from './transcript';

/** The messages of the document. */
export interface MessageSource {
  document: Pick<PlaygroundDocument, 'messages' | 'lanes'>;
  /** Whether the present document was made by somebody else. */
  isFromOutside: boolean;
  /** The messages that are for a lane. */
  messagesOf: (laneId: string) => readonly DocumentMessage[];
  idOf: (message: DocumentMessage) => string;
  /** The message as it is sent. */
  sent: { message: (message: DocumentMessage) => DocumentMessage };
}

interface Pending {
  /** What it was computed from. */
  from: readonly [messages: object, items: object | undefined];
  messages: readonly DocumentMessage[];
  unlike: MessageItem | undefined;
}

export class SentMessages {
  readonly #source: MessageSource;
  readonly #lanes: Pick<Lanes, 'find' | 'all'>;
  /** Ids of the messages that the items of conversations were sent as. */
  readonly #sentAs = new WeakMap<Item, string>();
  /** By lane id: the message for which the lane's work was started; it is sent after the messages before it. */
  readonly #sending = new Map<string, string>();
  /** By lane id, until the document or the conversation changes. */
  readonly #pending = new Map<string, Pending>();
  #draftId: string | undefined;
  #isLinkDue = false;

  constructor(source: MessageSource, lanes: Pick<Lanes, 'find' | 'all'>) {
    this.#source = source;
    this.#lanes = lanes;
  }

  /** The message that is being written; it is the last one of the document. */
  get draft(): DocumentMessage | undefined {
    const last = this.#source.document.messages.at(-1);
    return last && this.#source.idOf(last) === this.#draftId ? last : undefined;
  }

  /** Messages that were not yet sent in the lane: those after the last one that was. */
  pendingOf(laneId: string): readonly DocumentMessage[] {
    return this.#pendingIn(laneId).messages;
  }

  /** The first message of the conversation in whose place the document now has another one. */
  unlikeIn(laneId: string): MessageItem | undefined {
    return this.#pendingIn(laneId).unlike;
  }

  /** Messages that would be pending if the lane's conversation were this one. */
  pendingAfter(laneId: string, items: readonly Item[]): readonly DocumentMessage[] {
    return this.#compare(laneId, items).messages;
  }

  #pendingIn(laneId: string): Pending {
    const { document } = this.#source;
    const items = this.#lanes.find(laneId)?.items;
    const known = this.#pending.get(laneId);
    if (known?.from[0] === document.messages && known.from[1] === items) return known;
    const found: Pending = { from: [document.messages, items], ...this.#compare(laneId, items ?? []) };
    this.#pending.set(laneId, found);
    return found;
  }

  /** Compares the messages of the document with those that a conversation consists of. */
  #compare(laneId: string, items: readonly Item[]): Omit<Pending, 'from'> {
    const { idOf } = this.#source;
    const sent = items.filter((item): item is MessageItem => item.kind === 'message');
    const sentIds = sent.map((item) => this.#sentAs.get(item));
    const known = new Set(sentIds);
    const ofLane = this.#source.messagesOf(laneId);
    const end = ofLane.findLastIndex((message) => known.has(idOf(message))) + 1;
    const place = ofLane.slice(0, end).findIndex((message, index) => sentIds[index] !== idOf(message));
    return { messages: ofLane.slice(end), unlike: sent[place] };
  }

  /** Index in the document of the message that an item was sent as; undefined when the document no longer has it. */
  placeOf(item: Item | undefined): number | undefined {
    const id = item && this.#sentAs.get(item);
    const place = this.#source.document.messages.findIndex((message) => this.#source.idOf(message) === id);
    return place < 0 ? undefined : place;
  }

  /** The item that a lane was sent the message as. */
  itemOf({ items }: Lane, message: DocumentMessage): Item | undefined {
    return items.find((item) => this.#sentAs.get(item) === this.#source.idOf(message));
  }

  /** The item is no longer the message that it was sent as, which is about to be changed. */
  forget(item: Item): void {
    this.#sentAs.delete(item);
    this.#pending.clear();
  }

  /** Adds a message of the document to the conversation of a lane. */
  send(lane: Lane, message: DocumentMessage): void {
    const id = this.#source.idOf(message);
    this.#sentAs.set(lane.addMessage(toMessage(this.#source.sent.message(message))), id);
    if (id === this.#draftId) this.#draftId = undefined;
  }

  /** The work of a lane begins, at whose end this message is sent; until then it is no draft. */
  begin(laneId: string, message: DocumentMessage): void {
    this.#sending.set(laneId, this.#source.idOf(message));
    this.findDraft();
  }

  end(laneId: string): void {
    this.#sending.delete(laneId);
    this.findDraft();
  }

  /** To be called when the document has changed. */
  followDocument(): void {
    if (this.#source.isFromOutside || this.#isLinkDue) this.#link();
    this.#isLinkDue = false;
    this.findDraft();
  }

  /** To be called before an edit that adds messages which conversations have already. */
  linkAfterEdit(): void {
    this.#isLinkDue = true;
  }

  /** The draft is the last message of the document, unless it was sent. To be called when either may have changed. */
  findDraft(): void {
    const { document, idOf } = this.#source;
    const last = document.messages.at(-1);
    const id = last && idOf(last);
    const asked = document.lanes.filter((lane) => !last?.lanes || last.lanes.includes(lane.id));
    const isSent = asked.some(
      (lane) => this.#sending.get(lane.id) === id || !this.pendingOf(lane.id).some((each) => each === last),
    );
    this.#draftId = last?.role === 'user' && asked.length > 0 && !isSent ? id : undefined;
  }

  #link(): void {
    this.#pending.clear();
    for (const { id, items } of this.#lanes.all) {
      const messages = this.#source.messagesOf(id);
      const sent = items.filter((item): item is MessageItem => item.kind === 'message');
      const found = findPlaces(messages.map(this.#source.sent.message), sent);
      for (const [at, item] of sent.entries()) {
        const message = messages[found[at] ?? -1];
        if (message) this.#sentAs.set(item, this.#source.idOf(message));
        else this.#sentAs.delete(item);
      }
    }
  }
}

/** Compares without converting to the form that is sent, because there may be thousands. */
const isSame = (one: DocumentMessage, other: Message): boolean =>
  one.role === other.role &&
  one.content === other.content &&
  (one.role !== 'tool' || (one.toolCallId ?? PINNED_ID) === other.toolCallId);

/**
 * Finds the index in the document of each message of a conversation; undefined for a message that the document does not
 * have. Both are in the same order, so a text that occurs twice in the document is found twice.
 */
function findPlaces(
  messages: readonly DocumentMessage[],
  sent: readonly MessageItem[],
): (number | undefined)[] {
  const byText = new Map<string, number[]>();
  for (const [place, { content }] of messages.entries()) {
    const same = byText.get(content);
    if (same) same.push(place);
    else byText.set(content, [place]);
  }
  let next = 0;
  return sent.map(({ message }) => {
    const isMeant = (place: number): boolean => {
      const other = messages[place];
      return place >= next && other !== undefined && isSame(other, message);
    };
    const found = byText.get(message.content)?.find(isMeant);
    if (found !== undefined) next = found + 1;
    return found;
  });
}
