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
}

export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];

  /** @returns what the piece added, for whoever follows the stream. */
  add(entry: unknown): ToolCallPiece {
    const { index, id, function: target } = toRecord(entry);
    const { name, arguments: args } = toRecord(target);
    // SGLang sends null, DashScope '' in later pieces: both are absent
    const piece = { id: toText(id), name: toText(name), arguments: toArgumentText(args) };
    const call =
      this.#find(typeof index === 'number' ? index : undefined, piece) ?? this.#open(index, piece.id);
    // Poolside changes the id later: the first one counts
    call.id ??= piece.id;
    if (call.name === '') call.name = piece.name ?? '';
    call.arguments += piece.arguments;
    return { index: this.#calls.indexOf(call), ...piece };
  }

  /** In the shape of an unstreamed reply. */
  toolCalls(): unknown[] {
    return this.#calls.flatMap(({ id, name, arguments: args }) =>
      splitGlued(args).map((text, place) => ({
        ...(place === 0 && id !== undefined && { id }),
        function: { name, arguments: text },
      })),
    );
  }

  #open(index: unknown, id: string | undefined): OpenCall {
    const call = { wireIndex: typeof index === 'number' ? index : undefined, id, name: '', arguments: '' };
    this.#calls.push(call);
    return call;
  }

  #find(
    index: number | undefined,
    piece: { id: string | undefined; name: string | undefined },
  ): OpenCall | undefined {
    const last = this.#calls.at(-1);
    if (index === undefined) {
      const byId = piece.id === undefined ? undefined : this.#calls.find(({ id }) => id === piece.id);
      // without an index a new name begins a new call
      return byId ?? (piece.name === undefined ? last : undefined);
    }
    const known = this.#calls.findLast(({ wireIndex }) => wireIndex === index);
    // relays number every call 0: a name after complete arguments begins the next call
    const isNext = known !== undefined && piece.name !== undefined && isComplete(known.arguments);
    return isNext ? undefined : known;
  }
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
