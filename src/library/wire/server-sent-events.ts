// The lines of an event stream → the data of its events.

/** Comments and fields other than `data` and `event` are skipped; several `data` lines of one event are joined. */
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
  }

  /** An event without the blank line after it counts when the stream has ended. */
  end(): void {
    const data = this.#data;
    const event = this.#event;
    this.#data = undefined;
    this.#event = undefined;
    if (data !== undefined) this.#onData(data, event);
  }

  #add(data: string): void {
    this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
  }
}

/** One blank behind the colon is not part of the value. */
function valueOf(line: string, start: number): string {
  return line.slice(line.startsWith(' ', start) ? start + 1 : start);
}
