// Ids for tool calls that came without one. Knows no protocol.
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// Mistral's API takes ids of exactly nine letters and digits; other servers take any
const ID_LENGTH = 9;
// the largest multiple of 62 that fits a byte: bytes above it would favour the first characters
const FAIR_LIMIT = 248;
// asking the system for each id is most of the cost of a text with thousands of calls
const POOL_BYTES = 4096;

let pool: Uint8Array = new Uint8Array(0);
let used = 0;

/** Nine random letters and digits. Not from the clock: two calls of one millisecond would collide. */
export function createCallId(): string {
  let id = '';
  for (let count = 0; count < ID_LENGTH; count += 1) id += ALPHABET.charAt(nextFairByte() % ALPHABET.length);
  return id;
}

const SHORT_ID = /^[0-9A-Za-z]{9}$/;

/** An id of the same form for any other: the same one each time, so that a call and its result keep what links them. */
export function toShortId(id: string): string {
  if (SHORT_ID.test(id)) return id;
  const bytes = createHash('sha256').update(id).digest().subarray(0, ID_LENGTH);
  return Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

function nextFairByte(): number {
  for (;;) {
    if (used >= pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    const byte = pool[used] ?? FAIR_LIMIT;
    used += 1;
    if (byte < FAIR_LIMIT) return byte;
  }
}
