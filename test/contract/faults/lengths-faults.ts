// Faults of the length: a content-length, chunks or an encoding that does not match the body.
import { gzipSync } from 'node:zlib';
import type { Fault } from './fault';
import { broken, fails, turn } from './fault';
import type { Peer } from './peer';
import { sends } from './peer';

const damaged = fails('response-format', 1, 'The compressed body is damaged.');
const notJson = fails('response-format', 1, 'The body is not JSON; it begins:');
const brokenOff = fails('truncated-stream', 3, 'The stream ended without its end mark');
const brokenAfterWords = fails('truncated-stream', 1, '2 characters had arrived', {
  partial: { content: 'fi' },
});

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = 'transfer-encoding: chunked';

/** Sends the first half of the reply as a chunk of its own, and the rest once the client has received it. */
const afterWords =
  (rest: (peer: Peer) => string, isLast = true) =>
  async (peer: Peer): Promise<void> => {
    const seen = peer.isStreamed ? peer.signals.deltaSeen() : peer.signals.headersSeen();
    peer.head([chunked]);
    peer.write(chunk(peer.half));
    await seen;
    peer.write(rest(peer));
    if (isLast) peer.close();
  };

const LENGTHS: Fault[] = [
  {
    name: 'a content-length that is too long',
    serve: (peer) => {
      peer.head([`content-length: ${peer.good.length + 10}`]);
      peer.socket.end(peer.good);
    },
    expected: broken(),
    except: { streamed: turn() },
  },
  {
    name: 'a content-length that is too short',
    serve: (peer) => {
      peer.head([`content-length: ${peer.half.length}`]);
      peer.socket.end(peer.good);
    },
    expected: notJson,
    except: { streamed: brokenAfterWords },
  },
  ...[
    'two different ones;1, content-length: 2',
    'negative;-5',
    'a word;many',
    'huge;99999999999999999999999',
  ].map((text): Fault => {
    const [name = '', value = ''] = text.split(';');
    const lines = `content-length: ${value}`.split(', ');
    return {
      name: `content-length: ${name}`,
      serve: (peer) => {
        peer.head(lines);
        peer.socket.end(peer.good);
      },
      expected: broken(),
    };
  }),
  {
    name: 'a content-length beside chunks',
    serve: (peer) => {
      peer.head(['content-length: 5', chunked]);
      peer.socket.end(`${chunk(peer.good)}0\r\n\r\n`);
    },
    expected: broken(),
  },
  {
    name: 'a content-length of 0 before a body',
    serve: (peer) => {
      peer.head(['content-length: 0']);
      peer.socket.end(peer.good);
    },
    expected: fails('response-format', 1, 'The body is empty.'),
    except: { streamed: brokenOff },
  },
];

const CHUNKS: Fault[] = [
  {
    name: 'chunks with extensions and trailers',
    serve: (peer) => {
      peer.head([chunked]);
      peer.write(`${chunk(peer.good).replace('\r\n', ';name=value\r\n')}0\r\nx-trailer: 1\r\n\r\n`);
    },
    expected: turn(),
  },
  {
    name: 'a truncated chunk',
    serve: afterWords(() => 'ff\r\nshort'),
    expected: broken(),
    except: { streamed: brokenAfterWords },
  },
  {
    name: 'a chunk size that is not a number',
    serve: afterWords(() => 'zz\r\nrubbish\r\n', false),
    expected: broken(),
    except: { streamed: brokenAfterWords },
  },
  {
    name: 'a chunk size that overflows',
    serve: afterWords(() => 'fffffffffffffffffff\r\nx\r\n', false),
    expected: broken(),
    except: { streamed: brokenAfterWords },
  },
  {
    name: 'a chunk that is longer than its size',
    serve: afterWords(() => '2\r\nlonger\r\n', false),
    expected: broken(),
    except: { streamed: brokenAfterWords },
  },
  {
    name: 'no last chunk after a complete body',
    serve: (peer) => {
      peer.head([chunked]);
      peer.socket.end(chunk(peer.good));
    },
    expected: broken(),
    except: { streamed: turn() },
  },
  {
    name: 'every byte in a chunk of its own',
    serve: (peer) => {
      peer.head([chunked]);
      peer.write(`${peer.good.replaceAll(/[^]/g, chunk)}0\r\n\r\n`);
    },
    expected: turn(),
  },
];

const gzip = 'content-encoding: gzip';

const ENCODINGS: Fault[] = [
  {
    name: 'gzip that was not requested',
    serve: sends((peer) => gzipSync(peer.good), gzip),
    expected: turn(),
  },
  {
    name: 'an uncompressed body with the encoding gzip',
    serve: sends((peer) => peer.good, gzip),
    expected: damaged,
  },
  {
    name: 'truncated gzip',
    serve: sends((peer) => gzipSync(peer.good).subarray(0, -12), gzip),
    expected: damaged,
  },
  {
    name: 'gzip with a wrong checksum',
    serve: sends((peer) => Buffer.concat([gzipSync(peer.good).subarray(0, -8), Buffer.alloc(8)]), gzip),
    expected: damaged,
  },
  {
    name: 'an empty body with the encoding gzip',
    serve: sends(() => '', gzip),
    expected: fails('response-format', 1, 'The body is empty.'),
    except: { streamed: fails('truncated-stream', 3, 'was answered 200 with an empty body') },
  },
  {
    name: 'an unknown encoding',
    serve: sends((peer) => peer.good, 'content-encoding: rot13'),
    expected: fails('response-format', 1, 'has the encoding rot13, which was not requested'),
  },
  {
    name: 'a damaged body with the encoding br',
    serve: sends((peer) => peer.good, 'content-encoding: br'),
    expected: damaged,
  },
  {
    name: 'an encoding with an invalid name',
    serve: sends((peer) => peer.good, 'content-encoding: ,'),
    expected: turn(),
  },
];

export const LENGTH_FAULTS: readonly Fault[] = [...LENGTHS, ...CHUNKS, ...ENCODINGS];
