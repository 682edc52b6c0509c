import { describe, expect, test } from 'vitest';
import { decodeUtf8, Utf8Decoder } from '../../../../src/library/util/decode-utf8';
import { fc, runs } from '../../../support/properties';

const byTheBook = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Text and what is none, in parts that are joined without regard to each other. */
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
    'gives back %j',
    (text) => {
      expect(decodeUtf8([Buffer.from(text)])).toBe(text);
    },
  );

  test('reads a part of a larger piece of memory', () => {
    const bytes = Buffer.from('-é-é-');
    expect(decodeUtf8([bytes.subarray(1, 6)])).toBe('é-é');
  });

  test.each([0, 1, 2, 3])('cuts no character of a long text that begins with %i bytes', (count) => {
    const text = 'a'.repeat(count) + '😀漢'.repeat(20_000);
    expect(decodeUtf8([Buffer.from(text)])).toBe(text);
  });

  test('puts U+FFFD in place of what is not UTF-8, as every decoder does', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(decodeUtf8([bytes])).toBe(byTheBook(bytes));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('does so in a long text, too, of which one part is not UTF-8', () => {
    const bytes = Buffer.from('é😀'.repeat(20_000));
    bytes[70_001] = 0xff;
    expect(decodeUtf8([bytes])).toBe(byTheBook(bytes));
  });

  test('reads bytes that are cut anywhere as it reads them in one piece', () => {
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
  test('holds back no character that is whole', () => {
    const decoder = new Utf8Decoder();
    const bytes = Buffer.from('é漢😀');
    const texts = Array.from(bytes, (_, index) => decoder.decode(bytes.subarray(index, index + 1)));
    expect(texts).toEqual(['', 'é', '', '', '漢', '', '', '', '😀']);
    expect(decoder.end()).toBe('');
  });

  test('says in the end that a character was cut off', () => {
    const decoder = new Utf8Decoder();
    expect(decoder.decode(Buffer.from('a漢').subarray(0, 3))).toBe('a');
    expect([decoder.end(), decoder.end()]).toEqual(['\ufffd', '']);
  });
});
