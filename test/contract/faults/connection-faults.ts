// Faults of the connection: it cannot be established, breaks in some phase, speaks another protocol, or is used twice.
import type { Fault } from './fault';
import { fails, turn } from './fault';
import type { Peer } from './peer';
import { PROXY_FAULTS } from './proxy-faults';

const closed = fails('network', 3, 'closed the connection before its answer was complete. (UND_ERR_SOCKET)');
const reset = fails('network', 3, 'The connection was reset. (ECONNRESET)');
/** A connection that is cut while it is being established fails with one of several codes, depending on the timing. */
const cut = fails('network', 3, /ECONNRESET|EPIPE|UND_ERR_SOCKET/);
const brokenOff = fails('truncated-stream', 3, 'The stream ended without its end mark');
const brokenAfterWords = fails('truncated-stream', 1, '2 characters had arrived', {
  partial: { content: 'fi' },
});
const stopped = (partial?: string) =>
  fails('aborted', 1, 'was stopped', {
    ledger: [{ decision: 'stop', endedBy: 'caller' }],
    ...(partial !== undefined && { partial: { content: partial } }),
  });

/** Sends half of the body and waits until the client has received it. */
async function sendHalf(peer: Peer): Promise<void> {
  const seen = peer.isStreamed ? peer.signals.deltaSeen() : peer.signals.headersSeen();
  peer.head([`content-length: ${peer.good.length}`]);
  peer.write(peer.half);
  await seen;
}

async function sendHead(peer: Peer): Promise<void> {
  const seen = peer.signals.headersSeen();
  peer.head([`content-length: ${peer.good.length}`]);
  await seen;
}

const MADE: Fault[] = [
  {
    name: 'refused because nothing listens',
    isGone: true,
    serve: () => undefined,
    expected: fails('network', 3, 'Nothing listens at that address. (ECONNREFUSED)', {
      errorCode: 'ECONNREFUSED',
    }),
  },
  {
    name: 'impossible because the name does not resolve',
    host: () => 'http://nope.invalid',
    serve: () => undefined,
    expected: fails('network', 3, [/\((ENOTFOUND|EAI_AGAIN)\)/, /name/i]),
    reached: 0,
  },
  {
    name: 'reset as soon as it is established',
    at: 'connection',
    serve: (peer) => peer.reset(),
    expected: cut,
  },
  {
    name: 'closed as soon as it is established',
    at: 'connection',
    serve: (peer) => peer.close(),
    expected: cut,
  },
  {
    name: 'plain text where TLS is expected',
    at: 'connection',
    host: (port) => `https://127.0.0.1:${port}`,
    serve: (peer) => void peer.socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
    expected: fails('network', 3, 'Use http:// instead of https://.'),
  },
  {
    name: 'closed where TLS is expected',
    at: 'connection',
    host: (port) => `https://127.0.0.1:${port}`,
    serve: (peer) => peer.close(),
    expected: fails('network', 3, /ECONNRESET|EPIPE|UND_ERR_SOCKET/),
  },
  {
    name: 'TLS where plain text is expected',
    serve: (peer) => void peer.socket.end(Buffer.from('15030100020246', 'hex')),
    expected: fails('network', 3, 'does not match the HTTP/1.1 protocol'),
  },
];

const CUT: Fault[] = [
  {
    name: 'reset before the request is read',
    at: 'head',
    serve: (peer) => peer.reset(),
    expected: cut,
    prompt: 'x'.repeat(500_000),
  },
  { name: 'reset before the headers', serve: (peer) => peer.reset(), expected: reset },
  { name: 'closed before the headers', serve: (peer) => peer.close(), expected: closed },
  { name: 'half-closed before the headers', serve: (peer) => void peer.socket.end(), expected: closed },
  {
    name: 'closed in the status line',
    serve: (peer) => void peer.socket.end('HTTP/1.1 2'),
    expected: closed,
  },
  {
    name: 'reset in the status line',
    serve: (peer) => void peer.socket.write('HTTP/1.1 2', () => peer.reset()),
    expected: cut,
  },
  {
    name: 'closed in the headers',
    serve: (peer) => void peer.socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
    expected: closed,
  },
  {
    name: 'reset in the headers',
    serve: (peer) => void peer.socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => peer.reset()),
    expected: cut,
  },
  {
    name: 'closed after the headers',
    serve: (peer) => sendHead(peer).then(() => peer.close()),
    expected: closed,
    except: { streamed: brokenOff },
  },
  {
    name: 'reset after the headers',
    serve: (peer) => sendHead(peer).then(() => peer.reset()),
    expected: reset,
    except: { streamed: brokenOff },
  },
  {
    name: 'closed in the body',
    serve: (peer) => sendHalf(peer).then(() => peer.close()),
    expected: closed,
    except: { streamed: brokenAfterWords },
  },
  {
    name: 'reset in the body',
    serve: (peer) => sendHalf(peer).then(() => peer.reset()),
    expected: reset,
    except: { streamed: brokenAfterWords },
  },
  {
    name: 'half-closed in the body',
    serve: (peer) => sendHalf(peer).then(() => void peer.socket.end()),
    expected: closed,
    except: { streamed: brokenAfterWords },
  },
  {
    name: 'cut at the first attempt only',
    serve: (peer) => (peer.count === 1 ? peer.reset() : peer.answer(peer.good)),
    expected: turn('fine', { attempts: 2 }),
  },
];

const USED_TWICE: Fault[] = [
  {
    name: 'closed between two calls',
    calls: 2,
    serve: (peer) => {
      peer.answer(peer.good);
      peer.close();
    },
    expected: turn(),
  },
  {
    name: 'closed when it is used for the second call',
    calls: 2,
    serve: (peer) => (peer.count === 2 ? peer.reset() : peer.answer(peer.good)),
    expected: turn(),
    reached: 3,
  },
  {
    name: 'answered before the request body was read',
    at: 'head',
    prompt: 'x'.repeat(2_000_000),
    serve: (peer) => peer.answer(peer.good),
    expected: turn(),
  },
  {
    name: 'with two answers for one request',
    calls: 2,
    serve: (peer) => {
      peer.answer(peer.good);
      peer.answer(peer.reply('{"content":"stolen"}'));
    },
    expected: turn(/^fine$/),
  },
  {
    name: 'switched to another protocol',
    serve: (peer) =>
      peer.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    expected: fails('network', 3, 'switches to another protocol'),
  },
];

const STOPPED: Fault[] = [
  {
    name: 'stopped by the caller in the TLS handshake',
    at: 'connection',
    host: (port) => `https://127.0.0.1:${port}`,
    serve: (peer) => peer.abort(),
    expected: stopped(),
  },
  { name: 'stopped by the caller before the headers', serve: (peer) => peer.abort(), expected: stopped() },
  {
    name: 'stopped by the caller after the headers',
    serve: (peer) => sendHead(peer).then(peer.abort),
    expected: stopped(),
  },
  {
    name: 'stopped by the caller in the body',
    serve: (peer) => sendHalf(peer).then(peer.abort),
    expected: stopped(),
    except: { streamed: stopped('fi') },
  },
];

export const CONNECTION_FAULTS: readonly Fault[] = [
  ...PROXY_FAULTS,
  ...MADE,
  ...CUT,
  ...USED_TWICE,
  ...STOPPED,
];
