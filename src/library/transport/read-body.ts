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

export interface BodyText {
  /** Rejects with the stream's own error when it breaks, and with `BodyTooLargeError` past the limit; both close the socket. */
  isRead: Promise<void>;
  /** All of it, or what had arrived when the reading failed. Bytes that are not UTF-8 become U+FFFD, as `fetch` does it. */
  text: () => string;
}

/** @param reader Sees each piece as it arrives; what it throws ends the reading. Once it is complete nothing is a failure. */
export function readBody(body: Readable, reader?: BodyObserver): BodyText {
  const reading = new BodyReading(body, reader);
  const isRead = new Promise<void>((resolve, reject) => {
    const end = (): void => {
      reading.finish();
      resolve();
    };
    const fail = (error?: Error): void => {
      if (reading.isSettled) return;
      reading.finish();
      if (reader?.isComplete?.()) resolve();
      else reject(error ?? new Error('the body ended before it was complete'));
    };
    // unlike `data`, it makes one piece of those that came at once
    body.on('readable', () => reading.takeAll());
    body.once('end', end);
    body.once('error', (error) => {
      reading.takeAll(); // what came together with the error
      fail(error);
    });
    body.once('close', () => fail());
  });
  return { isRead, text: reading.text };
}

type BodyObserver = Pick<StreamReader, 'push' | 'isComplete'>;

class BodyReading {
  isSettled = false;
  readonly #body: Readable;
  readonly #reader: BodyObserver | undefined;
  /** On a kept connection pieces arrive in the context of the call that opened it; the reader works for this one. */
  readonly #scope: AsyncResource | undefined;
  readonly #chunks: Buffer[] = [];
  readonly text = toTextOnce(this.#chunks);
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

  finish(): void {
    this.isSettled = true;
    this.#isStopped = true;
    clearTimeout(this.#linger);
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
