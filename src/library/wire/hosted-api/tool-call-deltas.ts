// Assembles native tool calls from the pieces of a hosted stream. Servers disagree on nearly every part of this.
import type { PartialReply } from '../../../types';
import { parseJson, toRecord, toText } from '../../util/json';
import { JsonExtent } from '../reply/json-extent';
import { targetOf } from '../reply/native-calls';
import { toJsonText } from '../reply/tool-arguments';

export interface ToolCallPiece {
  /** Index of the call among the calls of this reply. */
  index: number;
  id?: string | undefined;
  name?: string | undefined;
  arguments?: string | undefined;
}

interface OpenCall {
  /** Index among the calls of this reply. */
  place: number;
  id: string | undefined;
  /** Whether a piece had another id, so that ids tell nothing about this call. */
  isRenamed?: boolean;
  name: string;
  /** The call before it with its index, whose name counts if it gets none of its own. */
  before: OpenCall | undefined;
  arguments: string;
  /** The last piece of the arguments, while each piece repeats the one before it and continues it. */
  snapshot: string | undefined;
  extraContent: unknown;
  /** Tracks the extent of the arguments, so that their text is not read again for each piece. */
  extent: JsonExtent;
  /** Whether the arguments are valid JSON; undefined until this is needed. */
  isWhole?: boolean;
}

interface CallPieces {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

export class ToolCallDeltas {
  readonly #offered: ReadonlySet<string>;
  readonly #calls: OpenCall[] = [];
  /** The last call with each index. */
  readonly #byIndex = new Map<number, OpenCall>();
  /** The last call with each id, by the id alone; and by index and id, ids that a call changed to included. */
  readonly #byId = new Map<string, OpenCall>();

  /** @param offered Names of the offered tools: whether a piece has a whole name or a part of one is seen from them. */
  constructor(offered: Iterable<string> = []) {
    this.#offered = new Set(offered);
  }

  /** @returns what the piece added, for the listener of the stream; the name as far as it is known */
  add(entry: unknown): ToolCallPiece {
    const { index: given, id, extra_content: extraContent } = toRecord(entry);
    const { name, arguments: args } = targetOf(entry);
    // In later pieces SGLang sends null, DashScope ''; both count as absent.
    const piece = { id: toText(id), name: toText(name), arguments: toArgumentText(args) };
    const index = toIndex(given);
    const call = this.#find(index, piece) ?? this.#open(index, piece);
    if (piece.name !== undefined) this.#addName(call, piece.name);
    // Poolside changes the id in later pieces; the first one counts.
    call.id ??= piece.id;
    if (piece.id !== undefined) {
      this.#byId.set(placeOf(index, piece.id), call);
      if (call.id === piece.id) this.#byId.set(piece.id, call);
      else call.isRenamed = true;
    }
    if (repeatsArguments(call, piece)) piece.arguments = '';
    if (piece.arguments !== '') {
      const { snapshot } = call;
      call.snapshot =
        snapshot !== undefined && piece.arguments.startsWith(snapshot) ? piece.arguments : undefined;
    }
    call.arguments += piece.arguments;
    call.extent.read(piece.arguments);
    call.extraContent ??= extraContent;
    return { index: call.place, ...piece, name: piece.name && call.name };
  }

  /** The calls in the shape of an unstreamed reply. */
  toolCalls(): unknown[] {
    return this.#calls.map((call) => ({
      id: call.id,
      extra_content: call.extraContent,
      function: { name: call.name || call.before?.name, arguments: wholeArguments(call) },
    }));
  }

  /** The calls as far as they have arrived. */
  pieces(): NonNullable<PartialReply['toolCalls']> {
    return this.#calls.map(({ id, name, arguments: text }) => ({
      ...(id !== undefined && { id }),
      ...(name !== '' && { name }),
      arguments: text,
    }));
  }

  #open(index: number | undefined, { name }: CallPieces): OpenCall {
    const before = index === undefined || name !== undefined ? undefined : this.#byIndex.get(index);
    const call: OpenCall = {
      place: this.#calls.length,
      id: undefined,
      name: '',
      before,
      arguments: '',
      snapshot: '',
      extraContent: undefined,
      extent: new JsonExtent(),
    };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  /** @returns the call that the piece continues; undefined when it starts one */
  #find(index: number | undefined, piece: CallPieces): OpenCall | undefined {
    const { id, name } = piece;
    const same = id === undefined ? undefined : this.#byId.get(placeOf(index, id));
    if (same) return this.#isNextOfId(same, piece) ? undefined : same;
    const elsewhere = id === undefined ? undefined : this.#byId.get(id);
    const last = this.#calls.at(-1);
    const known = index === undefined ? last : this.#byIndex.get(index);
    // llama-server gives one id to calls with different indexes, so only what starts no call counts here.
    if (elsewhere && (known !== undefined || !startsObject(piece) || !isFilled(elsewhere))) {
      if (name === undefined || index === undefined) return elsewhere;
      if (isInMiddle(elsewhere, piece) || isLateName(elsewhere, piece)) return elsewhere;
      if (this.#isRestOfName(elsewhere, piece)) return elsewhere;
    }
    if (!known) return last && isInMiddle(last, piece) ? last : undefined;
    const isOther = id !== undefined && known.id !== undefined && !known.isRenamed;
    if ((name === undefined && !isOther) || isInMiddle(known, piece)) return known;
    if (name === undefined) return startsNameless(known, piece, index) ? undefined : known;
    if (isLateName(known, piece)) return known;
    if (isOther) return this.#isRestOfName(known, piece) ? known : undefined;
    if (this.#continuesName(known, name)) return known;
    const isNext = index === undefined ? isNextUnnumbered(known, piece) : isNextCall(known, piece);
    return isNext ? undefined : known;
  }

  #addName(call: OpenCall, name: string): void {
    if (call.name === '') call.name = name;
    else if (this.#continuesName(call, name)) {
      const joined = call.name + name;
      // Some servers send the name as far as it goes each time.
      call.name = !this.#offered.has(joined) && name.startsWith(call.name) ? name : joined;
    }
  }

  /** Whether a name is the next part of the call's name: a part may be the name of another tool, so the whole decides. */
  #continuesName({ name: begun, arguments: args }: OpenCall, name: string): boolean {
    if (begun === '' || name === begun || args.trim() !== '') return false;
    if (!this.#offered.has(begun)) return true;
    return [...this.#offered].some((tool) => tool.startsWith(begun + name));
  }

  /** Whether a name under another id can only be the rest of the call's name. */
  #isRestOfName(known: OpenCall, { name = '' }: CallPieces): boolean {
    if (!this.#continuesName(known, name) || this.#offered.has(known.name)) return false;
    return this.#offered.has(known.name + name) && !this.#offered.has(name);
  }

  /** Whether a piece starts the next call although it has the id of the one before: only with the name of another tool. */
  #isNextOfId(known: OpenCall, { name, arguments: args }: CallPieces): boolean {
    if (name === undefined || known.name === '' || name === known.name) return false;
    if (known.arguments.trim() === '') return this.#offered.has(name) && !this.#continuesName(known, name);
    return isFilled(known) && (args.trim() !== '' || this.#offered.has(name));
  }
}

/** Whether the arguments of the call are complete, and not merely absent. */
const isFilled = ({ extent }: OpenCall): boolean => extent.ends.length > 0 && extent.isAtEnd;

/** Whether the text of the piece can only be a part of the call's arguments: a new call would begin with an object. */
const isInMiddle = (call: OpenCall, { arguments: args }: CallPieces): boolean =>
  call.extent.isInside && /^\s*[^\s{]/.test(args);

const startsObject = ({ arguments: args }: CallPieces): boolean => args.trimStart().startsWith('{');

/** Whether a piece brings only the name of a call that has come without it. */
const isLateName = (known: OpenCall, { arguments: args }: CallPieces): boolean =>
  known.name === '' && known.arguments.trim() !== '' && args.trim() === '';

/**
 * Whether a piece with another id and no name starts a call, whose name may follow. Under the same index it only does with
 * an object after complete arguments, as LM Studio sends every piece with an id of its own.
 */
function startsNameless(known: OpenCall, piece: CallPieces, index: number | undefined): boolean {
  // A server that changes the id in the middle of a call has named it before.
  if (!isFilled(known)) return known.name === '' && known.extent.isInside && startsObject(piece);
  return startsObject(piece) || (index === undefined && known.name !== '');
}

/** Whether a piece with a name, and without an index and an id of its own, starts the next call. It may repeat the name. */
function isNextUnnumbered(known: OpenCall, { name, arguments: args }: CallPieces): boolean {
  if (known.name === '') return false;
  if (name !== known.name || isFilled(known)) return true;
  // A server that gives ids gives one to each call.
  return known.id === undefined && args.trim() === '';
}

/**
 * Whether a piece without an id of its own starts the next call. Relays of Gemini give every call the index 0, so a name
 * after a complete call starts the next one. A piece that only repeats the name of its call does not.
 */
function isNextCall(known: OpenCall, { name, arguments: args }: CallPieces): boolean {
  const { ends, isAtEnd } = known.extent;
  // A call without arguments is complete only when another tool is named.
  if (ends.length === 0 && isAtEnd) return known.name !== '' && name !== known.name;
  if (name === known.name && args.trim() === '') return false;
  return ends.length === 1 && isAtEnd && (known.isWhole ??= isComplete(known.arguments));
}

/** Whether a piece only repeats the complete arguments of its call, as some relays end the stream of one. */
const repeatsArguments = (call: OpenCall, piece: CallPieces): boolean =>
  startsObject(piece) && isFilled(call) && piece.arguments.trim() === call.arguments.trim();

/** Some servers send the arguments as far as they go each time, and only then the pieces together are no JSON. */
function wholeArguments({ arguments: text, snapshot = '' }: OpenCall): string {
  if (snapshot === '' || snapshot === text || isComplete(text)) return text;
  return isComplete(snapshot) ? snapshot : text;
}

const placeOf = (index: number | undefined, id: string): string => `${index ?? ''}:${id}`;

/** Some servers send the index as text. */
const toIndex = (given: unknown): number | undefined => {
  const index = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof index === 'number' && !Number.isNaN(index) ? index : undefined;
};

/** The text of a piece; arguments that are an object arrive whole. */
const toArgumentText = (args: unknown): string =>
  typeof args === 'string' ? args : args === undefined || args === null ? '' : toJsonText(args);

const isComplete = (text: string): boolean => parseJson(text) !== undefined;
