// A real server on a free port of the loopback address, with a response for each request given by the test.
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Answer = (request: SeenRequest, response: ServerResponse, count: number) => void;

export interface TestServer extends AsyncDisposable {
  url: string;
  requests: SeenRequest[];
  /** Number of connections opened so far. */
  connections: () => number;
  /** Number of open connections. */
  openConnections: () => Promise<number>;
  closeIdle: () => void;
}

/** @param answer Called when the request's body is complete; `count` starts with 1. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  let connections = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(seen);
      answer(seen, response, requests.length);
    });
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    openConnections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    closeIdle: () => server.closeIdleConnections(),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  document: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(document));
}
