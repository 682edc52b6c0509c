import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../../../../src/library/transport/answer/decode-body';

const BODY = Buffer.alloc(16 * 1024 * 1024, 'a few bytes that decompress to many; ');
/** In one piece, because any piece may decompress to a thousand times its size. */
const open = (encoding: string, compressed: Buffer): Readable =>
  decodeBody(Readable.from([compressed], { objectMode: false }), [encoding]);

describe('decodeBody', () => {
  test.each([
    ['gzip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
    ['deflate', deflateRawSync(BODY)],
    ['br', brotliCompressSync(BODY)],
  ])(
    'in %s decodes no more than its reader takes, and everything in the end',
    async (encoding, compressed) => {
      const unread = open(encoding, compressed);
      unread.read(0);
      // As long as it takes to decode another body of this kind.
      await buffer(open('gzip', gzipSync(BODY)));
      expect(unread.readableLength).toBeLessThan(1024 * 1024);
      expect((await buffer(unread)).equals(BODY)).toBe(true);
    },
  );
});
