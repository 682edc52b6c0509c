// A raw TCP server that sends what it is told byte by byte, faults that node:http would not write included. Knows no
// protocol above the framing of a request.
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** When the script runs: the connection stands; the head of a request is there; the whole request is there. */
export type FaultMoment = 'connection' | 'head' | 'request';

/** @param count How often the script has been run, this time included. */
export type FaultScript = (socket: Socket, count: number) => void | Promise<void>;

export interface FaultServer extends AsyncDisposable {
  port: number;
  /** How often the script was run. */
  runs: () => number;
  openConnections: () => Promise<number>;
  /** Of the open ones those that were used: the HTTP client may open a connection that it then needs no more. */
  usedConnections: () => number;
  /** What the script itself failed with: a mistake in a test. */
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
  // half-open, so that `end()` closes one direction only and `destroySoon()` both
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    const reader = new RequestReader(moment, () => void run(socket));
    socket.on('error', () => undefined); // the other side may well be gone
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

/** Finds the requests in the bytes of one connection; a body has a `content-length`. */
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
