// Reads the event stream of the Responses API: emits deltas, and assembles the document that an unstreamed reply would have
// been. What an item is at its end counts more than its pieces, and these more than the list at the end of the reply.
import type { ChatDelta, PartialReply } from '../../../types';
import type { StreamReader } from '../../transport/client/stream-reader';
import type { JsonRecord } from '../../util/json';
import { isRecord, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import type { TextPath, Unread } from '../../util/similar-json';
import { EventDocuments } from '../reply/event-documents';
import { toGivenText } from '../reply/native-calls';
import { checkCallCount, checkPartCount, checkTextLength } from '../reply/reply-limit';
import { readUnparsedRest, SERVER_PARSE_FAILURE, toServerFailure } from '../reply/server-words';
import { toDelta, toPartial } from '../reply/to-delta';
import { textOf } from './responses-replay';
import { readResponsesUsage, reasoningOf } from './responses-wire';

const TEXTS: readonly TextPath[] = [['delta']];
const UNREAD: Unread = {
  // Random characters that hide the length of the text.
  texts: [['obfuscation']],
  numbers: [['sequence_number']],
};

/** An item as it grows. */
interface OpenItem {
  /** As it was opened or, once it is closed, as it is. */
  item: JsonRecord;
  /** The pieces so far: of a text, of reasoning, or of the arguments of a call. */
  text: string;
  /** Index among the calls of the reply; undefined for any other item. */
  call: number | undefined;
  isClosed: boolean;
}

/** The piece of an item in an event. */
interface Piece {
  /** Of the item. */
  type: string;
  key: string;
  /** Whether it repeats the pieces before it. */
  isWhole: boolean;
}

const toPieces = (name: string, type: string, wholeKey: string): [string, Piece][] => [
  [`response.${name}.delta`, { type, key: 'delta', isWhole: false }],
  [`response.${name}.done`, { type, key: wholeKey, isWhole: true }],
];

/** By the type of the event. */
const PIECES: ReadonlyMap<string, Piece> = new Map([
  ...toPieces('output_text', 'message', 'text'),
  ...toPieces('refusal', 'message', 'refusal'),
  ...toPieces('reasoning_text', 'reasoning', 'text'),
  ...toPieces('reasoning_summary_text', 'reasoning', 'text'),
  ...toPieces('function_call_arguments', 'function_call', 'arguments'),
]);

export class ResponsesStream implements StreamReader {
  readonly #emit: (delta: ChatDelta) => void;
  readonly #events: EventDocuments;
  readonly #items: OpenItem[] = [];
  readonly #byIndex = new Map<unknown, OpenItem>();
  /** By the id of the item, and by that of its call. */
  readonly #byId = new Map<unknown, OpenItem>();
  /** By the type of the item, in their order. Closed ones are dropped when they are the last. */
  readonly #openByType = new Map<unknown, OpenItem[]>();
  #callCount = 0;
  /** Of text, reasoning and arguments. */
  #textLength = 0;
  #response: JsonRecord | undefined;
  #isDone = false;
  #whole: unknown;

  /** @param redact Masks secrets in errors, because a server may repeat the key that it refuses. */
  constructor(emit: (delta: ChatDelta) => void, redact: (text: string) => string = (text) => text) {
    this.#emit = emit;
    const reader = {
      read: (document: JsonRecord, event: string | undefined) => this.#read(document, event),
      readWhole: (document: unknown) => this.#takeWhole(document),
      fail: (text: string) => this.#takeError(text),
      isDone: () => this.#isDone,
      isUnbegun: () => this.#response === undefined && this.#items.length === 0,
    };
    this.#events = new EventDocuments(reader, redact, TEXTS, UNREAD);
  }

  readonly push = (chunk: Uint8Array): void => this.#events.push(chunk);

  end(): void {
    this.#events.end(() => (this.#isDone ? undefined : 'no end of the response came'));
  }

  isComplete(): boolean {
    return this.#isDone;
  }

  partial(): PartialReply {
    const calls = this.#items.filter(({ call }) => call !== undefined);
    const pieces = calls.map(({ item, text }) => ({
      ...pruneUndefined({ id: toText(item['call_id']), name: toText(item['name']) }),
      arguments: text,
    }));
    return toPartial(this.#piecesOf('message'), this.#piecesOf('reasoning'), pieces);
  }

  /** The reply in the shape of an unstreamed one. */
  document(): unknown {
    return this.#whole ?? { ...this.#response, output: this.#items.map(toWhole) };
  }

  #piecesOf(type: string): string {
    return this.#items.map(({ item, text }) => (item['type'] === type ? text : '')).join('');
  }

  #takeWhole(document: unknown): void {
    this.#end(toRecord(document), 'completed');
    this.#whole = document;
  }

  /** @returns whether the event is known */
  #read(document: JsonRecord, event: string | undefined): boolean {
    const type = toText(document['type']) ?? event ?? '';
    const piece = PIECES.get(type);
    if (piece) {
      this.#addPiece(document, piece);
      return true;
    }
    if (type === 'error') this.#takeError(JSON.stringify(document));
    if (!type.startsWith('response.')) return false;
    const name = type.slice('response.'.length);
    if (name === 'output_item.added') this.#open(document['output_index'], toRecord(document['item']));
    else if (name === 'output_item.done') this.#close(document);
    else this.#takeResponse(name, document['response']);
    return true;
  }

  /** The reply has ended also where an event that says so has no response. */
  #takeResponse(name: string, given: unknown): void {
    const response = toRecord(given);
    if (name === 'completed' || name === 'incomplete') this.#end(response, name);
    else if (name === 'failed' || name === 'cancelled')
      this.#takeError(JSON.stringify({ error: response['error'] ?? { message: `The response ${name}.` } }));
    else if (isRecord(given)) this.#response = given;
  }

  #open(index: unknown, item: JsonRecord): OpenItem {
    const opened = this.#findEarly(index, item) ?? this.#add(index, item);
    const { call } = opened;
    opened.item = item;
    for (const id of [item['id'], item['call_id']]) if (toText(id)) this.#byId.set(id, opened);
    if (call !== undefined) {
      const piece = { id: toText(item['call_id']), name: toText(item['name']) };
      this.#emit({ toolCall: { index: call, ...pruneUndefined(piece) } });
    }
    const given = finalText(item);
    if (opened.text === '') this.#grow(opened, given);
    return opened;
  }

  #add(index: unknown, item: JsonRecord): OpenItem {
    const call = item['type'] === 'function_call' ? this.#callCount++ : undefined;
    const added: OpenItem = { item, text: '', call, isClosed: false };
    checkPartCount(this.#items.push(added));
    checkCallCount(this.#callCount);
    const open = this.#openByType.get(item['type']);
    if (open) open.push(added);
    else this.#openByType.set(item['type'], [added]);
    if (index !== undefined) this.#byIndex.set(index, added);
    return added;
  }

  /** The item at this place that its first piece opened, of which nothing but its type is known yet. */
  #findEarly(index: unknown, { type }: JsonRecord): OpenItem | undefined {
    const found = this.#byIndex.get(index);
    const isBare = found && !found.isClosed && Object.keys(found.item).length === 1;
    return isBare && found.item['type'] === type ? found : undefined;
  }

  /** Some relays change the id of an item in every event; llama-server has no index. */
  #find({ output_index: index, item_id: id }: JsonRecord, type: unknown): OpenItem | undefined {
    if (index !== undefined) return this.#byIndex.get(index);
    return this.#byId.get(id) ?? this.#findLastOpen(type);
  }

  /** An item keeps its type while it is open. */
  #findLastOpen(type: unknown): OpenItem | undefined {
    const open = this.#openByType.get(type) ?? [];
    while (open.at(-1)?.isClosed) open.pop();
    return open.at(-1);
  }

  /** A call that another item has followed at the same place, or that has none. */
  #findCall(index: unknown, callId: unknown): OpenItem | undefined {
    const there = this.#byIndex.get(index)?.item['call_id'];
    return index === undefined || (there !== undefined && there !== callId)
      ? this.#byId.get(callId)
      : undefined;
  }

  #addPiece(document: JsonRecord, { type, key, isWhole }: Piece): void {
    const found = this.#find(document, type) ?? this.#open(document['output_index'], { type });
    // A whole text repeats its pieces, unless the server sends none.
    if (!isWhole || found.text === '') this.#grow(found, toText(document[key]) ?? '');
  }

  #close({ output_index: index, item: given }: JsonRecord): void {
    const item = toRecord(given);
    const { id, call_id: callId, type } = item;
    const found =
      this.#findCall(index, callId) ??
      this.#find({ output_index: index, item_id: id }, type) ??
      this.#open(index, item);
    found.item = { ...found.item, ...pruneUndefined(item) };
    found.isClosed = true;
    const whole = finalText(item);
    if (whole.length > found.text.length && whole.startsWith(found.text))
      this.#grow(found, whole.slice(found.text.length));
  }

  #grow(grown: OpenItem, text: string): void {
    if (text === '') return;
    grown.text += text;
    this.#textLength += text.length;
    checkTextLength(this.#textLength);
    if (grown.call !== undefined) this.#emit({ toolCall: { index: grown.call, arguments: text } });
    else if (grown.item['type'] === 'reasoning') this.#emit(toDelta(undefined, text));
    else if (grown.item['type'] === 'message') this.#emit(toDelta(text, undefined));
  }

  /** Takes those items of the list that never came: servers leave it empty, or write the items in another way. */
  #end({ output, ...response }: JsonRecord, status: string): void {
    const hasIndexes = this.#byIndex.size > 0;
    const listed = Array.isArray(output) ? output.map(toRecord) : [];
    const count = this.#items.length;
    for (const [index, item] of listed.entries()) {
      const isKnown = this.#byId.has(item['id']) || this.#byId.has(item['call_id']);
      const hasCome = hasIndexes ? this.#byIndex.has(index) : index < count;
      if (!isKnown && !hasCome) this.#close({ item });
    }
    this.#response = { ...this.#response, status, ...response };
    this.#isDone = true;
    const { usage } = response;
    if (isRecord(usage)) this.#emit({ usage: readResponsesUsage(usage) });
  }

  /**
   * A call that the server could not parse ends the reply, as in an unstreamed one: its text is what the model wrote.
   * @throws StreamFailure for any other error, and after native calls, which nobody should run then
   */
  #takeError(text: string): void {
    const rest = readUnparsedRest(text, this.#piecesOf('message'));
    if (rest === undefined || this.#callCount > 0) throw toServerFailure(text);
    this.#grow(this.#open(undefined, { type: 'message' }), rest);
    this.#response = { ...this.#response, status: SERVER_PARSE_FAILURE };
    this.#isDone = true;
  }
}

/** What an item says: a text, reasoning or arguments. */
function finalText(item: JsonRecord): string {
  if (item['type'] === 'function_call') return toGivenText(item['arguments']);
  return item['type'] === 'reasoning' ? reasoningOf(item) : textOf([item]);
}

/** An item in the shape of an unstreamed one: with its pieces where it does not say the same at its end. */
function toWhole({ item, text }: OpenItem): JsonRecord {
  if (text === '' || finalText(item) !== '') return item;
  switch (item['type']) {
    case 'function_call':
      return { ...item, arguments: text };
    case 'message':
      return { ...item, content: [{ type: 'output_text', text }] };
    default:
      return { ...item, content: [{ type: 'reasoning_text', text }] };
  }
}
