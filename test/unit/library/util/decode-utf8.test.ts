import { describe, expect, test } from 'vitest';
import { decodeUtf8, Utf8Decoder } from '../../../../src/library/util/decode-utf8';
import { fc, runs } from '../../../support/arbitrary/properties';

const byTheBook = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Text and invalid bytes, joined at any position. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom('a', 'é', '“', '漢', '😀').map((text) => Buffer.from(text)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

describe('decodeUtf8', () => {
  test.each(['', 'plain', 'café “so” 😀 漢字', '\ufeffwith a mark', '\0\u007f\u0080\u07ff\uffff'])(
    'returns %j unchanged',
    (text) => {
      expect(decodeUtf8([Buffer.from(text)])).toBe(text);
    },
  );

  test('reads a view of a larger buffer', () => {
    const bytes = Buffer.from('-é-é-');
    expect(decodeUtf8([bytes.subarray(1, 6)])).toBe('é-é');
  });

  test.each([0, 1, 2, 3])('splits no character of a long text with %i bytes before it', (count) => {
    const text = 'a'.repeat(count) + '😀漢'.repeat(20_000);
    expect(decodeUtf8([Buffer.from(text)])).toBe(text);
  });

  test('replaces invalid bytes by U+FFFD, like the standard decoder', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(decodeUtf8([bytes])).toBe(byTheBook(bytes));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('replaces invalid bytes in a long text, too', () => {
    const bytes = Buffer.from('é😀'.repeat(20_000));
    bytes[70_001] = 0xff;
    expect(decodeUtf8([bytes])).toBe(byTheBook(bytes));
  });

  test('returns the same text for bytes split at any position', () => {
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 1, max: 5 }), (bytes, size) => {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(decodeUtf8(pieces)).toBe(byTheBook(bytes));
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('Utf8Decoder', () => {
  test('returns each character as soon as it is complete', () => {
    const decoder = new Utf8Decoder();
    const bytes = Buffer.from('é漢😀');
    const texts = Array.from(bytes, (_, index) => decoder.decode(bytes.subarray(index, index + 1)));
    expect(texts).toEqual(['', 'é', '', '', '漢', '', '', '', '😀']);
    expect(decoder.end()).toBe('');
  });

  test('returns U+FFFD at the end for an incomplete character', () => {
    const decoder = new Utf8Decoder();
    expect(decoder.decode(Buffer.from('a漢').subarray(0, 3))).toBe('a');
    expect([decoder.end(), decoder.end()]).toEqual(['\ufffd', '']);
  });
});
