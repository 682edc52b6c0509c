// The body of a response as a stream, for readers that do not take each piece at once. Independent of protocols.
import { Readable } from 'node:stream';
import type { HttpControl } from '../client/http-client';

/** Data is read from the connection no faster than from this stream. Destroying the stream closes the connection. */
export class AnswerBody extends Readable {
  readonly #control: HttpControl;

  constructor(control: HttpControl) {
    super();
    this.#control = control;
  }

  accept(chunk: Buffer): void {
    if (!this.push(chunk)) this.#control.pause();
  }

  override _read(): void {
    this.#control.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#control.abort();
    callback(error);
  }
}
