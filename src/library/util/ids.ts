// Creates ids for tool calls that have none. Independent of protocols.
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// Mistral's API accepts only ids of exactly nine letters and digits; other servers accept any.
const ID_LENGTH = 9;
// The largest multiple of 62 that fits into a byte. With larger bytes the first characters would be more frequent.
const FAIR_LIMIT = 248;
// Characters are made in bulk: one system call for each id would dominate the cost of a text with thousands of calls.
const POOL_BYTES = 4096;

let pool = '';
let used = 0;

/** Nine random letters and digits. Not derived from the clock, since two calls within a millisecond would collide. */
export function createCallId(): string {
  if (used + ID_LENGTH > pool.length) [pool, used] = [createCharacters(), 0];
  used += ID_LENGTH;
  return pool.slice(used - ID_LENGTH, used);
}

function createCharacters(): string {
  const bytes = randomBytes(POOL_BYTES);
  let count = 0;
  // In place, because the ids of a text with thousands of calls would otherwise leave megabytes of garbage.
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? FAIR_LIMIT;
    if (byte >= FAIR_LIMIT) continue;
    bytes[count] = ALPHABET.charCodeAt(byte % ALPHABET.length);
    count += 1;
  }
  return bytes.toString('latin1', 0, count);
}

const SHORT_ID = /^[0-9A-Za-z]{9}$/;

/** Maps any id to one of that form, always to the same one, so that a call and its result stay linked. */
export function toShortId(id: string): string {
  if (SHORT_ID.test(id)) return id;
  const bytes = createHash('sha256').update(id).digest().subarray(0, ID_LENGTH);
  return Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}
