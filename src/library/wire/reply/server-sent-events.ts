// Reads the events of an event stream from its lines.

/** The mark that ends the stream of a chat; some servers and relays put it behind a document too. */
export const END_MARK = '[DONE]';

/** Whether a whole body is an event stream, or a document with the end mark of one. */
export function isEventStream(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith('{') ? text.trimEnd().endsWith(END_MARK) : FIELD.test(start);
}

/** The text before the end mark, if it has one. */
export function withoutEndMark(text: string): string {
  const body = text.trimEnd();
  return body.endsWith(END_MARK)
    ? body
        .slice(0, -END_MARK.length)
        .trimEnd()
        .replace(/data:$/, '')
    : text;
}

const FIELD = /^(?:data|event|error|id|retry)?:/;

const [D, E] = [100, 101];
const SPACE = 32;

/**
 * Skips comments and fields other than `data`, `event` and `error`. Joins several `data` lines of one event with line feeds.
 * `error: …`, which llama-server wrote before it put its errors into `data`, is the data of an event `error`.
 */
export class ServerSentEvents {
  readonly #onData: (data: string, event: string | undefined) => void;
  #data: string | undefined;
  #event: string | undefined;
  #strayLine: string | undefined;

  constructor(onData: (data: string, event: string | undefined) => void) {
    this.#onData = onData;
  }

  line(line: string): void {
    if (line === '') return this.end();
    // Compared by the first letter before, because an event may be so short that `startsWith` is a tenth of its cost.
    const first = line.charCodeAt(0);
    if (first === D && line.startsWith('data:')) this.#add(valueOf(line, 5));
    else if (first === E && line.startsWith('event:')) this.#event = valueOf(line, 6);
    else if (first === E && line.startsWith('error:')) this.#addError(valueOf(line, 6));
    // A stream may be cut in the middle of the name of a field.
    else if (!FIELD.test(line) && !'data:'.startsWith(line)) this.#strayLine = line;
  }

  /** The last line, if it is no field. A router of llama-server ends so, when the server behind it dies. */
  get strayLine(): string | undefined {
    return this.#strayLine;
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
    this.#strayLine = undefined;
    this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
  }
}

/** One space after the colon is not part of the value. */
function valueOf(line: string, start: number): string {
  return line.slice(line.charCodeAt(start) === SPACE ? start + 1 : start);
}
