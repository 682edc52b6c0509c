// Vectors from texts, by counting: no network, no table of words. Pure, and the same on every computer.

/** Numbers in a vector. */
export const EMBEDDING_LENGTH = 64;

const GRAM_LENGTHS = [2, 3, 4];
const BITS_PER_HASH = 32;

/**
 * The vector of a text: 64 float32 values of length 1.
 *
 * The text, in lower case and between two spaces, is taken apart into every run of 2, 3 and 4 characters. Each run is
 * hashed to 64 bits, and each bit adds 1 to its dimension or takes 1 from it; the sum is scaled to length 1. Texts that
 * share runs get near vectors, in every spelling, language and order of words; what they mean plays no part. Only whole
 * numbers, one division and one square root are used, which every machine computes alike.
 */
export function embedText(text: string): number[] {
  const sums = Array.from({ length: EMBEDDING_LENGTH }, () => 0);
  for (const gram of gramsOf(text)) addGram(sums, gram);
  return normalize(sums);
}

/** The vector's first numbers, scaled to length 1 again; all of them when there are not that many. */
export function shortenVector(vector: readonly number[], dimensions: number): number[] {
  const isShorter = dimensions > 0 && dimensions < vector.length;
  return isShorter ? normalize(vector.slice(0, dimensions)) : [...vector];
}

/** The number with the fewest digits that is still this float32, as Go writes one. */
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

/** FNV-1a with the last mixing step of MurmurHash3, without which near texts share their high bits. */
function hash(text: string, seed: number): number {
  let mixed = 0x81_1c_9d_c5 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return mixed ^ (mixed >>> 16);
}

/** A vector of zeros has no direction and stays as it is. */
function normalize(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => (length === 0 ? 0 : Math.fround(value / length)));
}
