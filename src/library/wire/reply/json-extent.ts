// Finds the ends of JSON values in a text that arrives in pieces. Reads each character once, and checks only brackets.

const QUOTE = 34;
const BACKSLASH = 92;

export class JsonExtent {
  /** Offsets of the ends of all top-level objects and arrays so far, in UTF-16 code units. */
  readonly ends: number[] = [];
  /** Whether only white space has followed the last of these ends or, while there is none, has arrived at all. */
  isAtEnd = true;
  #length = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  /** Whether the text so far ends inside of an object, a list or a text. */
  get isInside(): boolean {
    return this.#depth > 0 || this.#isInText;
  }

  read(piece: string): void {
    for (let at = 0; at < piece.length; at++) this.#take(piece.charCodeAt(at), this.#length + at + 1);
    this.#length += piece.length;
  }

  #take(unit: number, end: number): void {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (unit === BACKSLASH) this.#isEscaped = true;
      else this.#isInText = unit !== QUOTE;
      return;
    }
    this.isAtEnd &&= isBlank(unit);
    if (unit === QUOTE) this.#isInText = true;
    else if (isOpener(unit)) this.#depth++;
    else if (isCloser(unit) && --this.#depth === 0) this.isAtEnd = this.ends.push(end) > 0;
  }
}

/** Whether the text begins an object or a list that does not end in it. */
export function isBegun(text: string): boolean {
  if (!isOpener(text.trimStart().charCodeAt(0))) return false;
  const extent = new JsonExtent();
  extent.read(text);
  return extent.ends.length === 0;
}

const isBlank = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13);
/** `{` and `[`. */
const isOpener = (unit: number): boolean => unit === 123 || unit === 91;
/** `}` and `]`. */
const isCloser = (unit: number): boolean => unit === 125 || unit === 93;
