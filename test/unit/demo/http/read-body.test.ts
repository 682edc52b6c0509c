import { describe, expect, test } from 'vitest';
import { readBody } from '../../../../src/demo/http/read-body';

/** Uses the same memory for each piece, so that a piece that was kept is seen to change. */
async function* toPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const piece = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    yield piece.subarray(0, bytes.copy(piece, 0, at, at + size));
  }
}

const MB = 1024 * 1024;

describe('readBody', () => {
  test.each([1, 2, 7, 70_000])('joins pieces of %d bytes and keeps none of them', async (size) => {
    const text = 'Wie ist das Wetter in Tromsø? ☔ 🌧 '.repeat(5_000);
    expect(await readBody(toPieces(text, size))).toBe(text);
  });

  test('reads an empty body', async () => {
    expect(await readBody(toPieces('', 1))).toBe('');
  });

  test('reads a body of 8 MiB, drains a longer one, and refuses one that does not end', async () => {
    const longest = 'x'.repeat(8 * MB);
    expect(await readBody(toPieces(longest, 65_536))).toBe(longest);
    expect(await readBody(toPieces(`${longest}x`, 65_536))).toBeUndefined();
    await expect(readBody(toPieces(longest.repeat(9), 65_536))).rejects.toThrow('does not end');
  });
});
