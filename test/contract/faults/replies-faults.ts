// Faults of the reply: JSON that is not a reply, and replies with invalid parts.
import { expect } from 'vitest';
import type { Expected, Fault } from './fault';
import { fails, hasCalls, says, turn } from './fault';
import { call, calls, sends, sendsMessage } from './peer';

const format = (words: string | RegExp): Expected => fails('response-format', 1, words);
/** Sends a document instead of a reply, whether or not a stream was requested. */
const document = (name: string, texts: { local: string; hosted: string }, expected: Expected): Fault => ({
  name,
  serve: sends((peer) => peer.by(texts)),
  expected,
});

const same = (text: string): { local: string; hosted: string } => ({ local: text, hosted: text });
const isEmpty = expect.toSatisfy((value) => Object.keys(value as object).length === 0, 'is empty');

const noReply = format(/has no (message|choices)/);
const noMessage = format('has no message');
const failed = fails('http', 1, 'out of memory', { status: 200, serverMessage: 'out of memory' });

const DOCUMENTS: Fault[] = [
  document('an empty object', { local: '{"done":true}', hosted: '{}' }, noReply),
  document(
    'null as message or choices',
    { local: '{"message":null,"done":true}', hosted: '{"choices":null}' },
    noReply,
  ),
  document(
    'text as message or choices',
    { local: '{"message":"hi","done":true}', hosted: '{"choices":"hi"}' },
    noReply,
  ),
  document(
    'an empty list as message or choices',
    { local: '{"message":[],"done":true}', hosted: '{"choices":[]}' },
    noMessage,
  ),
  document(
    'a choice without a message',
    { local: '{"response":"hi","done":true}', hosted: '{"choices":[{}]}' },
    noMessage,
  ),
  document(
    'null as the message',
    { local: '{"message":null,"done":true}', hosted: '{"choices":[{"message":null}]}' },
    noMessage,
  ),
  document(
    'null as the choice',
    { local: '{"message":7,"done":true}', hosted: '{"choices":[null]}' },
    noMessage,
  ),
  document('an error object under 200', same('{"error":{"message":"out of memory"}}'), failed),
  document('an error string under 200', same('{"error":"out of memory"}'), failed),
  document(
    'an error in a list under 200',
    same('[{"error":{"code":500,"message":"out of memory"}}]'),
    failed,
  ),
  document(
    'an error as JSON within an error string under 200',
    same('{"error":"{\\"error\\":{\\"message\\":\\"out of memory\\"}}"}'),
    failed,
  ),
  {
    name: 'error: null beside a good reply',
    serve: sendsMessage('{"content":"fine"}', ',"error":null'),
    expected: turn(),
  },
];

const usage = (name: string, value: string, keys: readonly string[] = ['prompt', 'completion']): Fault => ({
  name: `usage: ${name}`,
  serve: (peer) => {
    const members = peer.by({
      local: `,"prompt_eval_count":${value},"eval_count":${value}`,
      hosted: `,"usage":{${keys.map((key) => `"${key}_tokens":${value}`).join(',')}}`,
    });
    peer.answer(peer.reply('{"content":"fine"}', members));
  },
  expected: turn('fine', { match: { usage: isEmpty } }),
});

const PARTS: Fault[] = [
  { name: 'content: a number', serve: sendsMessage('{"content":42}'), expected: says('') },
  { name: 'content: null', serve: sendsMessage('{"content":null}'), expected: says('') },
  { name: 'content: an object', serve: sendsMessage('{"content":{"text":"hi"}}'), expected: says('') },
  { name: 'content: missing', serve: sendsMessage('{}'), expected: says('') },
  ...['{}', '"get_weather"', '7', 'true', 'null'].map((text): Fault => ({
    name: `tool_calls: ${text}`,
    serve: sendsMessage(calls(text)),
    expected: hasCalls(0),
  })),
  { name: 'tool_calls: null entries', serve: sendsMessage(calls('[null,7,"f",[]]')), expected: hasCalls(0) },
  {
    name: 'tool_calls: names missing',
    serve: sendsMessage(calls('[{"function":{}},{"id":"a"}]')),
    expected: hasCalls(0),
  },
  {
    name: 'tool_calls: a name that is a number',
    serve: sendsMessage(calls('[{"function":{"name":7}}]')),
    expected: hasCalls(0),
  },
  { name: 'arguments: a list', serve: sendsMessage(call('[1,2]')), expected: hasCalls(1) },
  { name: 'arguments: a number', serve: sendsMessage(call('7')), expected: hasCalls(1) },
  {
    name: 'arguments: a truncated object',
    serve: sendsMessage(call('"{\\"city\\":"')),
    expected: hasCalls(1),
  },
  usage('texts', '"12"'),
  usage('negative', '-1'),
  usage('null', 'null'),
  usage('a list', '[1]'),
  usage('infinite', '1e999'),
];

export const REPLY_FAULTS: readonly Fault[] = [...DOCUMENTS, ...PARTS];
