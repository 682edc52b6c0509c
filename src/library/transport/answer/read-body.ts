// Collects a response body as it arrives, up to a limit. Independent of protocols.
import { decodeUtf8 } from '../../util/decode-utf8';
import type { StreamReader } from '../client/stream-reader';

/** Maximum size of a body in bytes. A longer body is an error that names this limit. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export class BodyTooLargeError extends Error {
  constructor() {
    super(`The body is larger than the limit of ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB.`);
    this.name = 'BodyTooLargeError';
  }
}

export class BodyCollector {
  #chunks: Buffer[] = [];
  /** Chunks that the reader has not seen yet. */
  #unseen: Buffer[] = [];
  #size = 0;
  #text: string | undefined;

  /** Adds a chunk. @throws BodyTooLargeError */
  take(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_RESPONSE_BYTES) {
      // The beginning is enough for a person who looks at it.
      this.#chunks = [this.#chunks[0] ?? this.#unseen[0] ?? chunk];
      this.#unseen = [];
      throw new BodyTooLargeError();
    }
    this.#unseen.push(chunk);
  }

  /**
   * Passes everything since the last call to the reader as one piece: a call for each event of a stream would cost more than
   * the event itself.
   */
  show(reader: Pick<StreamReader, 'push'>): void {
    const [only] = this.#unseen;
    if (!only) return;
    const piece = this.#unseen.length === 1 ? only : Buffer.concat(this.#unseen);
    this.#unseen = [];
    this.#chunks.push(piece);
    reader.push(piece);
  }

  /**
   * The whole body, or what had arrived when reading failed. Invalid UTF-8 becomes U+FFFD, as in `fetch`. Decoded on demand,
   * because the text of a stream is rarely needed.
   */
  readonly text = (): string => {
    if (this.#text === undefined) {
      this.#text = decodeUtf8([...this.#chunks, ...this.#unseen]);
      this.#chunks = [];
      this.#unseen = [];
    }
    return this.#text;
  };
}
