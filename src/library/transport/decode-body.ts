// Undoes the content encoding of a response body. Knows no protocol.
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { StreamFailure } from './stream-reader';

/** What a server may use when the reply is not followed; a stream would be held back by its compressor. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * @param encoding The `Content-Encoding` field: the encodings in the order they were applied.
 * @returns the plain body. Whoever reads it bounds its size: a few bytes may unpack to any number.
 * @throws StreamFailure for an encoding that was not asked for.
 */
export function decodeBody(body: Readable, encoding: string | null): Readable {
  if (encoding === null) return body;
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const unknown = names.find((name) => !Object.hasOwn(DECODERS, name));
  if (unknown !== undefined) {
    body.once('error', () => undefined).destroy(); // its error says only that it was destroyed
    throw new StreamFailure('format', `The body has the encoding ${unknown}, which was not asked for.`);
  }
  return names.reduceRight<Readable>((source, name) => {
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
