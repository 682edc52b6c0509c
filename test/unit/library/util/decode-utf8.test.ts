import { describe, expect, test } from 'vitest';
import { decodeUtf8 } from '../../../../src/library/util/decode-utf8';
import { fc, runs } from '../../../support/properties';

describe('decodeUtf8', () => {
  test.each(['', 'plain', 'café “so” 😀 漢字', '\ufeffwith a mark', '\0\u007f\u0080\u07ff\uffff'])(
    'gives back %j',
    (text) => {
      expect(decodeUtf8(Buffer.from(text))).toBe(text);
    },
  );

  test('reads a part of a larger piece of memory', () => {
    const bytes = Buffer.from('-é-é-');
    expect(decodeUtf8(bytes.subarray(1, 6))).toBe('é-é');
  });

  test('puts U+FFFD in place of what is not UTF-8, as every decoder does', () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const anyBytes = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 6 }),
        fc.constantFrom('a', 'é', '“', '漢', '😀').map((text) => Buffer.from(text)),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(anyBytes, (parts) => {
        const bytes = Buffer.concat(parts);
        expect(decodeUtf8(bytes)).toBe(decoder.decode(bytes));
      }),
      { numRuns: runs(1000) },
    );
  });
});
