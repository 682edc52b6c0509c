// Computes vectors from texts by counting, without a network or a vocabulary. Pure; gives the same result on every computer.

/** Number of dimensions of a vector. */
export const EMBEDDING_LENGTH = 64;

const GRAM_LENGTHS = [2, 3, 4];
const BITS_PER_HASH = 32;

/**
 * The vector of a text: 64 float32 values, scaled to unit length.
 *
 * The text, in lower case and between two spaces, is split into all runs of 2, 3 and 4 characters. Each run is hashed to 64
 * bits, and each bit adds 1 to its dimension or subtracts 1. The sum is scaled to unit length. Texts that share runs get
 * similar vectors, in every language and word order; meaning plays no part. Only integers, one division and one square root
 * are used, which every machine computes alike.
 */
export function embedText(text: string): number[] {
  const sums = Array.from({ length: EMBEDDING_LENGTH }, () => 0);
  for (const gram of gramsOf(text)) addGram(sums, gram);
  return normalize(sums);
}

/** The first numbers of the vector, scaled to unit length again; the whole vector when it does not have that many. */
export function shortenVector(vector: readonly number[], dimensions: number): number[] {
  const isShorter = dimensions > 0 && dimensions < vector.length;
  return isShorter ? normalize(vector.slice(0, dimensions)) : [...vector];
}

/** The number with the fewest digits that rounds to this float32, as Go prints it. */
export function toShortFloat(value: number): number {
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

function gramsOf(text: string): string[] {
  const characters = Array.from(` ${text.toLowerCase().replaceAll(/\s+/g, ' ').trim()} `);
  return GRAM_LENGTHS.flatMap((length) =>
    characters.slice(length - 1).map((_, start) => characters.slice(start, start + length).join('')),
  );
}

function addGram(sums: number[], gram: string): void {
  for (let from = 0; from < EMBEDDING_LENGTH; from += BITS_PER_HASH) {
    const bits = hash(gram, from);
    for (let bit = 0; bit < BITS_PER_HASH; bit += 1) {
      sums[from + bit] = (sums[from + bit] ?? 0) + ((bits >>> bit) & 1 ? 1 : -1);
    }
  }
}

/** FNV-1a with the final mixing step of MurmurHash3, without which similar texts share their high bits. */
function hash(text: string, seed: number): number {
  let mixed = 0x81_1c_9d_c5 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return mixed ^ (mixed >>> 16);
}

/** A zero vector has no direction and is returned unchanged. */
function normalize(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => (length === 0 ? 0 : Math.fround(value / length)));
}
