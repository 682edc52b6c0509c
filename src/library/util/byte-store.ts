// Keeps bytes that arrive in pieces of any size, in memory proportional to their number. Independent of protocols.

const EMPTY = Buffer.alloc(0);

/**
 * In bytes. A shorter piece is copied: as a view it would be an object of its own, and would keep the whole block alive that
 * it was read into. A longer piece is kept as it is, because such a block has at most 64 KiB.
 */
const MIN_VIEW = 16 * 1024;

const MIN_BLOCK = 4 * 1024;
const MAX_BLOCK = 1024 * 1024;

export class ByteStore {
  /** In order; full, or never written again. */
  readonly #blocks: Buffer[] = [];
  /** The block after them, of which `#filled` bytes are used. */
  #block: Buffer = EMPTY;
  #filled = 0;
  #size = 0;
  /** The first byte that `takeNew` has not returned: the index of its block, and its offset in there. */
  #newBlock = 0;
  #newOffset = 0;

  /** Number of bytes. */
  get size(): number {
    return this.#size;
  }

  /** @param piece May be kept, so its bytes must not change. */
  add(piece: Buffer): void {
    const { length } = piece;
    if (length >= MIN_VIEW) {
      this.#close(this.#block.subarray(this.#filled));
      this.#blocks.push(piece);
    } else {
      if (length > this.#block.length - this.#filled) this.#close(this.#openBlock(length));
      this.#block.set(piece, this.#filled);
      this.#filled += length;
    }
    this.#size += length;
  }

  /** Everything, in as few pieces as there are blocks. */
  pieces(): Buffer[] {
    return this.#piecesFrom(0);
  }

  /** What was added since the last call. */
  takeNew(): Buffer[] {
    const found = this.#piecesFrom(this.#newBlock);
    const [first] = found;
    if (first && this.#newOffset > 0) found[0] = first.subarray(this.#newOffset);
    this.#newBlock = this.#blocks.length;
    this.#newOffset = this.#filled;
    return found.filter(({ length }) => length > 0);
  }

  /** Everything as one piece, without copying when it is one already. */
  join(): Buffer {
    const pieces = this.pieces();
    const [only] = pieces;
    return only && pieces.length === 1 ? only : Buffer.concat(pieces);
  }

  #piecesFrom(index: number): Buffer[] {
    const pieces = this.#blocks.slice(index);
    if (this.#filled > 0) pieces.push(this.#block.subarray(0, this.#filled));
    return pieces;
  }

  /** Most bodies are one piece, so the first block has just that size; the others are as large as what is there already. */
  #openBlock(length: number): Buffer {
    const size = this.#size === 0 ? length : Math.min(Math.max(this.#size, MIN_BLOCK), MAX_BLOCK);
    return Buffer.allocUnsafe(Math.max(length, size));
  }

  #close(next: Buffer): void {
    if (this.#filled > 0) this.#blocks.push(this.#block.subarray(0, this.#filled));
    this.#block = next;
    this.#filled = 0;
  }
}
