// The pieces of native tool calls in a hosted stream → whole calls. Servers disagree on nearly every part of this.
import type { PartialReply } from '../../types';
import { parseJson, toRecord, toText } from '../util/json';
import { JsonExtent } from './json-extent';
import { toJsonText } from './tool-arguments';

export interface ToolCallPiece {
  /** The place of the call among the calls of this reply. */
  index: number;
  id?: string | undefined;
  name?: string | undefined;
  arguments?: string | undefined;
}

interface OpenCall {
  /** Among the calls of this reply. */
  place: number;
  id: string | undefined;
  name: string;
  arguments: string;
  extraContent: unknown;
  /** Of the arguments: the whole text is never looked at again for a piece. */
  extent: JsonExtent;
  /** Whether the first object in the arguments is one, once that was asked. */
  isWhole?: boolean;
}

interface Piece {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];
  /** The last one of each. */
  readonly #byIndex = new Map<number, OpenCall>();
  /** The first one of each. */
  readonly #byId = new Map<string, OpenCall>();

  /** @returns what the piece added, for the observer of the stream. */
  add(entry: unknown): ToolCallPiece {
    const { index, id, function: target, extra_content: extraContent } = toRecord(entry);
    const { name, arguments: args } = toRecord(target);
    // SGLang sends null, DashScope '' in later pieces: both are absent
    const piece = { id: toText(id), name: toText(name), arguments: toArgumentText(args) };
    const wireIndex = typeof index === 'number' ? index : undefined;
    const call = this.#find(wireIndex, piece) ?? this.#open(wireIndex);
    // Poolside changes the id later: the first one counts
    call.id ??= piece.id;
    if (call.id !== undefined && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
    if (call.name === '') call.name = piece.name ?? '';
    call.arguments += piece.arguments;
    call.extent.read(piece.arguments);
    call.extraContent ??= extraContent;
    return { index: call.place, ...piece };
  }

  /** In the shape of an unstreamed reply. */
  toolCalls(): unknown[] {
    return this.#calls.flatMap((call) =>
      splitGlued(call).map((text, place) => ({
        ...(place === 0 && { id: call.id, extra_content: call.extraContent }),
        function: { name: call.name, arguments: text },
      })),
    );
  }

  /** As far as they came. */
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

  #find(index: number | undefined, piece: Piece): OpenCall | undefined {
    const last = this.#calls.at(-1);
    if (index === undefined) {
      const byId = piece.id === undefined ? undefined : this.#byId.get(piece.id);
      // without an index a new name begins a new call
      return byId ?? (piece.name === undefined ? last : undefined);
    }
    const known = this.#byIndex.get(index);
    return known && isNextCall(known, piece) ? undefined : known;
  }
}

/**
 * Relays of Gemini number every call 0: a name behind a complete call begins the next one. What only repeats the id or the
 * name of its call begins none.
 */
function isNextCall(known: OpenCall, { id, name, arguments: args }: Piece): boolean {
  if (name === undefined || (id !== undefined && id === known.id)) return false;
  const { ends, isAtEnd } = known.extent;
  // a call without arguments is complete only when another tool is named
  if (ends.length === 0 && isAtEnd) return known.name !== '' && name !== known.name;
  if (name === known.name && args === '') return false;
  return ends.length === 1 && isAtEnd && (known.isWhole ??= isComplete(known.arguments));
}

/** Arguments as an object come whole. */
const toArgumentText = (args: unknown): string =>
  typeof args === 'string' ? args : args === undefined || args === null ? '' : toJsonText(args);

const isComplete = (text: string): boolean => parseJson(text) !== undefined;

/** Two complete objects under one index, `{…}{…}`, are two calls (relays of Gemini). Anything else stays as it is. */
function splitGlued({ arguments: text, extent }: OpenCall): string[] {
  if (!text.includes('}{')) return [text];
  const parts = extent.ends.map((end, index) => text.slice(extent.ends[index - 1] ?? 0, end));
  const isWhole = parts.join('').length === text.length && parts.every((part) => part.startsWith('{'));
  return isWhole && parts.every(isComplete) ? parts : [text];
}
