// Parses JSON documents of which most equal the one before but for a few texts, such as the events of a stream.
import type { JsonRecord } from './json';
import { isRecord, parseJson } from './json';

/** The keys and list indexes that lead to a text which differs from document to document. */
export type TextPath = readonly [...holder: (string | number)[], key: string];

/** In UTF-16 code units. A longer document is hardly one of many. */
const LONGEST = 4096;
/** How often a shape may be prepared in vain. */
const MAX_USELESS_PREPARATIONS = 8;
/** Each text is marked with a number of its own. */
const MAX_TEXTS = 10;
/** In UTF-16 code units. A slice of this length only refers to the text that it was cut from, and keeps all of it alive. */
const SHORTEST_REFERENCE = 13;

const QUOTE = 34;
const BACKSLASH = 92;
const ZERO = 48;

/** Parses a document only where it differs from the one before in more than the texts at certain paths. */
export class SimilarJson {
  readonly #paths: readonly TextPath[];
  readonly #unread: readonly TextPath[];
  readonly #numbers: readonly TextPath[];
  /** Made for the first document: a reply that comes as one document has none. */
  #texts: RegExp | undefined;
  #shape: DocumentShape | undefined;
  #credit = MAX_USELESS_PREPARATIONS;

  /**
   * @param read Paths of texts that may differ. The last keys of all paths consist of letters and underscores.
   * @param unread Paths of texts and of whole numbers that may differ and that nobody reads.
   */
  constructor(read: readonly TextPath[], unread: Unread = {}) {
    const { texts = [], numbers = [] } = unread;
    this.#paths = [...read, ...texts, ...numbers];
    this.#unread = [...texts, ...numbers];
    this.#numbers = numbers;
  }

  /** Finds what is between the quotes of each text with one of the keys, and the numbers with one of theirs. */
  #toPattern(): RegExp {
    const [numbers, texts] = [this.#numbers, this.#paths.filter((path) => !this.#numbers.includes(path))];
    const text = `(?<="(?:${keysOf(texts)})": ?")(?:[^"\\\\]|\\\\.)*(?=")`;
    const number = `(?<="(?:${keysOf(numbers)})": ?)\\d{1,9}(?![\\d.eE])`;
    return new RegExp(numbers.length > 0 ? `${text}|${number}` : text, 'g');
  }

  /**
   * @returns the same as `parseJson`, but for what nobody reads. Unless `keep` is called, the next call may change the
   * texts at the paths.
   */
  parse(text: string): unknown {
    const shape = this.#shape;
    if (shape && readTexts(text, shape)) {
      this.#credit = Math.min(this.#credit + 1, MAX_USELESS_PREPARATIONS);
      return shape.document;
    }
    const document = parseJson(text);
    if (document !== undefined && text.length <= LONGEST && this.#credit > 0) {
      this.#credit -= 1;
      this.#shape = this.#prepare(text, document);
    }
    return document;
  }

  /** Leaves the last document as it is. */
  keep(): void {
    this.#shape = undefined;
  }

  /**
   * Finds out which text is at which path: puts a number before each that may be at one. Where the text at a path has got a
   * number, it was read from there; so is any other text between these quotes, since nothing around it changes. A key alone
   * does not tell: it may be somewhere else, or be repeated.
   */
  #prepare(text: string, document: unknown): DocumentShape | undefined {
    this.#texts ??= this.#toPattern();
    const found = [...text.matchAll(this.#texts)];
    if (found.length === 0 || found.length > MAX_TEXTS) return undefined;
    const ends = found.map(({ index, 0: { length } }) => index + length);
    const around = found.map(({ index }, order) => text.slice(ends[order - 1] ?? 0, index));
    const end = text.slice(ends.at(-1));
    const marked = parseJson(
      around.map((before, order) => `${before}${order + 1}${found[order]?.[0]}`).join('') + end,
    );
    const places: TextPlace[] = [];
    for (const [order, before] of around.entries()) {
      const path = this.#paths.find(
        (one) => findValue(marked, one) === `${order + 1}${findValue(document, one)}`,
      );
      const holder = path && findHolder(marked, path);
      if (!holder) return undefined;
      const [isNumber, isRead] = [!before.endsWith('"'), !this.#unread.includes(path)];
      places.push({ before, holder, key: keyOf(path), isNumber, isRead });
    }
    return { document: marked, places, end };
  }
}

/** What differs from document to document and is not read. */
export interface Unread {
  texts?: readonly TextPath[];
  /** Such as the number of an event in its stream. */
  numbers?: readonly TextPath[];
}

/** Documents with the same characters around their texts. */
interface DocumentShape {
  /** Has the texts of the document that was read last. */
  readonly document: unknown;
  readonly places: readonly TextPlace[];
  /** What follows the last text, with its closing quote. */
  readonly end: string;
}

/** Where a text is. */
interface TextPlace {
  /** The characters before it, from the text before this one or the start, with its opening quote. */
  readonly before: string;
  readonly holder: JsonRecord;
  readonly key: string;
  /** Whether it is a whole number, which has no quotes. */
  readonly isNumber: boolean;
  /** Whether the parsed document needs the text. */
  readonly isRead: boolean;
}

/** Puts the texts into the parsed document. @returns false for a document that has another shape or is not valid */
function readTexts(text: string, { places, end }: DocumentShape): boolean {
  let at = 0;
  for (const { before, holder, key, isNumber, isRead } of places) {
    const start = at + before.length;
    // Faster than `startsWith`, which compares character by character.
    if (text.slice(at, start) !== before) return false;
    if (isNumber) {
      at = findEndOfNumber(text, start);
      if (at === start) return false;
      continue;
    }
    let isPlain = true;
    for (at = start; ; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) break;
      // Also false for NaN, the end of the document.
      if (!(unit >= 32)) return false;
      if (unit === BACKSLASH) {
        isPlain = false;
        at += 1;
      }
    }
    if (isPlain && !isRead) continue;
    const isShort = at - start < SHORTEST_REFERENCE;
    const value = isPlain && isShort ? text.slice(start, at) : parseJson(text.slice(start - 1, at + 1));
    if (value === undefined) return false;
    holder[key] = value;
  }
  return text.length - at === end.length && text.slice(at) === end;
}

/** @returns the start itself where no whole number is */
function findEndOfNumber(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  const hasZeroBefore = text.charCodeAt(start) === ZERO && end > start + 1;
  return hasZeroBefore ? start : end;
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= ZERO + 9;

const keyOf = (path: TextPath): string => String(path.at(-1));
const keysOf = (paths: readonly TextPath[]): string => paths.map(keyOf).join('|');

function findHolder(document: unknown, path: TextPath): JsonRecord | undefined {
  let holder = document;
  for (const step of path.slice(0, -1))
    holder = typeof holder === 'object' && holder !== null ? Reflect.get(holder, step) : undefined;
  return isRecord(holder) ? holder : undefined;
}

/** The text or number at a path, as a text. */
function findValue(document: unknown, path: TextPath): string | undefined {
  const value = findHolder(document, path)?.[keyOf(path)];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
