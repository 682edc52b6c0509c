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
  name: string;
  arguments: string;
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
  readonly #calls: OpenCall[] = [];
  /** The last call with each index. */
  readonly #byIndex = new Map<number, OpenCall>();
  /** The first call with each id. */
  readonly #byId = new Map<string, OpenCall>();

  /** @returns what the piece added, for the listener of the stream */
  add(entry: unknown): ToolCallPiece {
    const { index, id, extra_content: extraContent } = toRecord(entry);
    const { name, arguments: args } = targetOf(entry);
    // In later pieces SGLang sends null, DashScope ''; both count as absent.
    const piece = { id: toText(id), name: toText(name), arguments: toArgumentText(args) };
    const wireIndex = typeof index === 'number' ? index : undefined;
    const call = this.#find(wireIndex, piece) ?? this.#open(wireIndex);
    // Poolside changes the id in later pieces; the first one counts.
    call.id ??= piece.id;
    if (call.id !== undefined && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
    if (call.name === '') call.name = piece.name ?? '';
    call.arguments += piece.arguments;
    call.extent.read(piece.arguments);
    call.extraContent ??= extraContent;
    return { index: call.place, ...piece };
  }

  /** The calls in the shape of an unstreamed reply. */
  toolCalls(): unknown[] {
    return this.#calls.map(({ id, name, arguments: text, extraContent }) => ({
      id,
      extra_content: extraContent,
      function: { name, arguments: text },
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

  #open(wireIndex: number | undefined): OpenCall {
    const place = this.#calls.length;
    const extent = new JsonExtent();
    const call: OpenCall = { place, id: undefined, name: '', arguments: '', extraContent: undefined, extent };
    this.#calls.push(call);
    if (wireIndex !== undefined) this.#byIndex.set(wireIndex, call);
    return call;
  }

  #find(index: number | undefined, piece: CallPieces): OpenCall | undefined {
    const last = this.#calls.at(-1);
    if (index === undefined) {
      const byId = piece.id === undefined ? undefined : this.#byId.get(piece.id);
      return byId ?? (last && startsCall(last, piece) ? undefined : last);
    }
    const known = this.#byIndex.get(index);
    return known && isNextCall(known, piece) ? undefined : known;
  }
}

/**
 * Whether a piece without an index, and without an id that is known, starts a call: one with a name, unless the call only
 * lacks that yet, or one with an id after complete arguments.
 */
function startsCall(last: OpenCall, { id, name }: CallPieces): boolean {
  if (name !== undefined) return id !== undefined || last.name !== '';
  return id !== undefined && last.name !== '' && last.extent.ends.length > 0 && last.extent.isAtEnd;
}

/**
 * Whether a piece starts the next call. Relays of Gemini give every call the index 0, so a name after a complete call starts
 * the next one. A piece that only repeats the id or the name of its call does not.
 */
function isNextCall(known: OpenCall, { id, name, arguments: args }: CallPieces): boolean {
  if (name === undefined || (id !== undefined && id === known.id)) return false;
  const { ends, isAtEnd } = known.extent;
  // A call without arguments is complete only when another tool is named.
  if (ends.length === 0 && isAtEnd) return known.name !== '' && name !== known.name;
  if (name === known.name && args.trim() === '') return false;
  return ends.length === 1 && isAtEnd && (known.isWhole ??= isComplete(known.arguments));
}

/** The text of a piece; arguments that are an object arrive whole. */
const toArgumentText = (args: unknown): string =>
  typeof args === 'string' ? args : args === undefined || args === null ? '' : toJsonText(args);

const isComplete = (text: string): boolean => parseJson(text) !== undefined;
