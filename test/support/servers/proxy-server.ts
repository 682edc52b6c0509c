// A real HTTP proxy for tunnels (CONNECT) that connects every host name to a port of this machine.
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { TLS_OPTIONS } from './tls-server';

export interface ProxyServer extends AsyncDisposable {
  /** `host:port`. */
  address: string;
  /** The target and authorization of each requested tunnel. */
  tunnels: { target: string; authorization: string | undefined }[];
}

interface ProxyOptions {
  /** Required value of `Proxy-Authorization`; without it the proxy answers 407. */
  wanted?: string | undefined;
  /** Whether the proxy itself uses TLS, with the test certificate. */
  isSecure?: boolean;
}

export async function startProxy(
  port: number,
  { wanted, isSecure = false }: ProxyOptions = {},
): Promise<ProxyServer> {
  const tunnels: ProxyServer['tunnels'] = [];
  const sockets = new Set<net.Socket>();
  const refuse: http.RequestListener = (_, response) => void response.writeHead(405).end();
  const server = isSecure ? https.createServer(TLS_OPTIONS, refuse) : http.createServer(refuse);
  server.on('connect', (request, socket: net.Socket) => {
    const authorization = request.headers['proxy-authorization'];
    tunnels.push({ target: request.url ?? '', authorization });
    if (authorization !== wanted) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    }
    const target = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const [one, other] of [
      [target, socket],
      [socket, target],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}
