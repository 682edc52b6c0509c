// Reads a response body to its end, within a bound. Knows no protocol.
import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { StreamReader } from './stream-reader';

/** Bytes; a longer body is an error that names this limit. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** How long a connection may stay open behind the end mark of its stream: servers that forget to close it exist. */
const MAX_LINGER_MS = 1000;

export class BodyTooLargeError extends Error {
  constructor() {
    super(`the body is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB`);
    this.name = 'BodyTooLargeError';
  }
}

/**
 * Rejects with the stream's own error when it breaks, and with `BodyTooLargeError` past the limit; both close the socket.
 * @returns what makes the text.
 * @param reader Sees each piece as it arrives; what it throws ends the reading. Once it is complete nothing is a failure.
 * Bytes that are not UTF-8 become U+FFFD, as `fetch` does it.
 */
export function readBody(body: Readable, reader?: BodyObserver): Promise<() => string> {
  return new Promise((resolve, reject) => {
    const reading = new BodyReading(body, reader);
    const fail = (error?: Error): void => {
      if (reading.isSettled) return;
      if (reader?.isComplete?.()) resolve(reading.finish());
      else reject(error ?? new Error('the body ended before it was complete'));
    };
    // unlike `data`, it makes one piece of those that came at once
    body.on('readable', () => reading.takeAll());
    body.once('end', () => resolve(reading.finish()));
    body.once('error', (error) => {
      reading.takeAll(); // what came together with the error
      fail(error);
    });
    body.once('close', () => fail());
  });
}

type BodyObserver = Pick<StreamReader, 'push' | 'isComplete'>;

class BodyReading {
  isSettled = false;
  readonly #body: Readable;
  readonly #reader: BodyObserver | undefined;
  /** On a kept connection pieces arrive in the context of the call that opened it; the reader works for this one. */
  readonly #scope: AsyncResource | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #isStopped = false;
  #linger: NodeJS.Timeout | undefined;

  constructor(body: Readable, reader: BodyObserver | undefined) {
    this.#body = body;
    this.#reader = reader;
    this.#scope = reader && new AsyncResource('ResponseBody');
  }

  takeAll(): void {
    while (!this.#isStopped) {
      const chunk = this.#body.read() as Buffer | null;
      if (chunk === null) return;
      this.#take(chunk);
    }
  }

  finish(): () => string {
    this.isSettled = true;
    clearTimeout(this.#linger);
    return toTextOnce(this.#chunks);
  }

  #take(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size > MAX_RESPONSE_BYTES) this.#stop(new BodyTooLargeError());
    else this.#scope?.runInAsyncScope(() => this.#show(chunk));
  }

  #show(chunk: Buffer): void {
    try {
      this.#reader?.push(chunk);
    } catch (error) {
      this.#stop(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.#reader?.isComplete?.()) this.#linger ??= setTimeout(() => this.#body.destroy(), MAX_LINGER_MS);
  }

  #stop(error: Error): void {
    this.#isStopped = true;
    this.#body.destroy(error);
  }
}

/** Decodes when it is asked for: the text of a stream that was followed hardly ever is. */
function toTextOnce(chunks: Buffer[]): () => string {
  let text: string | undefined;
  return () => {
    if (text === undefined) {
      const [only] = chunks;
      text = (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString('utf8');
      chunks.length = 0;
    }
    return text;
  };
}
