// Faults of the body: text that is not JSON, damaged JSON, and bodies that are too large or nested too deeply.
import { expect } from 'vitest';
import type { Expected, Fault } from './fault';
import { API_KEY, fails, hasCalls, says, turn } from './fault';
import type { Peer } from './peer';
import { call, calls, sends, sendsMessage } from './peer';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const deep = nested(100_000);
const MEBIBYTE = Buffer.alloc(1024 * 1024, 32);

const format = (words: string | RegExp): Expected => fails('response-format', 1, words);
const notJson = format(/is not JSON/);
const noEnd = fails('truncated-stream', 3, 'The stream ended without its end mark');

/**
 * A body without any JSON. The exception: an event stream skips lines that it does not know, so it only lacks its end mark.
 */
const garbage = (name: string, body: (peer: Peer) => string | Buffer): Fault => ({
  name,
  serve: sends(body),
  expected: notJson,
  except: { 'hosted streamed': noEnd },
});

interface TextAnswer {
  /** @default the right one */
  type?: string;
  kind: string;
  /** The body as the exchange shows it. @default the body */
  shown?: string;
  /** The partial content. @default `shown` */
  partial?: string;
}

/** A text instead of a reply, and what the error shows of it. */
const answersText = (
  name: string,
  body: string,
  { type, kind, shown = body, partial = shown }: TextAnswer,
): Fault => {
  const what = `was answered 200 with ${kind} instead of JSON, `;
  const match = {
    partial: { content: partial },
    explanation: { next: expect.stringContaining('Check the address') },
    exchange: { response: { status: 200, body: shown } },
  };
  const noEndMark = /The stream ended without its end mark; what came is not JSON and begins: \S/;
  return {
    name,
    serve: sends(() => body, ...(type === undefined ? [] : [`content-type: ${type}`])),
    expected: fails('response-format', 1, [what, /is not JSON|nor JSON/], match),
    except: { 'hosted streamed': fails('truncated-stream', 3, [what, noEndMark], match) },
  };
};

/** A JSON document whose message is not JSON. */
const spoilt = (name: string, message: string, rest?: string): Fault => ({
  name,
  serve: sendsMessage(message, rest),
  expected: notJson,
});

const TEXTS: Fault[] = [
  {
    name: 'a valid reply with another content type',
    serve: sends((peer) => peer.good, 'content-type: text/html'),
    expected: turn(),
  },
  {
    name: 'a valid reply with an unknown content type',
    serve: sends((peer) => peer.good, 'content-type: ;;'),
    expected: turn(),
  },
  answersText('plain text with the right content type', 'All is well.', { kind: 'text' }),
  answersText('plain text', 'ok', { type: 'text/plain', kind: 'text/plain' }),
  answersText('plain text with an odd content type', 'ok', { type: 'a b/"c"', kind: 'text' }),
  {
    ...answersText('a log line', '[ERROR] no upstream', {
      type: 'Text/Plain;charset=x',
      kind: 'text/plain',
    }),
    // A body that begins like JSON is not read as an event stream.
    except: {},
  },
  {
    ...answersText('a text that repeats the key', `Sent: ${API_KEY}.`, {
      type: 'text/plain',
      kind: 'text/plain',
      shown: `Sent: ${'*'.repeat(API_KEY.length)}.`,
    }),
    variants: ['hosted unstreamed', 'hosted streamed'],
  },
  answersText('a long text', `ok ${'😀'.repeat(3000)}`, {
    type: 'text/plain',
    kind: 'text/plain',
    partial: `ok ${'😀'.repeat(998)}`,
  }),
  {
    name: 'a number only',
    serve: sends(() => '42'),
    expected: format(/has no (message|choices)/),
    except: { 'local streamed': notJson, 'hosted streamed': noEnd },
  },
  garbage('UTF-16', (peer) => Buffer.from(peer.good, 'utf16le')),
  { name: 'a byte order mark', serve: sends((peer) => `\ufeff${peer.good}`), expected: turn() },
  { name: 'blank lines before the reply', serve: sends((peer) => `\n\r\n \n${peer.good}`), expected: turn() },
  { name: 'blank lines after the reply', serve: sends((peer) => `${peer.good}\n\r\n \n`), expected: turn() },
  {
    name: 'garbage after the reply',
    serve: sends((peer) => `${peer.good}\nrubbish`),
    expected: notJson,
    except: { streamed: turn(/^fine$/) },
  },
  {
    name: 'half of the reply with a matching content-length',
    serve: sends((peer) => peer.half),
    expected: notJson,
    except: {
      streamed: fails('truncated-stream', 1, '2 characters had arrived', { partial: { content: 'fi' } }),
    },
  },
  spoilt('NaN', '{"content":"fine"}', ',"score":NaN'),
  spoilt('Infinity', '{"content":"fine"}', ',"score":-Infinity'),
  spoilt('single quotes', "{'content':'fine'}"),
  spoilt('a trailing comma', '{"content":"fine",}'),
  spoilt('a raw NUL in a string', '{"content":"fi\0ne"}'),
  spoilt('a raw tab in a string', '{"content":"fi\tne"}'),
  spoilt('an invalid escape', '{"content":"fi\\xne"}'),
  { name: 'an escaped NUL', serve: sendsMessage('{"content":"fi\\u0000ne"}'), expected: says('fi\0ne') },
  {
    name: 'a lone surrogate',
    serve: sendsMessage('{"content":"\\ud83d fine"}'),
    expected: says('\ud83d fine'),
  },
  {
    name: 'bytes that are not UTF-8',
    serve: sends((peer) => Buffer.from(peer.reply('{"content":"fi\u00ff\u00fene"}'), 'latin1')),
    expected: says('fi\ufffd\ufffdne'),
  },
  {
    name: 'a duplicate key',
    serve: sendsMessage('{"content":"first","content":"fine"}'),
    expected: says('fine'),
  },
  {
    name: 'a key called __proto__',
    serve: sendsMessage('{"__proto__":{"content":"no"},"content":"fine"}'),
    expected: says('fine'),
  },
  {
    name: 'one line of 1 MB',
    serve: (peer) => peer.answer(peer.reply(`{"content":"${'x'.repeat(1_000_000)}"}`)),
    expected: turn(/^x{1000000}$/),
  },
  {
    name: 'a body above the size limit',
    variants: ['local unstreamed', 'hosted unstreamed'],
    serve: (peer) => {
      peer.head([`content-length: ${65 * MEBIBYTE.length}`]);
      for (let count = 0; count < 65; count++) peer.write(MEBIBYTE);
    },
    expected: fails('response-too-large', 1, 'The body is larger than the limit of 64 MiB.'),
  },
];

/** A turn with one call whose arguments stay the received text, because they are nested too deeply to be parsed. */
const hasUnreadCall = (text: string, parseError: string): Expected =>
  turn('fine', {
    match: {
      toolCalls: [{ name: 'f', arguments: text }],
      exchange: { toolCalls: [{ rawArguments: text, parseError }] },
    },
  });

const hasDeepCall = (text: string): Expected => hasUnreadCall(text, 'nested deeper than 128 levels');

const DEPTHS: Fault[] = [
  {
    name: '100,000 levels beside the message',
    serve: sendsMessage('{"content":"fine"}', `,"extra":${deep}`),
    expected: turn(),
  },
  { name: '100,000 levels as the content', serve: sendsMessage(`{"content":${deep}}`), expected: says('') },
  { name: '100,000 levels as the tool calls', serve: sendsMessage(calls(deep)), expected: hasCalls(0) },
  {
    name: '100,000 levels as the arguments',
    serve: sendsMessage(call(deep)),
    expected: hasDeepCall(''),
    except: { 'hosted streamed': hasCalls(1) },
  },
  {
    name: '100,000 levels in the text of the arguments',
    serve: sendsMessage(call(`"${deep}"`)),
    expected: hasUnreadCall(deep, 'the reply has more than 20,000 values in the arguments of its calls'),
  },
  {
    name: '10,000 levels in the text of the arguments',
    serve: sendsMessage(call(`"${nested(10_000)}"`)),
    expected: hasDeepCall(nested(10_000)),
  },
  {
    name: '129 levels as the arguments',
    serve: sendsMessage(call(nested(129))),
    expected: hasDeepCall(nested(129)),
  },
  { name: '128 levels as the arguments', serve: sendsMessage(call(nested(128))), expected: hasCalls(1) },
  {
    name: '100,000 levels that never close',
    serve: sends(() => '{"a":'.repeat(100_000)),
    expected: notJson,
    except: { streamed: noEnd },
  },
  {
    name: '100,000 levels instead of a reply',
    serve: sends(() => deep),
    expected: format(/has no (message|choices)|line of the stream is not JSON/),
  },
];

export const BODY_FAULTS: readonly Fault[] = [...TEXTS, ...DEPTHS];
