// Whether a place in a value stands in a text of several lines, as programs quote one: between three quote signs and the
// next three. Knows no tags.

const MARKS = ['"""', "'''"];

/** Asked from left to right, so that a value is read once. */
export class QuotedBlocks {
  readonly #text: string;
  #at: number;
  #open: string | undefined;
  /** Where the open one ends; -1 where nothing ends it. */
  #end = 0;

  /** @param from Where the value begins. */
  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  /** Where the text around `place` ends, after its marks; undefined outside of one, and where nothing ends it. */
  findEnd(place: number): number | undefined {
    while (this.#at < place) this.#pass(place);
    if (this.#open === undefined) return undefined;
    if (this.#end !== -1 && this.#end < place) this.#end = this.#text.indexOf(this.#open, place);
    return this.#end === -1 ? undefined : this.#end + MARK_LENGTH;
  }

  /** To the next marks before `place`, or to it. */
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
