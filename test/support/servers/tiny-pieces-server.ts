// A server whose every body comes byte by byte, each in a chunk of its own, as fast as the connection takes them.
import net from 'node:net';
import type { AddressInfo } from 'node:net';

const MANY = 10_000;
const CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(MANY));

/**
 * The status of each answer is the first part of the path.
 * @param bytes Length of each body; a multiple of 10,000.
 */
export async function startTinyPiecesServer(bytes: number): Promise<AsyncDisposable & { url: string }> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined); // the client may stop reading
    socket.on('data', (data) => {
      const [, status] = /^POST \/(\d+)\//.exec(String(data)) ?? [];
      if (status === undefined) return; // the rest of a request
      let left = bytes / MANY;
      const send = (): void => {
        while (left-- > 0) if (!socket.write(CHUNKS)) return void socket.once('drain', send);
        socket.end('0\r\n\r\n');
      };
      socket.write(`HTTP/1.1 ${status} Any\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
      send();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
