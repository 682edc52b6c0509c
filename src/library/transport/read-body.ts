// Reads a response body to its end, within a bound. Knows no protocol.
import type { Readable } from 'node:stream';

/** Bytes; a longer body is an error that names this limit. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export class BodyTooLargeError extends Error {
  constructor() {
    super(`the body is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB`);
    this.name = 'BodyTooLargeError';
  }
}

/**
 * Rejects with the stream's own error when it breaks, and with `BodyTooLargeError` past the limit; both close the socket.
 * @param onChunk Sees each piece as it arrives; what it throws ends the reading.
 * Bytes that are not UTF-8 become U+FFFD, as `fetch` does it.
 */
export function readBody(body: Readable, onChunk?: (chunk: Uint8Array) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const pass = (chunk: Buffer): void => {
      try {
        onChunk?.(chunk);
      } catch (error) {
        body.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    };
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_RESPONSE_BYTES) body.destroy(new BodyTooLargeError());
      else pass(chunk);
    });
    body.once('end', () => {
      const [only] = chunks;
      resolve((chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString('utf8'));
    });
    body.once('error', reject);
    body.once('close', () => reject(new Error('the body ended before it was complete')));
  });
}
