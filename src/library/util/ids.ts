// Creates ids for tool calls that have none. Independent of protocols.
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// Mistral's API accepts only ids of exactly nine letters and digits; other servers accept any.
const ID_LENGTH = 9;
// The largest multiple of 62 that fits into a byte. With larger bytes the first characters would be more frequent.
const FAIR_LIMIT = 248;
// Random bytes are fetched in bulk: one system call for each id would dominate the cost of a text with thousands of calls.
const POOL_BYTES = 4096;

let pool: Uint8Array = new Uint8Array(0);
let used = 0;

/** Nine random letters and digits. Not derived from the clock, since two calls within a millisecond would collide. */
export function createCallId(): string {
  let id = '';
  for (let count = 0; count < ID_LENGTH; count += 1) id += ALPHABET.charAt(nextFairByte() % ALPHABET.length);
  return id;
}

const SHORT_ID = /^[0-9A-Za-z]{9}$/;

/** Maps any id to one of that form, always to the same one, so that a call and its result stay linked. */
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
