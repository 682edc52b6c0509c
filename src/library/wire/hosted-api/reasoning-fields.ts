// The reasoning of a hosted message under the field names of its server: read from a reply, merged from the pieces of a
// stream, and sent back unchanged. Independent of the rest of the protocol.
import type { ReplayData } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { isJsonSafe, isRecord, setOwn, toRecord, toText } from '../../util/json';

/**
 * Texts in order of preference: llama-server and DeepSeek; vLLM, Ollama and OpenRouter; others. A reply may have several, of
 * which each then says the same.
 */
const TEXT_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const;
/** A list of OpenRouter and MiniMax, with signatures and encrypted entries, which mostly repeats one of the texts. */
const DETAILS = 'reasoning_details';

/** The kind of provider in replay data: every server of this protocol. */
export const REPLAY_KIND = 'chat-completions';

/** The members of a message that are its reasoning; empty texts and lists are omitted. */
export function pickReasoning(message: JsonRecord): JsonRecord {
  const details = message[DETAILS];
  return {
    ...Object.fromEntries(
      TEXT_FIELDS.flatMap((field) => {
        const text = toText(message[field]);
        return text === undefined ? [] : [[field, text]];
      }),
    ),
    ...(Array.isArray(details) && details.length > 0 && isJsonSafe(details) && { [DETAILS]: details }),
  };
}

/** @returns undefined for a message without reasoning of its own field */
export function toReplay(message: JsonRecord, model: string | undefined): ReplayData | undefined {
  const data = pickReasoning(message);
  if (Object.keys(data).length === 0) return undefined;
  return { provider: REPLAY_KIND, ...(model !== undefined && { model }), data };
}

/** The reasoning as one text. */
export function readReasoning(message: JsonRecord): string | undefined {
  for (const field of TEXT_FIELDS) {
    const text = toText(message[field]);
    if (text !== undefined) return text;
  }
  return readDetails(message[DETAILS]);
}

/** Entries have a text or a summary; encrypted ones have neither. */
function readDetails(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const entries = details.map(toRecord);
  return toText(entries.map((entry) => toText(entry['text']) ?? toText(entry['summary']) ?? '').join(''));
}

/** Merges the pieces of a stream into the fields of an unstreamed message. */
export class ReasoningDeltas {
  readonly #texts: JsonRecord = {};
  readonly #details: unknown[] = [];
  /** The entries by their type and index. */
  readonly #places = new Map<string, JsonRecord>();

  add(delta: JsonRecord): void {
    for (const field of TEXT_FIELDS) {
      const text = toText(delta[field]);
      if (text !== undefined) this.#texts[field] = (toText(this.#texts[field]) ?? '') + text;
    }
    const details = delta[DETAILS];
    if (Array.isArray(details)) for (const entry of details as unknown[]) this.#addDetail(entry);
  }

  /** The members of the message. */
  fields(): JsonRecord {
    return { ...this.#texts, ...(this.#details.length > 0 && { [DETAILS]: this.#details }) };
  }

  #addDetail(entry: unknown): void {
    if (!isRecord(entry)) {
      this.#details.push(entry);
      return;
    }
    const place = typeof entry['index'] === 'number' ? toPlace(entry) : undefined;
    const known = place === undefined ? this.#lastOpen(entry) : this.#places.get(place);
    if (known && isSameEntry(known, entry)) {
      extend(known, entry);
      return;
    }
    // A copy: the object of the next chunk may be the same one.
    const opened = { ...entry };
    this.#details.push(opened);
    if (place !== undefined) this.#places.set(place, opened);
  }

  /** Without an index, a piece of text continues the last entry until that has its signature. */
  #lastOpen({ type, data }: JsonRecord): JsonRecord | undefined {
    const last = this.#details.at(-1);
    if (!isRecord(last) || last['index'] !== undefined || data !== undefined) return undefined;
    return last['type'] === type && !last['signature'] ? last : undefined;
  }
}

/** OpenAI's summary and its encrypted entry have the same index, so the type counts too. */
const toPlace = ({ type, index }: JsonRecord): string => JSON.stringify([type, index]);

const isSameEntry = ({ id: known }: JsonRecord, { id }: JsonRecord): boolean =>
  known === undefined || known === null || id === undefined || id === null || known === id;

/** Members that arrive in pieces; of any other the last value counts. */
const IN_PIECES = new Set(['text', 'summary', 'data']);

function extend(known: JsonRecord, piece: JsonRecord): void {
  for (const [key, value] of Object.entries(piece)) {
    const before = known[key];
    if (value === null || value === undefined) {
      if (!Object.hasOwn(known, key)) setOwn(known, key, value);
    } else if (IN_PIECES.has(key) && typeof value === 'string' && typeof before === 'string') {
      known[key] = before + value;
    } else setOwn(known, key, value);
  }
}
