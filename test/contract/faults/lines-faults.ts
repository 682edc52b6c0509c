// Faults of the lines in a stream.
import { expect } from 'vitest';
import type { Fault } from './fault';
import { fails, turn } from './fault';
import { brokenAfterWords, FI, NE, noEnd, stream } from './lines';

export const LINE_FAULTS: readonly Fault[] = [
  stream(
    'a line that is not JSON',
    [FI, { local: 'rubbish\n', hosted: 'data: rubbish\n\n' }, NE],
    fails('response-format', 1, 'of the stream is not JSON; it begins: rubbish.', {
      partial: { content: 'fi' },
    }),
  ),
  stream('a line of an unknown kind', [FI, { local: '\n', hosted: 'rubbish\n\n' }, NE], turn(/^fine$/)),
  {
    ...stream(
      'a line of an unknown kind at its end (a router whose server died)',
      [FI, { local: '', hosted: 'proxy error: Failed to read connection' }],
      fails('truncated-stream', 1, [
        'The stream ended without its end mark; 2 characters had arrived.',
        'The server says: proxy error: Failed to read connection.',
      ]),
    ),
    variants: ['hosted streamed'],
  },
  {
    ...stream(
      'a line that is cut in the name of its field',
      [FI, { local: '', hosted: 'dat' }],
      fails('truncated-stream', 1, /2 characters had arrived\. Check/),
    ),
    variants: ['hosted streamed'],
  },
  stream(
    'a line of JSON that is not an object',
    [FI, { local: '7\n', hosted: 'data: 7\n\n' }, NE],
    fails('response-format', 1, 'of the stream is not JSON'),
  ),
  stream(
    'a truncated line',
    [FI, { local: NE.local.slice(0, 20), hosted: NE.hosted.slice(0, 20) }],
    brokenAfterWords(1),
    { unstreamed: brokenAfterWords(3) },
  ),
  stream(
    'an event without data',
    [FI, { local: '\n', hosted: 'event: ping\nid: 7\nretry: 5\n\n' }, NE],
    turn(/^fine$/),
  ),
  stream(
    'an event with empty data',
    [FI, { local: ' \n', hosted: 'data:\n\ndata: \n\n' }, NE],
    turn(/^fine$/),
  ),
  stream('keep-alive lines only', [{ local: '\n\n\n', hosted: ': keep-alive\n\n: keep-alive\n\n' }], noEnd, {
    'local unstreamed': fails('response-format', 1, 'The body is empty.'),
  }),
  stream(
    'keep-alive lines between the pieces',
    [{ local: '\n\n', hosted: ': PROCESSING\n\n' }, FI, { local: '\r\n', hosted: ':\n\n' }, NE],
    turn(/^fine$/),
  ),
  stream(
    'lines that end in CRLF',
    [FI, NE].map(({ local, hosted }) => ({
      local: local.replaceAll('\n', '\r\n'),
      hosted: hosted.replaceAll('\n', '\r\n'),
    })),
    turn(/^fine$/),
  ),
  stream(
    'no blank after the name of a field',
    [FI, NE].map(({ local, hosted }) => ({ local, hosted: hosted.replaceAll('data: ', 'data:') })),
    turn(/^fine$/),
  ),
  stream(
    'an event in several data lines',
    [{ local: FI.local, hosted: FI.hosted.replace('"delta"', '\ndata: "delta"') }, NE],
    turn(/^fine$/),
  ),
  stream(
    'events without choices, and choices of null',
    [
      {
        local: '{"message":null}\n{"message":{"content":null}}\n{}\n',
        hosted:
          'data: {}\n\ndata: {"choices":[]}\n\ndata: {"choices":[null]}\n\ndata: {"choices":[{"delta":null}]}\n\n',
      },
      FI,
      NE,
    ],
    turn(/^fine$/),
  ),
  stream(
    'invalid pieces of calls',
    [
      {
        local: '{"message":{"tool_calls":[null,7,{"function":null}]}}\n',
        hosted: 'data: {"choices":[{"delta":{"tool_calls":[null,7,{"function":null}]}}]}\n\n',
      },
      FI,
      NE,
    ],
    turn(/^fine$/, { match: { toolCalls: expect.toSatisfy((calls) => (calls as []).length === 0) } }),
  ),
  stream(
    'a character split by a NUL byte',
    [FI, { local: '\0\n', hosted: 'data: \0\n\n' }, NE],
    fails('response-format', 1, 'of the stream is not JSON', { partial: { content: 'fi' } }),
  ),
];
