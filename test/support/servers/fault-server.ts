// A raw TCP server that sends exactly the given bytes, including faults that node:http would not produce. Only
// understands the framing of requests.
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** When the script runs: once the connection is open, the request head has arrived, or the whole request has arrived. */
export type FaultMoment = 'connection' | 'head' | 'request';

/** @param count Number of the run, starting with 1. */
export type FaultScript = (socket: Socket, count: number) => void | Promise<void>;

export interface FaultServer extends AsyncDisposable {
  port: number;
  /** Number of script runs so far. */
  runs: () => number;
  openConnections: () => Promise<number>;
  /** Open connections that have been used: the HTTP client may open one that it does not need in the end. */
  usedConnections: () => number;
  /** Errors of the script itself, which are mistakes in a test. */
  scriptErrors: readonly unknown[];
}

export async function startFaultServer(moment: FaultMoment, script: FaultScript): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const scriptErrors: unknown[] = [];
  let runs = 0;
  const run = async (socket: Socket): Promise<void> => {
    try {
      await script(socket, ++runs);
    } catch (error) {
      scriptErrors.push(error);
    }
  };
  // Half-open, so that `end()` closes one direction only and `destroySoon()` closes both.
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    const reader = new RequestReader(moment, () => void run(socket));
    socket.on('error', () => undefined); // the other side may already be gone
    socket.on('data', (chunk) => reader.push(chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => sockets.delete(socket));
    if (moment === 'connection') void run(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    runs: () => runs,
    openConnections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    usedConnections: () => [...sockets].filter(({ bytesRead }) => bytesRead > 0).length,
    scriptErrors,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Finds requests in the bytes of a connection. A body must have a `content-length`. */
class RequestReader {
  readonly #moment: FaultMoment;
  readonly #onRequest: () => void;
  #rest = '';
  #isAnnounced = false;

  constructor(moment: FaultMoment, onRequest: () => void) {
    this.#moment = moment;
    this.#onRequest = onRequest;
  }

  push(chunk: Buffer): void {
    if (this.#moment === 'connection') return;
    this.#rest += chunk.toString('latin1');
    for (let head = this.#headEnd(); head > 0; head = this.#headEnd()) {
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#rest.slice(0, head))?.[1] ?? 0);
      const isWhole = this.#rest.length >= head + length;
      if (!this.#isAnnounced && (isWhole || this.#moment === 'head')) {
        this.#isAnnounced = true;
        this.#onRequest();
      }
      if (!isWhole) return;
      this.#rest = this.#rest.slice(head + length);
      this.#isAnnounced = false;
    }
  }

  #headEnd(): number {
    return this.#rest.indexOf('\r\n\r\n') + 4 * Number(this.#rest.includes('\r\n\r\n'));
  }
}
