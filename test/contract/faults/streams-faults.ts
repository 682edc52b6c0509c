// Faults of the stream: its end mark, its errors, or no stream at all. In the unstreamed variants a stream comes that was
// not requested.
import type { Expected, Fault } from './fault';
import { fails, turn } from './fault';
import { both, brokenAfterWords, ERROR, FI, NE, noEnd, stream } from './lines';
import { sends } from './peer';

const failed = fails('http', 1, ['an error inside the stream', 'The server says: the runner stopped.'], {
  status: 200,
  serverMessage: 'the runner stopped',
});
const failedAfterWords: Expected = { ...failed, match: { ...failed.match, partial: { content: 'fi' } } };

const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

const ENDS: Fault[] = [
  stream('no end mark', [FI], brokenAfterWords(1), {
    'hosted unstreamed': brokenAfterWords(3),
    'local unstreamed': fails('response-format', 1, 'The reply ends before it is done.'),
  }),
  stream(
    'no end mark and no content',
    [
      {
        local: '{"message":{"content":""},"done":false}\n',
        hosted: 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n',
      },
    ],
    noEnd,
    { 'local unstreamed': fails('response-format', 1, 'The reply ends before it is done.') },
  ),
  stream(
    'an end mark only',
    [{ local: '{"done":true}\n', hosted: 'data: [DONE]\n\n' }],
    fails('response-format', 1, 'has no message'),
    {
      'local unstreamed': fails('response-format', 1, 'has no message'),
      hosted: fails('truncated-stream', 3, [
        'The stream ended without a finish reason',
        '0 characters had arrived',
      ]),
    },
  ),
  stream('two end marks', [FI, NE, NE], turn(/^fine$/)),
  stream('content after the end mark', [FI, NE, FI], turn(/^fine$/)),
  stream('an error after the end mark', [FI, NE, ERROR], turn(/^fine$/)),
  stream('garbage after the end mark', [FI, NE, both('rubbish\n\0\n')], turn(/^fine$/)),
  stream(
    'an end mark without a line end',
    [FI, { local: NE.local.trimEnd(), hosted: NE.hosted.trimEnd() }],
    turn(/^fine$/),
  ),
  stream(
    'a finish reason without an end mark',
    [FI, { local: NE.local, hosted: NE.hosted.replace('data: [DONE]\n\n', '') }],
    turn(/^fine$/),
  ),
  {
    // A finish reason does not end the stream: the usage follows it, and some relays send one in the middle. Official
    // clients wait too.
    name: 'a finish reason, then silence without an end mark',
    variants: ['hosted streamed'],
    retry: { timeoutMs: 4000, maxAttempts: 2 },
    serve: (peer) => {
      peer.head(['content-length: 10000']);
      peer.write(FI.hosted + FINISH);
    },
    expected: fails('timeout', 1, 'took too long', { partial: { content: 'fi' } }),
  },
  {
    name: 'usage after the last choice, then silence without [DONE]',
    variants: ['hosted streamed'],
    serve: (peer) => {
      peer.head(['content-length: 10000']);
      peer.write(`${FI.hosted}${FINISH}data: {"choices":[],"usage":{"prompt_tokens":3}}\n\n`);
    },
    expected: turn(/^fi$/, { match: { usage: { promptTokens: 3 } } }),
    closes: true,
  },
  {
    name: 'reset after the end mark',
    variants: ['local streamed', 'hosted streamed'],
    serve: async (peer) => {
      const seen = peer.signals.deltaSeen();
      peer.head(['content-length: 10000']);
      peer.write(peer.good);
      await seen;
      peer.reset();
    },
    expected: turn(/^fine$/),
  },
];

const ERRORS: Fault[] = [
  stream('an error in its first line', [ERROR], failed, {
    'local unstreamed': fails('http', 1, 'The server says: the runner stopped.', { status: 200 }),
  }),
  stream('an error after its first content', [FI, ERROR], failedAfterWords),
  stream('an error before its end mark', [FI, ERROR, NE], failedAfterWords),
  stream(
    'an error in another format of lines than the reply',
    [FI, { local: ERROR.local, hosted: '{"error":{"message":"the runner stopped"}}\n' }],
    failedAfterWords,
  ),
  stream(
    'an error in a list',
    [
      FI,
      { local: '[{"error":"the runner stopped"}]\n', hosted: 'data: [{"error":"the runner stopped"}]\n\n' },
    ],
    failedAfterWords,
  ),
  stream(
    'an error event',
    [FI, { local: ERROR.local, hosted: `event: error\n${ERROR.hosted}` }],
    failedAfterWords,
  ),
  stream(
    'an error without a message',
    [FI, { local: '{"error":{}}\n', hosted: 'data: {"error":{}}\n\n' }],
    fails('http', 1, 'an error inside the stream', { partial: { content: 'fi' } }),
  ),
  stream(
    'error: null in every line',
    [
      { local: FI.local.replace('{', '{"error":null,'), hosted: FI.hosted.replace('{', '{"error":null,') },
      NE,
    ],
    turn(/^fine$/),
  ),
];

const WHOLE: Fault[] = [
  {
    name: 'an unstreamed reply although a stream was requested',
    serve: sends((peer) =>
      peer.by({
        local: '{"message":{"content":"fine"},"done":true}',
        hosted: '{"choices":[{"message":{"content":"fine"},"finish_reason":"stop"}]}',
      }),
    ),
    expected: turn(/^fine$/),
  },
  {
    name: 'an unstreamed reply over several lines',
    serve: sends((peer) =>
      peer.by({
        local: '{\n "message":\n {"content":"fine"},\n "done":true}',
        hosted: '{\n "choices":\n [{"message":{"content":"fine"}}]\n}',
      }),
    ),
    expected: turn(/^fine$/),
  },
  stream('a stream that was not requested', [FI, NE], turn(/^fine$/)),
];

export const STREAM_FAULTS: readonly Fault[] = [...ENDS, ...ERRORS, ...WHOLE];
