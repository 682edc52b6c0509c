// Bytes that are cut anywhere → whole lines of text.

/** Lines end with LF or CRLF; a character that is cut between two pieces is put together. */
export class TextLines {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** What stands behind the last line end is a line too. */
  end(): void {
    this.#take(this.#decoder.decode());
    const last = this.#rest;
    this.#rest = '';
    if (last !== '') this.#onLine(stripReturn(last));
  }

  #take(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#rest + text.slice(start, end);
      this.#rest = '';
      start = end + 1;
      this.#onLine(stripReturn(line));
    }
    this.#rest += text.slice(start);
  }
}

const stripReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
