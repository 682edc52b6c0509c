// Detects whether an offset in a value is inside a quoted text of several lines, as in programs: between triple quotes.
// Independent of tags.

const MARKS = ['"""', "'''"];

/** Offsets have to be asked for in increasing order, so that a value is read only once. */
export class QuotedBlocks {
  readonly #text: string;
  #at: number;
  #open: string | undefined;
  /** End of the open block; -1 when it has none. */
  #end = 0;

  /** @param from Where the value begins. */
  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  /** Offset after the block around `place` and its quotes; undefined outside of a block, and in one without an end. */
  findEnd(place: number): number | undefined {
    while (this.#at < place) this.#pass(place);
    if (this.#open === undefined) return undefined;
    if (this.#end !== -1 && this.#end < place) this.#end = this.#text.indexOf(this.#open, place);
    return this.#end === -1 ? undefined : this.#end + MARK_LENGTH;
  }

  /** Advances to the next triple quotes before `place`, or to `place`. */
  #pass(place: number): void {
    const next = this.#findMark(place);
    if (next === -1) {
      this.#at = place;
      return;
    }
    this.#open = this.#open === undefined ? this.#text.slice(next, next + MARK_LENGTH) : undefined;
    this.#at = next + MARK_LENGTH;
    this.#end = 0;
  }

  #findMark(place: number): number {
    const piece = this.#text.slice(this.#at, place);
    const found = (this.#open === undefined ? MARKS : [this.#open])
      .map((mark) => piece.indexOf(mark))
      .filter((at) => at !== -1);
    return found.length === 0 ? -1 : this.#at + Math.min(...found);
  }
}

const MARK_LENGTH = 3;
