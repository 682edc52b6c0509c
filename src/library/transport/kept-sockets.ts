// Tells a stale keep-alive socket from a connection that failed otherwise. Knows no HTTP client.
import type { Socket } from 'node:net';

/** What the client says when the other side closes a connection, or is found to have closed it. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

interface WatchedSocket {
  socket: Socket;
  /** How many requests had begun when it was opened, or last read. */
  activeAt: number;
  /** Bytes that it had read by then. */
  bytesRead: number;
}

/**
 * Neither undici's errors nor its API name the socket of a request, so the sockets are watched from their first moment.
 * Each remembers when it was last read: looking at all of them at each request would cost the more the more are open.
 */
export class KeptSockets {
  #requests = 0;
  readonly #ofError = new WeakMap<Error, WatchedSocket>();

  /** To be called before the client adds listeners of its own: the error must be known before the request fails with it. */
  add(socket: Socket): void {
    const watched = { socket, activeAt: this.#requests, bytesRead: socket.bytesRead };
    const read = socket.read.bind(socket);
    // the event `readable` does not come before every read, and comes before the end too
    socket.read = (size) => {
      if (socket.bytesRead !== watched.bytesRead) {
        watched.activeAt = this.#requests;
        watched.bytesRead = socket.bytesRead;
      }
      return read(size);
    };
    socket.once('error', (error) => this.#ofError.set(error, watched));
  }

  /** To be called before a request is handed to the client, which sends it on an idle socket or on a new one. @returns its number */
  begin(): number {
    this.#requests += 1;
    return this.#requests;
  }

  /** Whether the socket was a kept one, and was closed before a byte of the answer came back. */
  isStale(error: unknown, request: number): boolean {
    if (!(error instanceof Error) || !('code' in error) || !CLOSED.has(String(error.code))) return false;
    const watched = this.#ofError.get(error);
    return (
      watched !== undefined && watched.activeAt < request && watched.bytesRead === watched.socket.bytesRead
    );
  }
}
