// Faults that the status indicates: what is retried, how long the client waits, and redirects.
import { expect } from 'vitest';
import type { Expected, Fault } from './fault';
import { fails, turn } from './fault';
import type { Peer } from './peer';
import { once } from './peer';

const RETRIED = [408, 425, 429, 500, 502, 503, 504, 529];
const NOT_RETRIED = [
  400, 401, 402, 403, 404, 405, 406, 409, 410, 413, 415, 418, 422, 426, 431, 451, 501, 505, 507, 511, 599,
];
const REDIRECTS = [300, 301, 302, 303, 304, 305, 307, 308];
/** Bodies of a 413, and how the error quotes them: of a server, and of a proxy in front of one. */
const TOO_LARGE = [
  ['{"error":"http: request body too large"}', 'The server says: http: request body too large.'],
  ['<html><title>413 Request Entity Too Large</title></html>', 'titled “413 Request Entity Too Large”'],
] as const;
const TARGET = 'https://elsewhere.example/v1';

/** Answers with a JSON error. Both protocols have this shape, and so have the errors of gateways in front of servers. */
const sends =
  (status: number, body: unknown, ...headers: string[]) =>
  (peer: Peer): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    peer.answer(text, {
      status: `${status} Status`,
      headers: ['content-type: application/json', ...headers],
    });
  };

const refused = (
  status: number,
  attempts: number,
  words: string | readonly string[],
  match: object = {},
): Expected =>
  fails(
    'http',
    attempts,
    [
      `was answered with ${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} in`,
      ...[words].flat(),
    ],
    {
      status,
      ...match,
    },
  );

const statuses: Fault[] = [
  ...RETRIED.map((status): Fault => ({
    name: `${status}, again and again`,
    serve: sends(status, { error: { message: 'not now' } }),
    expected: refused(status, 3, 'The server says: not now.', { serverMessage: 'not now' }),
  })),
  ...RETRIED.map((status): Fault => ({
    name: `${status} once`,
    serve: once(sends(status, { error: 'not now' })),
    expected: turn('fine', {
      attempts: 2,
      match: { ledger: [{ status, decision: 'retry' }, { status: 200 }] },
    }),
  })),
  ...NOT_RETRIED.map((status): Fault => ({
    name: `${status}, which is final`,
    serve: sends(status, { error: 'never' }),
    expected: refused(status, 1, 'The server says: never.', {
      ledger: [{ status, decision: 'stop', reason: `${status} is not retried.` }],
    }),
  })),
  {
    name: 'an error that breaks off',
    serve: (peer) => {
      peer.head(['content-length: 100'], '500 Internal Server Error');
      peer.socket.end('{"error":');
    },
    expected: fails('network', 3, 'closed the connection before its answer was complete'),
  },
  {
    name: 'an error without a body',
    serve: sends(400, ''),
    expected: refused(400, 1, 'The server gave no reason.', {
      explanation: { next: expect.stringContaining('Check the log') },
    }),
  },
  ...TOO_LARGE.map(([body, words]): Fault => ({
    name: `a request that is too large: ${body}`,
    serve: sends(413, body),
    expected: refused(413, 1, words, {
      explanation: { next: expect.stringContaining('a shorter conversation') },
    }),
  })),
];

const redirects: Fault[] = REDIRECTS.flatMap((status): Fault[] => [
  {
    name: `${status} with a target`,
    serve: (peer) => peer.head([`location: ${TARGET}`, 'content-length: 0'], `${status} Moved`),
    expected: refused(status, 1, `It points to ${TARGET}; redirects are never followed.`),
  },
  {
    name: `${status} without a target`,
    serve: (peer) => peer.head(['content-length: 0'], `${status} Moved`),
    expected: refused(status, 1, 'The server gave no reason.'),
  },
]);

const empty = (status: number, words: string, serve: Fault['serve']): Fault => {
  const match = {
    explanation: { next: expect.stringContaining('/v1') },
    exchange: { response: { status, body: '' } },
  };
  const what = new RegExp(`/(api/chat|chat/completions) was answered ${status}${words}, [13] attempt`);
  return {
    name: `${status}${words}`,
    serve,
    expected: fails('response-format', 1, [what, 'The body is empty.'], match),
    except: {
      streamed: fails('truncated-stream', 3, [what, 'The stream ended without its end mark'], match),
    },
  };
};

const successes: Fault[] = [
  {
    name: '103 Early Hints before the answer',
    serve: (peer) => {
      peer.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
      peer.answer(peer.good);
    },
    expected: turn(),
  },
  {
    name: '102 Processing, many times, before the answer',
    serve: (peer) => {
      peer.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(20));
      peer.answer(peer.good);
    },
    expected: turn(),
  },
  {
    // HTTP permits a client to ignore it, but undici refuses it and has no option to change that; neither does Node's own
    // fetch.
    name: '100 Continue, which was not requested, before the answer',
    serve: (peer) => {
      peer.write('HTTP/1.1 100 Continue\r\n\r\n');
      peer.answer(peer.good);
    },
    expected: fails('network', 3, 'The server answers 100 Continue, which was not requested.'),
  },
  empty(204, ', which has no body', (peer) => peer.head([], '204 No Content')),
  empty(205, ', which has no body', (peer) => peer.head(['content-length: 0'], '205 Reset Content')),
  empty(200, ' with an empty body', (peer) => peer.head(['content-length: 0'])),
  empty(202, ' with an empty body', (peer) => {
    peer.head(['transfer-encoding: chunked'], '202 Accepted');
    peer.write('0\r\n\r\n');
  }),
  ...[201, 202, 203, 206, 226, 299].map((status): Fault => ({
    name: `${status} with a good reply`,
    serve: (peer) => peer.answer(peer.good, { status: `${status} Good` }),
    expected: turn(),
  })),
];

const waits = (header: string, ledger: object): Fault => ({
  name: `${header.split(':')[0]} of ${header.split(': ')[1]}`,
  serve: once(sends(429, { error: 'slow down' }, header)),
  expected: turn('fine', { attempts: 2, match: { ledger: [{ status: 429, ...ledger }, { status: 200 }] } }),
});
const asked = (delayMs: number): object => ({ decision: 'retry', delayMs, delaySource: 'retry-after' });
const tooLong = (header: string, words: string): Fault => ({
  name: `a wait that is too long: ${header}`,
  serve: sends(429, { error: 'slow down' }, header),
  expected: refused(429, 1, words, { ledger: [{ decision: 'stop' }] }),
});
const NEXT_HOUR = new Date(Date.now() + 3_600_000).toUTCString();

const retryAfter: Fault[] = [
  waits('retry-after: 0', asked(0)),
  waits('retry-after: 0.02', asked(20)),
  waits('retry-after-ms: 15', asked(15)),
  waits('retry-after-ms: 1.5', asked(1.5)),
  waits('retry-after: Wed, 21 Oct 2015 07:28:00 GMT', asked(0)),
  waits('retry-after: soon', { delaySource: 'backoff' }),
  waits('retry-after: -5', { delaySource: 'backoff' }),
  waits('retry-after: 1e3', { delaySource: 'backoff' }),
  waits('retry-after: ', { delaySource: 'backoff' }),
  tooLong('retry-after: 61', 'The server asks for a wait of 61 s'),
  tooLong(`retry-after: ${NEXT_HOUR}`, 'which is too long to wait for'),
  tooLong(`retry-after: ${'9'.repeat(400)}`, 'which is too long to wait for'),
  {
    name: 'a wait that is ignored by the policy',
    retry: { respectRetryAfter: false },
    serve: once(sends(503, {}, 'retry-after: 3600')),
    expected: turn('fine', { attempts: 2, match: { ledger: [{ delaySource: 'backoff' }, {}] } }),
  },
];

const final = (
  name: string,
  serve: Fault['serve'],
  words: string | readonly string[],
  status: number,
): Fault => ({
  name,
  serve,
  expected: refused(status, 1, words),
});
/** Errors that quote what the model wrote: Groq's, and some of Ollama's. */
const written = (name: string, serve: Fault['serve'], words: string): Fault => ({
  name,
  serve,
  expected: turn(words, { match: { raw: { finishReason: 'tool_call_parse_error' } } }),
});
const OLLAMA = `error parsing tool call: raw='{"name": broken', err=invalid character 'b'`;

const judged: Fault[] = [
  final('x-should-retry: false', sends(503, { error: 'no use' }, 'x-should-retry: false'), 'no use', 503),
  final(
    'an exhausted quota',
    sends(429, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }),
    ['You exceeded your quota', 'Check the balance and the limits of the account'],
    429,
  ),
  final(
    'an exhausted quota, named by its type',
    sends(429, { error: { message: 'Pay first', type: 'billing_hard_limit_reached' } }),
    'Pay first',
    429,
  ),
  final(
    'a tool call that the server could not parse and does not quote',
    sends(500, { error: 'error parsing tool call' }),
    'error parsing tool call',
    500,
  ),
  written(
    'a tool call that the local server could not parse and quotes',
    sends(500, { error: OLLAMA }),
    '{"name": broken',
  ),
  written(
    'failed_generation of a hosted server',
    sends(400, { error: { message: 'Failed', code: 'tool_use_failed', failed_generation: '<call>x' } }),
    '<call>x',
  ),
];

/** What the error says about an HTML page. */
const PAGE =
  /was answered 200 with text\/html instead of JSON, 1 attempt in .* Check the address: .* its login\./;
const HTML = '<!doctype html><html><head><title>Gateway login</title></head><body></body></html>';
const IS_PAGE = { partial: { content: HTML }, exchange: { response: { status: 200, body: HTML } } };
const page = (status: number, attempts: number): Fault => ({
  name: `an HTML page under ${status}`,
  serve: (peer) => peer.answer(HTML, { status: `${status} Status`, headers: ['content-type: text/html'] }),
  expected: refused(status, attempts, 'an HTML page titled “Gateway login”'),
});

const pages: Fault[] = [
  page(404, 1),
  page(403, 1),
  page(502, 3),
  {
    name: 'an HTML page under 200',
    serve: (peer) => peer.answer(HTML, { headers: ['content-type: text/html; charset=utf-8'] }),
    expected: fails(
      'response-format',
      1,
      ['The body is not JSON; it begins: <!doctype html>', PAGE],
      IS_PAGE,
    ),
    except: {
      streamed: fails('response-format', 1, [/is not JSON|neither an event stream nor JSON/, PAGE], IS_PAGE),
    },
  },
];

export const STATUS_FAULTS: readonly Fault[] = [
  ...statuses,
  ...redirects,
  ...successes,
  ...retryAfter,
  ...judged,
  ...pages,
];
