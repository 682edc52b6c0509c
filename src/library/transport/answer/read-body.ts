// Collects a response body as it arrives, up to a limit. Independent of protocols.
import { ByteStore } from '../../util/byte-store';
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

/** How much is kept of a body that is too large, in bytes: enough for a person who looks at it. */
const KEPT_OF_TOO_LARGE = 64 * 1024;

export class BodyCollector {
  #bytes = new ByteStore();
  #text: string | undefined;

  /** Adds a chunk. @throws BodyTooLargeError */
  take(chunk: Buffer): void {
    this.#bytes.add(chunk);
    if (this.#bytes.size <= MAX_RESPONSE_BYTES) return;
    const beginning = Buffer.concat(this.#bytes.pieces(), KEPT_OF_TOO_LARGE);
    this.#bytes = new ByteStore();
    this.#bytes.add(beginning);
    throw new BodyTooLargeError();
  }

  /**
   * Passes everything since the last call to the reader at once: a call for each event of a stream would cost more than the
   * event itself.
   */
  show(reader: Pick<StreamReader, 'push'>): void {
    for (const piece of this.#bytes.takeNew()) reader.push(piece);
  }

  /**
   * The whole body, or what had arrived when reading failed. Invalid UTF-8 becomes U+FFFD, as in `fetch`. Decoded on demand,
   * because the text of a stream is rarely needed.
   */
  readonly text = (): string => {
    if (this.#text === undefined) {
      this.#text = decodeUtf8(this.#bytes.pieces());
      this.#bytes = new ByteStore();
    }
    return this.#text;
  };
}
