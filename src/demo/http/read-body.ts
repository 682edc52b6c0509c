// Reads the body of a request up to a limit. Independent of protocols.
import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Past the limit, the rest is still read so that the caller gets a response. Past this one, reading stops. */
const MAX_DRAINED_BYTES = 8 * MAX_BODY_BYTES;

/**
 * The body as text; undefined when it is longer than 8 MiB. @throws when the caller disconnects, or sends more than 64 MiB
 */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_DRAINED_BYTES) throw new Error('The request body does not end.');
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return length > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}
