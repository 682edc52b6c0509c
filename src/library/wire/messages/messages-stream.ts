// Reads the event stream of the Messages API: emits deltas, and assembles the document that an unstreamed reply would have
// been.
import type { ChatDelta, PartialReply } from '../../../types';
import type { StreamReader } from '../../transport/client/stream-reader';
import { StreamFailure } from '../../transport/client/stream-reader';
import type { JsonRecord } from '../../util/json';
import { isRecord, isSame, parseJson, toRecord, toText } from '../../util/json';
import { pruneUndefined, withoutNull } from '../../util/prune-undefined';
import type { TextPath } from '../../util/similar-json';
import { EventDocuments } from '../reply/event-documents';
import { toGivenText } from '../reply/native-calls';
import { checkCallCount, checkPartCount, checkTextLength } from '../reply/reply-limit';
import { withoutRepeat } from '../reply/repeated-pieces';
import { readUnparsedRest, SERVER_PARSE_FAILURE, toServerFailure } from '../reply/server-words';
import { toDelta, toPartial } from '../reply/to-delta';
import { readMessagesUsage } from './messages-wire';

/** The texts that differ between the events of one block. */
const TEXTS: readonly TextPath[] = [
  ['delta', 'text'],
  ['delta', 'thinking'],
  ['delta', 'partial_json'],
];

/** A block as it grows. */
interface OpenBlock {
  /** As it was opened, without its text. */
  fields: JsonRecord;
  type: string | undefined;
  /** Of a text, of thinking, or of the arguments of a call. */
  text: string;
  /** Index among the calls of the reply; undefined for any other block. */
  call: number | undefined;
  isOpen: boolean;
  /** Where in the text the pieces after a second opening begin. */
  again?: number;
}

export class MessagesStream implements StreamReader {
  readonly #emit: (delta: ChatDelta) => void;
  readonly #events: EventDocuments;
  readonly #blocks: OpenBlock[] = [];
  /** The last block with each index. Servers may open one before the one before it is closed. */
  readonly #byIndex = new Map<unknown, OpenBlock>();
  #callCount = 0;
  #openCount = 0;
  /** Of text, thinking and arguments. */
  #textLength = 0;
  /** The fields of `message_start`. */
  #message: JsonRecord | undefined;
  #usage: JsonRecord = {};
  #stop: JsonRecord = {};
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
      isUnbegun: () => !this.#message,
    };
    this.#events = new EventDocuments(reader, redact, TEXTS);
  }

  readonly push = (chunk: Uint8Array): void => this.#events.push(chunk);

  end(): void {
    this.#events.end(() => (this.#isDone ? undefined : 'no message_stop came'));
  }

  isComplete(): boolean {
    return this.#isDone;
  }

  partial(): PartialReply {
    const calls = this.#blocks.filter(({ call }) => call !== undefined);
    const pieces = calls.map(({ fields, text }) => ({
      ...pruneUndefined({ id: toText(fields['id']), name: toText(fields['name']) }),
      arguments: text,
    }));
    return toPartial(this.#textOf('text'), this.#textOf('thinking'), pieces);
  }

  /** The reply in the shape of an unstreamed one; the arguments of a call that came in pieces are text. */
  document(): unknown {
    if (this.#whole !== undefined) return this.#whole;
    const usage = this.#usage;
    return { ...this.#message, content: this.#blocks.map(closeBlock), usage, ...this.#stop };
  }

  #textOf(kind: string): string {
    return this.#blocks.map(({ type, text }) => (type === kind ? text : '')).join('');
  }

  #takeWhole(document: unknown): void {
    this.#whole = document;
    this.#isDone = true;
    const { content, usage } = toRecord(document);
    for (const block of Array.isArray(content) ? content : []) this.#open(undefined, toRecord(block));
    this.#takeUsage(usage);
  }

  /** @returns whether the event is known */
  #read(document: JsonRecord, event: string | undefined): boolean {
    const { type = event, index, delta } = document;
    switch (type) {
      case 'message_start':
        this.#start(toRecord(document['message']));
        return true;
      case 'content_block_start':
        this.#begin(index, toRecord(document['content_block']));
        return true;
      case 'content_block_delta':
        this.#extend(index, toRecord(delta));
        return true;
      case 'message_delta':
        this.#stop = { ...this.#stop, ...withoutNull(toRecord(delta)) };
        this.#takeUsage(document['usage']);
        return true;
      case 'message_stop':
        this.#isDone = true;
        return true;
      case 'error':
        this.#takeError(JSON.stringify(document));
        return true;
      case 'content_block_stop':
        this.#close(this.#find(index));
        return true;
      default:
        return type === 'ping';
    }
  }

  /**
   * Some relays repeat the start. One of another message continues the reply between two blocks, and replaces what has none
   * yet.
   * @throws StreamFailure for another message inside of a block, as of a relay that asked again
   */
  #start({ content, usage, ...fields }: JsonRecord): void {
    if (this.#message && this.#message['id'] === fields['id']) return;
    if (this.#message && this.#openCount > 0)
      throw new StreamFailure('format', 'A second message begins inside of the first.');
    if (!this.#message || this.#blocks.length === 0) this.#message = fields;
    for (const block of Array.isArray(content) ? content : [])
      this.#close(this.#open(undefined, toRecord(block)));
    this.#takeUsage(usage);
  }

  #find(index: unknown): OpenBlock | undefined {
    return index === undefined ? this.#blocks.at(-1) : this.#byIndex.get(index);
  }

  /** Some relays repeat events: a block that is known at its index is the same one. */
  #begin(index: unknown, block: JsonRecord): void {
    const known = this.#find(index);
    if (!known || !isSameBlock(known, block)) {
      this.#open(index, block);
      return;
    }
    known.again = known.text.length;
    if (!hasNoMembers(block['input'])) known.fields['input'] = block['input'];
  }

  #close(block: OpenBlock | undefined): void {
    if (!block?.isOpen) return;
    block.isOpen = false;
    this.#openCount--;
  }

  #open(index: unknown, { ...fields }: JsonRecord): OpenBlock {
    const { type, id, name, input } = fields;
    const key = type === 'thinking' ? 'thinking' : 'text';
    const isCall = type === 'tool_use';
    const given = isCall ? '' : (toText(fields[key]) ?? '');
    const call = isCall ? this.#callCount++ : undefined;
    const block: OpenBlock = { fields, type: toText(type), text: '', call, isOpen: true };
    this.#openCount++;
    this.#blocks.push(block);
    checkPartCount(this.#blocks.length);
    checkCallCount(this.#callCount);
    this.#byIndex.set(index, block);
    if (call !== undefined) {
      // The arguments mostly follow in pieces, after an empty object.
      const whole = isRecord(input) && Object.keys(input).length > 0 ? toGivenText(input) : '';
      const piece = { id: toText(id), name: toText(name), arguments: toText(whole) };
      this.#emit({ toolCall: { index: call, ...pruneUndefined(piece) } });
    } else if (given !== '') this.#grow(block, given);
    return block;
  }

  #extend(index: unknown, delta: JsonRecord): void {
    const known = this.#find(index);
    // A piece of another kind than its block begins a block of its own: arguments are no text, and thinking is no answer.
    const of = (type: string, isFit = known?.type === type): OpenBlock =>
      (isFit ? known : undefined) ?? this.#open(index, { type });
    switch (delta['type']) {
      case 'text_delta':
        return this.#grow(of('text'), delta['text']);
      case 'thinking_delta':
        return this.#grow(of('thinking'), delta['thinking']);
      case 'input_json_delta':
        return this.#grow(of('tool_use', known && hasInput(known)), delta['partial_json']);
      case 'signature_delta':
        if (known) known.fields['signature'] = delta['signature'];
        return;
      case 'citations_delta':
        if (known) citationsOf(known).push(delta['citation']);
        return;
      case 'compaction_delta':
        if (known?.type === 'compaction') takeSummary(known.fields, delta);
    }
  }

  #grow(block: OpenBlock, piece: unknown): void {
    const text = toText(piece);
    if (text === undefined) return;
    block.text += text;
    this.#textLength += text.length;
    checkTextLength(this.#textLength);
    if (block.call !== undefined) this.#emit({ toolCall: { index: block.call, arguments: text } });
    else if (block.type === 'text') this.#emit(toDelta(text, undefined));
    else if (block.type === 'thinking') this.#emit(toDelta(undefined, text));
  }

  /** The counts are totals; one that is absent or null says nothing. */
  #takeUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    this.#usage = { ...this.#usage, ...withoutNull(usage) };
    this.#emit({ usage: readMessagesUsage(this.#usage) });
  }

  /**
   * A call that the server could not parse ends the reply, as in an unstreamed one: its text is what the model wrote.
   * @throws StreamFailure for any other error, and after native calls, which nobody should run then
   */
  #takeError(text: string): void {
    const rest = readUnparsedRest(text, this.#textOf('text'));
    if (rest === undefined || this.#callCount > 0) throw toServerFailure(text);
    this.#open(undefined, { type: 'text', text: rest });
    this.#message ??= {};
    this.#stop = { stop_reason: SERVER_PARSE_FAILURE };
    this.#isDone = true;
  }
}

/** Such a delta has the whole summary, or null where the service could make none. */
function takeSummary(fields: JsonRecord, delta: JsonRecord): void {
  for (const key of ['content', 'encrypted_content']) if (key in delta) fields[key] = delta[key];
}

function citationsOf({ fields }: OpenBlock): unknown[] {
  const given = fields['citations'];
  const citations: unknown[] = Array.isArray(given) ? given : [];
  fields['citations'] = citations;
  return citations;
}

const IDENTITY = ['type', 'id', 'tool_use_id', 'name', 'data', 'signature', 'text', 'thinking'];

/** Whether a start repeats that of a block: by its id, or where there is none, before anything came of the block. */
function isSameBlock({ fields, text, isOpen }: OpenBlock, block: JsonRecord): boolean {
  if (IDENTITY.some((key) => fields[key] !== block[key])) return false;
  if (toText(block['id']) === undefined) return isOpen && text === '';
  const { input } = block;
  return hasNoMembers(input) || hasNoMembers(fields['input']) || isSame(fields['input'], input);
}

const hasNoMembers = (input: unknown): boolean => Object.keys(toRecord(input)).length === 0;

/** Calls, also those of tools that the service runs itself. */
const hasInput = ({ type = '' }: OpenBlock): boolean => type.endsWith('tool_use');

/** A block in the shape of an unstreamed one. The arguments of a call are checked later, and stay text. */
function closeBlock(block: OpenBlock): JsonRecord {
  const { fields, type, text } = block;
  if (type === 'text' || type === 'thinking') return { ...fields, [type]: text };
  if (!hasInput(block) || text.trim() === '') return fields;
  const input = withoutRepeat(text, block.again);
  return { ...fields, input: type === 'tool_use' ? input : (parseJson(input) ?? input) };
}
