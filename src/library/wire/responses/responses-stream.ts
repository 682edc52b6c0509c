// Reads the event stream of the Responses API: emits deltas, and assembles the document that an unstreamed reply would have
// been. What an item is at its end counts more than its pieces, and these more than the list at the end of the reply, which
// completes only what had no end.
import type { ChatDelta, PartialReply } from '../../../types';
import type { StreamReader } from '../../transport/client/stream-reader';
import type { JsonRecord } from '../../util/json';
import { isRecord, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import type { TextPath, Unread } from '../../util/similar-json';
import { EventDocuments } from '../reply/event-documents';
import { toGivenText } from '../reply/native-calls';
import { checkCallCount, checkPartCount, checkTextLength } from '../reply/reply-limit';
import { withoutRepeat } from '../reply/repeated-pieces';
import { readUnparsedRest, SERVER_PARSE_FAILURE, toServerFailure } from '../reply/server-words';
import { toDelta, toPartial } from '../reply/to-delta';
import { textOf } from './responses-replay';
import { readResponsesUsage, reasoningOf, sayFailure } from './responses-wire';

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
  /** Where in the text a refusal begins. */
  refusalAt?: number;
  /** Where in the text the pieces after a second opening begin. */
  again?: number;
  /** Its place in the reply, as the server counts. */
  index: unknown;
  /** Index among the calls of the reply; undefined for any other item. */
  call: number | undefined;
  isClosed: boolean;
  /** Whether it said at its end what its pieces say, so that any later ones repeat it. */
  isWhole: boolean;
}

/** The piece of an item in an event. */
interface Piece {
  /** Of the item. */
  type: string;
  key: string;
  /** Whether it repeats the pieces before it. */
  isWhole: boolean;
  isRefusal: boolean;
}

const toPieces = (name: string, type: string, wholeKey: string): [string, Piece][] => [
  [`response.${name}.delta`, { type, key: 'delta', isWhole: false, isRefusal: name === 'refusal' }],
  [`response.${name}.done`, { type, key: wholeKey, isWhole: true, isRefusal: name === 'refusal' }],
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
      this.#takeError(JSON.stringify({ error: response['error'] ?? { message: sayFailure(name) } }));
    else if (isRecord(given)) this.#response = given;
  }

  #open(index: unknown, item: JsonRecord): OpenItem {
    const known = this.#findOpened(index, item);
    if (!known) return this.#begin(index, item);
    if (known.isClosed) return known;
    known.again = known.text.length;
    this.#describe(known, { ...known.item, ...pruneUndefined(item) });
    return known;
  }

  #begin(index: unknown, item: JsonRecord): OpenItem {
    const { type } = item;
    const call = type === 'function_call' ? this.#callCount++ : undefined;
    const begun: OpenItem = {
      item: { type },
      text: '',
      index,
      call,
      isClosed: false,
      isWhole: false,
    };
    checkPartCount(this.#items.push(begun));
    checkCallCount(this.#callCount);
    const open = this.#openByType.get(type);
    if (open) open.push(begun);
    else this.#openByType.set(type, [begun]);
    if (index !== undefined) this.#byIndex.set(index, begun);
    this.#describe(begun, item);
    return begun;
  }

  /** Takes what an item says of itself before its end. */
  #describe(opened: OpenItem, item: JsonRecord): void {
    const { call, item: before } = opened;
    const { call_id: callId, name } = item;
    opened.item = item;
    for (const id of [item['id'], callId]) if (toText(id)) this.#byId.set(id, opened);
    if (call !== undefined && (before['call_id'] !== callId || before['name'] !== name))
      this.#emit({
        toolCall: { index: call, ...pruneUndefined({ id: toText(callId), name: toText(name) }) },
      });
    this.#growTo(opened, finalText(item));
  }

  /** The item that is opened once more, as relays repeat events; or the one at this place that its first piece opened. */
  #findOpened(index: unknown, item: JsonRecord): OpenItem | undefined {
    const there = this.#byIndex.get(index);
    if (there && isBare(there) && there.item['type'] === item['type']) return there;
    return [there, this.#byId.get(idOf(item))].find(
      (found) => found !== undefined && found.index === index && isSameItem(found.item, item),
    );
  }

  /**
   * Some relays change the id of an item in every event, and others give every item one index, so an id that is known counts
   * more than the index, and the index more than one that is not. llama-server has no index.
   */
  #find({ output_index: index, item_id: id }: JsonRecord, type: unknown): OpenItem | undefined {
    const there = this.#byIndex.get(index);
    const isFit = there !== undefined && (type === undefined || there.item['type'] === type);
    if (isFit && (id === undefined || there.item['id'] === id)) return there;
    const named = this.#byId.get(id);
    const isNamed = named !== undefined && named.item['type'] === type;
    if (isNamed && (index === undefined || !named.isClosed)) return named;
    if (isFit) return there;
    return index === undefined || there ? this.#findLastOpen(type) : undefined;
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

  #addPiece(document: JsonRecord, { type, key, isWhole, isRefusal }: Piece): void {
    const found = this.#find(document, type) ?? this.#open(document['output_index'], { type });
    if (found.isWhole) return;
    if (isRefusal) found.refusalAt ??= found.text.length;
    const text = toText(document[key]) ?? '';
    if (isWhole) this.#growTo(found, text);
    else this.#grow(found, text);
  }

  #close({ output_index: index, item: given }: JsonRecord): void {
    const item = toRecord(given);
    const { id, call_id: callId, type } = item;
    const found = this.#findCall(index, callId) ?? this.#find({ output_index: index, item_id: id }, type);
    const isNext = !found || (found.isClosed && isNextItem(found.item, item));
    this.#complete(isNext ? this.#begin(index, item) : found, item);
  }

  #complete(item: OpenItem, fields: JsonRecord): void {
    const whole = finalText(fields);
    item.item = { ...item.item, ...pruneUndefined(fields) };
    item.isClosed = true;
    item.isWhole = whole !== '';
    this.#growTo(item, whole);
  }

  /** Takes the rest of a text that repeats the pieces before it. */
  #growTo(grown: OpenItem, whole: string): void {
    const { text } = grown;
    if (whole.length > text.length && whole.startsWith(text)) this.#grow(grown, whole.slice(text.length));
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

  /**
   * Takes those items of the list that never came, and completes those that never ended: servers leave it empty, or write the
   * items in another way.
   */
  #end({ output, ...response }: JsonRecord, status: string): void {
    const listed = Array.isArray(output) ? output.map(toRecord) : [];
    const found = listed.map((item, index) => this.#findListed(item, index));
    for (const [index, item] of listed.entries()) {
      const known = found[index];
      if (!known) this.#complete(this.#begin(undefined, item), item);
      else if (!known.isClosed) this.#completeFromList(known, item);
    }
    this.#response = { ...this.#response, status, ...response };
    this.#isDone = true;
    const { usage } = response;
    if (isRecord(usage)) this.#emit({ usage: readResponsesUsage(usage) });
  }

  #findListed(item: JsonRecord, index: number): OpenItem | undefined {
    const there = this.#byIndex.size > 0 ? this.#byIndex.get(index) : this.#items[index];
    if (there && isSameItem(there.item, item)) return there;
    return this.#byId.get(item['call_id']) ?? this.#byId.get(item['id']) ?? there;
  }

  /** The id of a call stays the one that was told when it began. */
  #completeFromList(found: OpenItem, listed: JsonRecord): void {
    const { type, name, call_id: callId } = found.item;
    if (listed['type'] !== type || (name ?? listed['name']) !== listed['name']) return;
    const whole = finalText(listed);
    if (whole === '' || whole.startsWith(found.text))
      this.#complete(found, { ...listed, call_id: callId ?? listed['call_id'] });
    else if (type === 'reasoning')
      found.item = { ...found.item, ...pruneUndefined({ encrypted_content: listed['encrypted_content'] }) };
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

/** The item of which a first piece was all that is known. */
const isBare = ({ item, isClosed }: OpenItem): boolean => !isClosed && Object.keys(item).length === 1;

/** Some relays change the id of the item, but not that of its call. */
const idOf = ({ call_id: callId, id }: JsonRecord): string | undefined => toText(callId) ?? toText(id);

const isSameItem = (one: JsonRecord, other: JsonRecord): boolean =>
  idOf(one) !== undefined &&
  idOf(one) === idOf(other) &&
  one['type'] === other['type'] &&
  one['name'] === other['name'];

/** Whether the end of an item is that of another than the one that has ended at its place. */
function isNextItem(ended: JsonRecord, item: JsonRecord): boolean {
  const isRenamed = isOther(idOf(ended), idOf(item)) || isOther(ended['name'], item['name']);
  if (item['type'] !== 'function_call') return isRenamed && !repeats(item, ended);
  return isRenamed || !repeats(item, ended);
}

const isOther = (one: unknown, other: unknown): boolean =>
  toText(one) !== undefined && toText(other) !== undefined && one !== other;

function repeats(item: JsonRecord, ended: JsonRecord): boolean {
  const whole = finalText(item);
  return whole === '' || whole.startsWith(finalText(ended));
}

/** What an item says: a text, reasoning or arguments. */
function finalText(item: JsonRecord): string {
  if (item['type'] === 'function_call') return toGivenText(item['arguments']);
  return item['type'] === 'reasoning' ? reasoningOf(item) : textOf([item]);
}

/** An item in the shape of an unstreamed one: with its pieces where it does not say the same at its end. */
function toWhole({ item, text, refusalAt = text.length, again, isClosed }: OpenItem): JsonRecord {
  const own = finalText(item);
  if (text === '' || own === text || (isClosed && own !== '')) return item;
  const [said, refused] = [text.slice(0, refusalAt), text.slice(refusalAt)];
  switch (item['type']) {
    case 'function_call':
      return { ...item, arguments: withoutRepeat(text, again) };
    case 'message':
      return {
        ...item,
        content: [
          ...(said === '' ? [] : [{ type: 'output_text', text: said }]),
          ...(refused === '' ? [] : [{ type: 'refusal', refusal: refused }]),
        ],
      };
    default:
      return { ...item, content: [{ type: 'reasoning_text', text }] };
  }
}
