// Faults of timing: a server that stalls in some phase, or is merely slow, with and without a timeout.
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault';
import { fails, turn } from './fault';
import type { Peer } from './peer';
import { once } from './peer';

const limited = { timeoutMs: 80, maxAttempts: 2 };
const tooLong = fails(
  'timeout',
  2,
  ['took too long, 2 attempts in', 'Each attempt may take 80 ms (timeoutMs).'],
  {
    timeoutMs: 80,
    ledger: [
      { endedBy: 'timeout', decision: 'retry' },
      { endedBy: 'timeout', decision: 'stop' },
    ],
  },
);
const once80 = { timeoutMs: 80, maxAttempts: 1 };
const tooLongOnce = fails('timeout', 1, 'took too long, 1 attempt in');

/** Writes one piece after the other; stops when the client has disconnected. */
async function drip(peer: Peer, pieces: readonly string[], everyMs: number): Promise<void> {
  for (const piece of pieces) {
    if (peer.socket.destroyed) return;
    peer.write(piece);
    await pause(everyMs);
  }
}

/** Splits a text into this number of pieces of equal length. */
function cut(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}

function wholeAnswer(peer: Peer): string {
  return [
    'HTTP/1.1 200 OK',
    `content-type: ${peer.contentType}`,
    `content-length: ${peer.good.length}`,
    '',
    peer.good,
  ].join('\r\n');
}

/** What a server may send between the pieces of a stream to keep the connection alive. */
const keepAlive = (peer: Peer): string => peer.by({ local: '\n', hosted: ': ping\n\n' });

const HANGS: Fault[] = [
  {
    name: 'accepts and never answers',
    at: 'connection',
    retry: limited,
    serve: () => undefined,
    expected: tooLong,
    reached: 'uncounted', // the client may open a second connection that it does not use
  },
  { name: 'reads the request and never answers', retry: limited, serve: () => undefined, expected: tooLong },
  {
    name: 'never finishes the TLS handshake',
    at: 'connection',
    retry: limited,
    host: (port) => `https://127.0.0.1:${port}`,
    serve: () => undefined,
    expected: tooLong,
  },
  {
    name: 'is a proxy that never opens its tunnel',
    at: 'head',
    retry: limited,
    host: () => 'https://target.invalid',
    proxy: (port) => `http://127.0.0.1:${port}`,
    serve: () => undefined,
    expected: tooLong,
  },
  {
    name: 'hangs in the status line',
    retry: limited,
    serve: (peer) => peer.write('HTTP/1.1 20'),
    expected: tooLong,
  },
  {
    name: 'hangs in the headers',
    retry: limited,
    serve: (peer) => peer.write('HTTP/1.1 200 OK\r\ncontent-type: appl'),
    expected: tooLong,
  },
  {
    name: 'sends 103 Early Hints and hangs',
    retry: limited,
    serve: (peer) => peer.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    expected: tooLong,
  },
  {
    name: 'sends the headers and never the body',
    retry: limited,
    serve: (peer) => peer.head(['content-length: 100']),
    expected: tooLong,
  },
  {
    name: 'hangs before the first content of the body',
    retry: limited,
    serve: (peer) => {
      peer.head(['transfer-encoding: chunked']);
      peer.write('5\r\n{"mod\r\n');
    },
    expected: tooLong,
  },
  {
    name: 'hangs in the body of an error',
    retry: limited,
    serve: (peer) => {
      peer.head(['content-length: 100'], '500 Internal Server Error');
      peer.write('{"error":');
    },
    expected: tooLong,
  },
  {
    name: 'hangs after the first content of the body',
    retry: { timeoutMs: 4000, maxAttempts: 2 },
    serve: (peer) => {
      peer.head(['content-length: 1000']);
      peer.write(peer.half);
    },
    expected: fails('timeout', 2, 'took too long'),
    except: { streamed: fails('timeout', 1, 'took too long', { partial: { content: 'fi' } }) },
  },
  {
    name: 'hangs between the last chunk and its end',
    retry: limited,
    serve: (peer) => {
      peer.head(['content-encoding: gzip', 'transfer-encoding: chunked']);
      peer.write('0\r\n');
    },
    expected: tooLong,
  },
  {
    name: 'hangs after the end mark of its stream, without a timeout',
    variants: ['local streamed', 'hosted streamed'],
    serve: (peer) => {
      peer.head(['transfer-encoding: chunked']);
      peer.write(`${peer.good.length.toString(16)}\r\n${peer.good}\r\n`);
    },
    expected: turn(),
  },
  {
    name: 'sends JSON that is not a reply, and hangs',
    variants: ['local unstreamed', 'hosted unstreamed'],
    retry: limited,
    closes: true,
    serve: (peer) => {
      peer.head(['content-length: 1000']);
      peer.write(peer.by({ local: 'rubbish\n', hosted: 'data: rubbish\n\n' }));
    },
    expected: tooLong,
  },
  {
    // Without a timeout, which on a busy machine might expire before the first line is read.
    name: 'sends a body that is not a stream, and hangs',
    variants: ['local streamed', 'hosted streamed'],
    closes: true,
    serve: (peer) => {
      peer.head(['content-length: 1000']);
      peer.write(peer.by({ local: 'rubbish\n', hosted: 'data: rubbish\n\n' }));
    },
    expected: fails('response-format', 1, 'of the stream is not JSON'),
  },
  {
    name: 'sends an unknown encoding, and hangs',
    closes: true,
    serve: (peer) => {
      peer.head(['content-length: 1000', 'content-encoding: rot13']);
      peer.write(peer.half);
    },
    expected: fails('response-format', 1, 'has the encoding rot13, which was not requested'),
  },
  {
    name: 'hangs once, then answers',
    // Long enough for the second answer to arrive on a busy machine too.
    retry: { timeoutMs: 5000 },
    serve: once(() => undefined),
    expected: turn('fine', {
      attempts: 2,
      match: { ledger: [{ endedBy: 'timeout', decision: 'retry' }, {}] },
    }),
  },
  {
    name: 'answers 503 once, then hangs',
    // Long enough for the first answer to arrive on a busy machine too.
    retry: { timeoutMs: 5000, maxAttempts: 2 },
    serve: (peer) => void (peer.count === 1 && peer.answer('busy', { status: '503 Service Unavailable' })),
    expected: fails('timeout', 2, 'took too long, 2 attempts in'),
  },
];

const DRIPS: Fault[] = [
  {
    name: 'drips the whole answer, without a timeout',
    serve: (peer) => drip(peer, cut(wholeAnswer(peer), 20), 5),
    expected: turn(),
  },
  {
    name: 'drips the whole answer within the timeout',
    retry: { timeoutMs: 15_000 },
    serve: (peer) => drip(peer, cut(wholeAnswer(peer), 5), 5),
    expected: turn(),
  },
  {
    name: 'drips the headers beyond the timeout',
    retry: once80,
    serve: (peer) => drip(peer, cut(wholeAnswer(peer).slice(0, 60), 60), 10),
    expected: tooLongOnce,
  },
  {
    name: 'drips the body beyond the timeout',
    retry: once80,
    serve: async (peer) => {
      peer.head([`content-length: ${peer.good.length}`]);
      await drip(peer, cut(peer.good, 60), 10);
    },
    expected: tooLongOnce,
  },
  {
    name: 'sends keep-alive lines beyond the timeout',
    retry: limited,
    serve: async (peer) => {
      peer.head(['content-length: 10000']);
      await drip(
        peer,
        Array.from({ length: 50 }, () => keepAlive(peer)),
        10,
      );
    },
    expected: tooLong,
  },
  {
    name: 'sends keep-alive lines, then answers, without a timeout',
    serve: async (peer) => {
      const signs = Array.from({ length: 10 }, () => (peer.isStreamed ? keepAlive(peer) : '\n'));
      peer.head([`content-length: ${signs.join('').length + peer.good.length}`]);
      await drip(peer, [...signs, peer.good], 5);
    },
    expected: turn(),
  },
  {
    name: 'waits for a while before its headers, without a timeout',
    serve: (peer) => pause(150).then(() => peer.answer(peer.good)),
    expected: turn(),
  },
];

export const TIMING_FAULTS: readonly Fault[] = [...HANGS, ...DRIPS];
