// Undoes the content encoding of a response body. Knows no protocol.
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What a server may use when nobody observes the reply; a stream would be held back by its compressor. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** One is what servers use. Each has a decoder with buffers of its own, and a header has room for thousands. */
const MAX_ENCODINGS = 4;

/** The body cannot be read: what its bytes would say nobody knows. */
export class EncodingError extends Error {}

/**
 * @param field `Content-Encoding`: the encodings in the order they were applied.
 * @returns those that there is something to undo for.
 * @throws EncodingError for one that was not asked for, or too many.
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
  throw new EncodingError(`The body has the encoding ${unknown}, which was not asked for.`);
}

/** @returns the plain body. Whoever reads it bounds its size: a few bytes may unpack to any number. */
export function decodeBody(body: Readable, encodings: readonly string[]): Readable {
  return encodings.reduceRight<Readable>((source, name) => {
    const decoder = DECODERS[name]?.();
    // pipeline destroys both when one of them fails or is destroyed, so a broken connection stays its own error
    return decoder ? pipeline(source, decoder, () => undefined) : source;
  }, body);
}

/** Whether the bytes were not what their encoding says. */
export function isDecodingError(error: Error): boolean {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' && /^(Z_|ERR__ERROR|ERR_BROTLI)/.test(code);
}
