// Where the lines of a text end. Knows no meaning.

/** As `indexOf`; the text's length when there is none. */
export function findOrEnd(text: string, needle: string, from: number): number {
  const at = text.indexOf(needle, from);
  return at === -1 ? text.length : at;
}

/** Keeps the line that was asked for last: a megabyte without a line break is searched once. */
export class LineEnds {
  readonly #text: string;
  #from = 0;
  #to = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the line of `at`. */
  find(at: number): number {
    if (at < this.#from || at > this.#to) {
      this.#from = at;
      this.#to = findOrEnd(this.#text, '\n', at);
    }
    return this.#to;
  }
}
