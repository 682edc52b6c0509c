// The lines of an event stream → the data of its events.

/** Comments and fields other than `data` are skipped; several `data` lines of one event are joined. */
export class ServerSentEvents {
  readonly #onData: (data: string) => void;
  #data: string[] = [];

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  line(line: string): void {
    if (line === '') {
      this.end();
    } else if (line.startsWith('data:')) {
      this.#data.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
    }
  }

  /** An event without the blank line after it counts when the stream has ended. */
  end(): void {
    if (this.#data.length === 0) return;
    const data = this.#data.join('\n');
    this.#data = [];
    this.#onData(data);
  }
}
