// Creates ids for tool calls that have none. Independent of protocols, and of Node: rescue also runs in browsers.

/** The characters of ids. */
export const ID_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// Mistral's API accepts only ids of exactly nine letters and digits; other servers accept any.
export const ID_LENGTH = 9;
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
  const bytes = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
  let count = 0;
  // In place, because the ids of a text with thousands of calls would otherwise leave megabytes of garbage.
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? FAIR_LIMIT;
    if (byte >= FAIR_LIMIT) continue;
    bytes[count] = ID_ALPHABET.charCodeAt(byte % ID_ALPHABET.length);
    count += 1;
  }
  return String.fromCharCode(...bytes.subarray(0, count));
}
