// Reads a response body to its end, within a bound. Knows no protocol.
import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { StreamReader } from './stream-reader';

/** Bytes; a longer body is an error that names this limit. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** How long a connection may stay open behind the end mark of its stream: servers that forget to close it exist. */
const MAX_LINGER_MS = 1000;

export class BodyTooLargeError extends Error {
  constructor() {
    super(`the body is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB`);
    this.name = 'BodyTooLargeError';
  }
}

/**
 * Rejects with the stream's own error when it breaks, and with `BodyTooLargeError` past the limit; both close the socket.
 * @param reader Sees each piece as it arrives; what it throws ends the reading. Once it is complete nothing is a failure.
 * Bytes that are not UTF-8 become U+FFFD, as `fetch` does it.
 */
export function readBody(
  body: Readable,
  reader?: Pick<StreamReader, 'push' | 'isComplete'>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let linger: NodeJS.Timeout | undefined;
    const pass = (chunk: Buffer): void => {
      try {
        reader?.push(chunk);
      } catch (error) {
        body.destroy(error instanceof Error ? error : new Error(String(error)));
      }
      if (reader?.isComplete?.()) linger ??= setTimeout(() => body.destroy(), MAX_LINGER_MS);
    };
    const finish = (): void => {
      clearTimeout(linger);
      const [only] = chunks;
      resolve((chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString('utf8'));
    };
    const fail = (error: Error): void => (reader?.isComplete?.() ? finish() : reject(error));
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_RESPONSE_BYTES) body.destroy(new BodyTooLargeError());
      else pass(chunk);
    };
    // on a kept connection pieces arrive in the context of the call that opened it
    body.on('data', AsyncResource.bind(take));
    body.once('end', finish);
    body.once('error', fail);
    body.once('close', () => fail(new Error('the body ended before it was complete')));
  });
}
