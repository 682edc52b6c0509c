// The body of an answer as a stream, for whoever does not take each piece at once. Knows no protocol.
import { Readable } from 'node:stream';
import type { HttpControl } from './http-client';

/** The connection is read no faster than this is; to destroy it closes the connection. */
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
