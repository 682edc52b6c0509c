// Collects a response body while it arrives, within a bound. Knows no protocol.
import { decodeUtf8 } from '../util/decode-utf8';
import type { StreamReader } from './stream-reader';

/** Bytes; a longer body is an error that names this limit. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export class BodyTooLargeError extends Error {
  constructor() {
    super(`the body is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB`);
    this.name = 'BodyTooLargeError';
  }
}

export class BodyCollector {
  #chunks: Buffer[] = [];
  /** Those that the reader has not seen yet. */
  #unseen: Buffer[] = [];
  #size = 0;
  #text: string | undefined;

  /** @throws BodyTooLargeError */
  take(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_RESPONSE_BYTES) {
      // for the eye the beginning is enough
      this.#chunks = [this.#chunks[0] ?? this.#unseen[0] ?? chunk];
      this.#unseen = [];
      throw new BodyTooLargeError();
    }
    this.#unseen.push(chunk);
  }

  /** Hands on what has come since, in one piece: a piece for each event of a stream would cost more than the event. */
  show(reader: Pick<StreamReader, 'push'>): void {
    const [only] = this.#unseen;
    if (!only) return;
    const piece = this.#unseen.length === 1 ? only : Buffer.concat(this.#unseen);
    this.#unseen = [];
    this.#chunks.push(piece);
    reader.push(piece);
  }

  /**
   * All of it, or what had arrived when the reading failed. Bytes that are not UTF-8 become U+FFFD, as `fetch` does it.
   * Decoded when it is asked for: the text of a stream hardly ever is.
   */
  readonly text = (): string => {
    if (this.#text === undefined) {
      const chunks = [...this.#chunks, ...this.#unseen];
      const [only] = chunks;
      this.#text = decodeUtf8(chunks.length === 1 && only ? only : Buffer.concat(chunks));
      this.#chunks = [];
      this.#unseen = [];
    }
    return this.#text;
  };
}
