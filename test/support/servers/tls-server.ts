// A real local HTTPS server with the test certificate: CN=localhost, self-signed, so that it is its own
// certificate authority.
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

const pem = (name: string): string =>
  readFileSync(new URL(`../../fixtures/tls/localhost-${name}.pem`, import.meta.url), 'utf8');

export const CERTIFICATE = pem('cert');
export const TLS_OPTIONS = { key: pem('key'), cert: CERTIFICATE };

export interface TlsServer extends AsyncDisposable {
  port: number;
  /** The headers of each request. */
  requests: Record<string, unknown>[];
}

/** Answers every request with this document. */
export async function startTlsServer(document: unknown): Promise<TlsServer> {
  const requests: TlsServer['requests'] = [];
  const server = https.createServer(TLS_OPTIONS, (request, response) => {
    requests.push(request.headers);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
