import { describe, expect, it } from 'vitest';
import { TextLines } from '../../../../../src/library/wire/reply/text-lines';

function linesOf(pieces: Uint8Array[], ends?: 'feed' | 'any'): string[] {
  const found: string[] = [];
  const lines = new TextLines((line) => found.push(line), ends);
  for (const piece of pieces) lines.push(piece);
  lines.end();
  return found;
}

/** The bytes of a text, split into pieces of this size. */
function cut(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const TEXT = 'plain\ncafé €\n\u{1f600} smile\r\nplain again\nlast';
const LINES = ['plain', 'café €', '\u{1f600} smile', 'plain again', 'last'];

describe('TextLines', () => {
  it.each([1, 2, 3, 4, 5, 7, 64])('returns the same lines for bytes in pieces of %i', (size) => {
    expect(linesOf(cut(TEXT, size))).toEqual(LINES);
    expect(linesOf(cut(TEXT, size), 'any')).toEqual(LINES);
  });

  it.each([1, 2, 3, 64])('removes a byte order mark at the start only, in pieces of %i', (size) => {
    expect(linesOf(cut('\ufeffone\n\ufefftwo', size))).toEqual(['one', '\ufefftwo']);
  });

  it('keeps a byte order mark at the start of a later piece', () => {
    expect(linesOf([Buffer.from('one\n'), Buffer.from('\ufefftwo')])).toEqual(['one', '\ufefftwo']);
  });

  it('ends a line at a lone CR only if requested', () => {
    expect(linesOf(cut('a\rb\n', 2), 'any')).toEqual(['a', 'b']);
    expect(linesOf(cut('a\rb\n', 2))).toEqual(['a\rb']);
  });
});
