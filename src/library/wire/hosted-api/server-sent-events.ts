// Reads the events of an event stream from its lines.

/**
 * Skips comments and fields other than `data`, `event` and `error`. Joins several `data` lines of one event with line feeds.
 * `error: …`, which llama-server wrote before it put its errors into `data`, is the data of an event `error`.
 */
export class ServerSentEvents {
  readonly #onData: (data: string, event: string | undefined) => void;
  #data: string | undefined;
  #event: string | undefined;

  constructor(onData: (data: string, event: string | undefined) => void) {
    this.#onData = onData;
  }

  line(line: string): void {
    if (line === '') this.end();
    else if (line.startsWith('data:')) this.#add(valueOf(line, 5));
    else if (line.startsWith('event:')) this.#event = valueOf(line, 6);
    else if (line.startsWith('error:')) this.#addError(valueOf(line, 6));
  }

  /** At the end of the stream, an event counts even without the blank line after it. */
  end(): void {
    const data = this.#data;
    const event = this.#event;
    this.#data = undefined;
    this.#event = undefined;
    if (data !== undefined) this.#onData(data, event);
  }

  #addError(data: string): void {
    this.#event = 'error';
    this.#add(data);
  }

  #add(data: string): void {
    this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
  }
}

/** One space after the colon is not part of the value. */
function valueOf(line: string, start: number): string {
  return line.slice(line.startsWith(' ', start) ? start + 1 : start);
}
