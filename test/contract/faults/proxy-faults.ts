// Faults of a proxy: it opens no tunnel, or the tunnel breaks.
import type { Fault } from './fault';
import { fails, turn } from './fault';

/** A connection that is cut while it is being established fails with one of several codes, depending on the timing. */
const cut = fails('network', 3, /ECONNRESET|EPIPE|UND_ERR_SOCKET/);

const proxied = {
  at: 'head',
  host: () => 'http://target.invalid',
  proxy: (port: number) => `http://127.0.0.1:${port}`,
} as const;

export const PROXY_FAULTS: readonly Fault[] = [
  { ...proxied, name: 'a proxy that closes the connection', serve: (peer) => peer.close(), expected: cut },
  { ...proxied, name: 'a proxy that resets the connection', serve: (peer) => peer.reset(), expected: cut },
  {
    ...proxied,
    name: 'a proxy that refuses the tunnel',
    serve: (peer) => peer.write('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
    expected: fails('network', 3, [
      'The proxy refused to connect to the server (502).',
      'can reach the server',
    ]),
  },
  {
    ...proxied,
    name: 'a proxy that wants a password',
    serve: (peer) => peer.write('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
    expected: fails('network', 1, ['a user and a password (407)', 'network.proxyAuthorization']),
  },
  {
    ...proxied,
    name: 'a proxy that speaks another protocol',
    serve: (peer) => void peer.socket.end('220 mail.example ESMTP\r\n'),
    expected: fails('network', 3, 'HTTP/1.1 protocol'),
  },
  {
    ...proxied,
    name: 'stopped by the caller in the request for a tunnel',
    serve: (peer) => peer.abort(),
    expected: fails('aborted', 1, 'was stopped', { ledger: [{ decision: 'stop', endedBy: 'caller' }] }),
  },
  {
    ...proxied,
    name: 'a proxy that opens its tunnel and answers in it',
    serve: (peer) => (peer.count === 1 ? peer.write('HTTP/1.1 200 OK\r\n\r\n') : peer.answer(peer.good)),
    expected: turn(),
    reached: 2,
  },
  {
    ...proxied,
    name: 'a tunnel that is closed when it is used for the second call',
    calls: 2,
    serve: (peer) => {
      if (peer.count === 3) peer.reset();
      else if (peer.count % 3 === 1) peer.write('HTTP/1.1 200 OK\r\n\r\n');
      else peer.answer(peer.good);
    },
    expected: turn(),
    reached: 5,
  },
];
