// The pieces of native tool calls in a hosted stream → whole calls. Servers disagree on nearly every part of this.
import { parseJson, toRecord, toText } from '../util/json';
import { toJsonText } from './tool-arguments';

export interface ToolCallPiece {
  /** The place of the call among the calls of this reply. */
  index: number;
  id?: string | undefined;
  name?: string | undefined;
  arguments?: string | undefined;
}

interface OpenCall {
  wireIndex: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  extraContent: unknown;
}

interface Piece {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];

  /** @returns what the piece added, for whoever follows the stream. */
  add(entry: unknown): ToolCallPiece {
    const { index, id, function: target, extra_content: extraContent } = toRecord(entry);
    const { name, arguments: args } = toRecord(target);
    // SGLang sends null, DashScope '' in later pieces: both are absent
    const piece = { id: toText(id), name: toText(name), arguments: toArgumentText(args) };
    const call =
      this.#find(typeof index === 'number' ? index : undefined, piece) ?? this.#open(index, piece.id);
    // Poolside changes the id later: the first one counts
    call.id ??= piece.id;
    if (call.name === '') call.name = piece.name ?? '';
    call.arguments += piece.arguments;
    call.extraContent ??= extraContent;
    return { index: this.#calls.indexOf(call), ...piece };
  }

  /** In the shape of an unstreamed reply. */
  toolCalls(): unknown[] {
    return this.#calls.flatMap(({ id, name, arguments: args, extraContent }) =>
      splitGlued(args).map((text, place) => ({
        ...(place === 0 && { id, extra_content: extraContent }),
        function: { name, arguments: text },
      })),
    );
  }

  #open(index: unknown, id: string | undefined): OpenCall {
    const wireIndex = typeof index === 'number' ? index : undefined;
    const call: OpenCall = { wireIndex, id, name: '', arguments: '', extraContent: undefined };
    this.#calls.push(call);
    return call;
  }

  #find(index: number | undefined, piece: Piece): OpenCall | undefined {
    const last = this.#calls.at(-1);
    if (index === undefined) {
      const byId = piece.id === undefined ? undefined : this.#calls.find(({ id }) => id === piece.id);
      // without an index a new name begins a new call
      return byId ?? (piece.name === undefined ? last : undefined);
    }
    const known = this.#calls.findLast(({ wireIndex }) => wireIndex === index);
    return known && isNextCall(known, piece) ? undefined : known;
  }
}

/**
 * Relays of Gemini number every call 0: a name behind a complete call begins the next one. What only repeats the id or the
 * name of its call begins none.
 */
function isNextCall(known: OpenCall, { id, name, arguments: args }: Piece): boolean {
  if (name === undefined || (id !== undefined && id === known.id)) return false;
  // a call without arguments is complete only when another tool is named
  if (known.arguments.trim() === '') return known.name !== '' && name !== known.name;
  return isComplete(known.arguments) && (name !== known.name || args !== '');
}

/** Arguments as an object come whole. */
const toArgumentText = (args: unknown): string =>
  typeof args === 'string' ? args : args === undefined || args === null ? '' : toJsonText(args);

const isComplete = (text: string): boolean => text.trim() !== '' && parseJson(text) !== undefined;

/** Two complete objects under one index, `{…}{…}`, are two calls (relays of Gemini). Anything else stays as it is. */
function splitGlued(text: string): string[] {
  if (!text.includes('}{') || isComplete(text)) return [text];
  const parts: string[] = [];
  let rest = text;
  for (let end = rest.indexOf('}{'); end >= 0; end = rest.indexOf('}{', end + 1)) {
    if (!isComplete(rest.slice(0, end + 1))) continue;
    parts.push(rest.slice(0, end + 1));
    rest = rest.slice(end + 1);
    end = -1;
  }
  return parts.length > 0 && isComplete(rest) ? [...parts, rest] : [text];
}
