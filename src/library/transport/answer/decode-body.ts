// Removes the content encoding of a response body. Independent of protocols.
import type { Readable, Transform, TransformCallback } from 'node:stream';
import { Duplex, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/**
 * The encodings that a server may use when the reply is not streamed; a stream would be delayed by the server's compressor.
 */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Whether the bytes in the encoding `deflate` begin with the header of zlib, which some servers leave out. */
export const hasZlibHeader = (bytes: Buffer): boolean => ((bytes[0] ?? 0) & 0x0f) === 8;

/** Decodes `deflate` with or without its header, which only the first byte tells. */
class Inflate extends Duplex {
  #decoder: Transform | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#decoder ??= this.#open(hasZlibHeader(chunk) ? createInflate() : createInflateRaw());
    this.#decoder.write(chunk, callback);
  }

  override _final(callback: TransformCallback): void {
    if (this.#decoder) this.#decoder.end(callback);
    else {
      this.push(null);
      callback();
    }
  }

  /** The reader wants more. */
  override _read(): void {
    this.#decoder?.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#decoder?.destroy();
    callback(error);
  }

  #open(decoder: Transform): Transform {
    return (
      decoder
        // One piece may decompress to a thousand times its size, so the decoder has to wait for the reader, too.
        .on('data', (decoded: Buffer) => this.push(decoded) || decoder.pause())
        .on('error', (error) => this.destroy(error))
        // The end of the compressed data is the end of the body, even if more bytes follow: a decoder accepts none of them.
        .on('end', () => this.push(null))
    );
  }
}

const DECODERS: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: () => new Inflate(),
  br: createBrotliDecompress,
};

/** Servers use one. Each encoding needs a decoder with buffers of its own, and a header could name thousands of them. */
const MAX_ENCODINGS = 4;

/** The body cannot be decoded, so nobody knows what it says. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/**
 * @param field Value of `Content-Encoding`: the encodings in the order in which they were applied.
 * @returns the encodings that have to be removed; without `identity`
 * @throws EncodingError for an encoding that was not requested, or for too many
 */
export function parseEncodings(field: string | null): string[] {
  if (field === null) return [];
  const names = field
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) {
    throw new EncodingError(
      `The body is encoded ${names.length} times over, and at most ${MAX_ENCODINGS} times is undone.`,
    );
  }
  const unknown = names.find((name) => !Object.hasOwn(DECODERS, name));
  if (unknown === undefined) return names;
  throw new EncodingError(`The body has the encoding ${unknown}, which was not requested.`);
}

/** @returns the decoded body. The reader has to limit its size, because a few bytes may decompress to any number. */
export function decodeBody(body: Readable, encodings: readonly string[]): Readable {
  return encodings.reduceRight<Readable>((source, name) => {
    const decoder = DECODERS[name]?.();
    // `pipeline` destroys both when one of them fails or is destroyed, so a broken connection is reported with its own
    // error.
    return decoder ? pipeline(source, decoder, () => undefined) : source;
  }, body);
}

/** Whether the error says that the bytes do not match their encoding. */
export function isDecodingError(error: Error): boolean {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' && /^(Z_|ERR__ERROR|ERR_BROTLI)/.test(code);
}
