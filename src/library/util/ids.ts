// Ids for tool calls that came without one. Knows no protocol.
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 24;
// the largest multiple of 36 that fits a byte: bytes above it would favour the first characters
const FAIR_LIMIT = 252;
// asking the system for each id is most of the cost of a text with thousands of calls
const POOL_BYTES = 4096;

let pool: Uint8Array = new Uint8Array(0);
let used = 0;

/** `call_` and 24 random base-36 characters. Not from the clock: two calls of one millisecond would collide. */
export function createCallId(): string {
  let id = 'call_';
  for (let count = 0; count < ID_LENGTH; count += 1) id += ALPHABET.charAt(nextFairByte() % ALPHABET.length);
  return id;
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
