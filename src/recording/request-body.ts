// The body of a program's request, for the client that sends it on. Reads as fast as that client takes it.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * A stream of its own, because the client destroys it where the server answers before the request is whole, such as with status
 * 413. The rest is then read and dropped: many programs read no answer before they have sent everything.
 */
export class RequestBody extends Readable {
  readonly #request: IncomingMessage;
  #isFlowing = false;

  constructor(request: IncomingMessage) {
    super();
    this.#request = request;
  }

  override _read(): void {
    const request = this.#request;
    if (!this.#isFlowing) {
      this.#isFlowing = true;
      request.on('data', (chunk: Buffer) => {
        if (!this.push(chunk)) request.pause();
      });
      request.once('end', () => this.push(null));
    }
    request.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const request = this.#request;
    if (!request.complete && !request.destroyed) request.removeAllListeners('data').resume();
    done(error);
  }
}
