import { describe, expect, test } from 'vitest';
import { ByteStore } from '../../../../src/library/util/byte-store';
import { fc, runs } from '../../../support/arbitrary/properties';

/** Lengths of pieces: of some bytes, and of more than a piece that is kept as it is. */
const anyLengths = fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 10_000, max: 20_000 })), {
  maxLength: 40,
});

/** A piece whose bytes tell its place among the others. */
const pieceOf = (length: number, index: number): Buffer => Buffer.alloc(length, index + 1);

describe('ByteStore', () => {
  test('returns what was added, whole, and in parts as it comes', () => {
    fc.assert(
      fc.property(anyLengths, fc.integer({ min: 1, max: 5 }), (lengths, every) => {
        const store = new ByteStore();
        const pieces = lengths.map(pieceOf);
        const taken: Buffer[] = [];
        for (const [index, piece] of pieces.entries()) {
          store.add(piece);
          if (index % every === 0) taken.push(...store.takeNew());
        }
        taken.push(...store.takeNew());
        const all = Buffer.concat(pieces);
        expect(store.size).toBe(all.length);
        expect(store.join().equals(all)).toBe(true);
        expect(Buffer.concat(store.pieces()).equals(all)).toBe(true);
        expect(Buffer.concat(taken).equals(all)).toBe(true);
        expect(store.takeNew()).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  test('copies short pieces into few blocks, which are less than twice as large as what is in them', () => {
    const store = new ByteStore();
    const block = Buffer.alloc(64 * 1024, 'x');
    for (let at = 0; at < 500_000; at++) store.add(block.subarray(at % 1000, (at % 1000) + 1));
    const pieces = store.pieces();
    expect(pieces.length).toBeLessThan(20);
    expect(pieces.some(({ buffer }) => buffer === block.buffer)).toBe(false);
    const allocated = [...new Set(pieces.map(({ buffer }) => buffer))];
    const total = allocated.reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(total).toBeLessThan(2 * store.size);
  });

  test('goes on in the same block after a long piece', () => {
    const store = new ByteStore();
    const long = Buffer.alloc(16 * 1024);
    for (let round = 0; round < 200; round++) {
      store.add(Buffer.from('x'));
      store.add(long);
    }
    const own = store.pieces().filter(({ length }) => length === 1);
    expect(own.length).toBe(200);
    expect(new Set(own.map(({ buffer }) => buffer)).size).toBeLessThan(4);
  });

  test('does not copy a body that arrived in one long piece', () => {
    const store = new ByteStore();
    const piece = Buffer.alloc(64 * 1024);
    store.add(piece);
    expect(store.join()).toBe(piece);
  });
});
