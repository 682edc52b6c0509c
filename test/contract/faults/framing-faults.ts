// Faults of the framing: status lines and header fields that violate HTTP.
import type { Fault } from './fault';
import { broken, turn } from './fault';
import type { Peer } from './peer';
import { sends } from './peer';

/** Sends this text as it is, then closes the connection. */
const raw =
  (text: (peer: Peer) => string) =>
  (peer: Peer): void =>
    void peer.socket.end(text(peer));

const statusLine = (line: string, end = '\r\n') =>
  raw((peer) =>
    [line, `content-type: ${peer.contentType}`, `content-length: ${peer.good.length}`, '', peer.good].join(
      end,
    ),
  );

const STATUS_LINES: Fault[] = [
  {
    name: 'HTTP/0.9: a body only',
    serve: raw((peer) => peer.good),
    expected: broken('HTTP/1.1 protocol'),
  },
  {
    name: 'HTTP/1.0 without a length',
    serve: raw((peer) => `HTTP/1.0 200 OK\r\n\r\n${peer.good}`),
    expected: turn(),
  },
  {
    name: 'HTTP/1.1 without a length',
    serve: raw((peer) => `HTTP/1.1 200 OK\r\n\r\n${peer.good}`),
    expected: turn(),
  },
  { name: 'HTTP/2.0 in the status line', serve: statusLine('HTTP/2.0 200 OK'), expected: turn() },
  { name: 'HTTP/9.9 in the status line', serve: statusLine('HTTP/9.9 200 OK'), expected: broken() },
  {
    name: 'a greeting of another protocol',
    serve: raw(() => '220 mail.example ESMTP\r\n'),
    expected: broken(),
  },
  {
    name: 'binary garbage',
    serve: (peer) => void peer.socket.end(Buffer.alloc(64, 0xfe)),
    expected: broken(),
  },
  { name: 'no reason phrase', serve: statusLine('HTTP/1.1 200'), expected: turn() },
  { name: 'a status of two digits', serve: statusLine('HTTP/1.1 20 OK'), expected: broken() },
  { name: 'a status that is a word', serve: statusLine('HTTP/1.1 abc OK'), expected: broken() },
  { name: 'lines that end in LF only', serve: statusLine('HTTP/1.1 200 OK', '\n'), expected: broken() },
  {
    name: 'blank lines before the status line',
    serve: statusLine('\r\n\r\nHTTP/1.1 200 OK'),
    expected: turn(),
  },
  {
    name: 'a status text that looks like header fields',
    serve: statusLine('HTTP/1.1 200 OK%0d%0aset-cookie: a=b\\r\\ncontent-length: 0'),
    expected: turn('fine', { match: { exchange: { response: { headers: {} } } } }),
  },
  {
    name: 'a bare CR in the status text',
    serve: statusLine('HTTP/1.1 200 OK\rcontent-length: 0'),
    expected: broken(),
  },
];

const HEADERS: Fault[] = [
  {
    name: '300 header fields',
    serve: sends(
      (peer) => peer.good,
      ...Array.from({ length: 300 }, (_, index) => `x-field-${index}: ${index}`),
    ),
    expected: turn(),
  },
  {
    name: 'a header line of 20 KB',
    serve: sends((peer) => peer.good, `x-long: ${'x'.repeat(20_000)}`),
    expected: broken('UND_ERR_HEADERS_OVERFLOW'),
  },
  { name: 'a header without a colon', serve: sends((peer) => peer.good, 'rubbish'), expected: broken() },
  { name: 'a header without a name', serve: sends((peer) => peer.good, ': rubbish'), expected: broken() },
  { name: 'a NUL in a header', serve: sends((peer) => peer.good, 'x-a: b\0c'), expected: broken() },
  {
    name: 'a header that continues on the next line',
    serve: sends((peer) => peer.good, 'x-a: b\r\n c'),
    expected: broken(),
  },
  { name: 'a header in Latin-1', serve: sends((peer) => peer.good, 'x-a: caf\u00e9'), expected: turn() },
];

export const FRAMING_FAULTS: readonly Fault[] = [...STATUS_LINES, ...HEADERS];
