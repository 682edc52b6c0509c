// Reads the body of a request up to a limit. Independent of protocols.
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Past the limit, the rest is still read so that the caller gets a response. Past this one, reading stops. */
const MAX_DRAINED_BYTES = 8 * MAX_BODY_BYTES;
const EMPTY = Buffer.alloc(0);

/**
 * The body as text; undefined when it is longer than 8 MiB. @throws when the caller disconnects, or sends more than 64 MiB
 */
export async function readBody(request: AsyncIterable<Buffer>): Promise<string | undefined> {
  // The pieces are copied: a caller may send each byte on its own, and as an object it would take a hundred.
  let kept = EMPTY;
  let length = 0;
  for await (const piece of request) {
    const end = length + piece.length;
    if (end > MAX_DRAINED_BYTES) throw new Error('The request body does not end.');
    if (end > MAX_BODY_BYTES) kept = EMPTY;
    else if (end > kept.length) kept = Buffer.concat([kept], Math.max(end, 2 * kept.length));
    piece.copy(kept, length);
    length = end;
  }
  return length > MAX_BODY_BYTES ? undefined : kept.toString('utf8', 0, length);
}
