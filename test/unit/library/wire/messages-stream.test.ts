// Streams of the Messages API, also those that no server should send.
import { describe, expect, test } from 'vitest';
import type { ChatDelta } from '../../../../src/library';
import { StreamFailure } from '../../../../src/library/transport/client/stream-reader';
import { MessagesStream } from '../../../../src/library/wire/messages/messages-stream';
import { fromMessagesReply } from '../../../../src/library/wire/messages/messages-wire';
import { computedMsSince } from '../../../support/computed-ms';

const call = (id: string, args: unknown = {}) => ({
  id,
  name: 'clock',
  arguments: args,
  source: 'native' as const,
});
const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const START = event('message_start', {
  message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
});
const open = (index: number, block: object) => event('content_block_start', { index, content_block: block });
const piece = (index: number, delta: object) => event('content_block_delta', { index, delta });
const END =
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 31 } }) +
  event('message_stop');
const text = (index: number, said: string) => piece(index, { type: 'text_delta', text: said });

function readAll(body: string) {
  const deltas: ChatDelta[] = [];
  const stream = new MessagesStream((delta) => deltas.push(delta));
  try {
    stream.push(Buffer.from(body));
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { kind: error.kind, message: error.message, told: error.told, partial: stream.partial() };
  }
  return fromMessagesReply(stream.document());
}

describe('MessagesStream', () => {
  test('overwrites counts instead of adding them, and keeps signatures and redacted thinking', () => {
    const body =
      START +
      open(0, { type: 'thinking', thinking: '', signature: '' }) +
      piece(0, { type: 'thinking_delta', thinking: 'Hm.' }) +
      piece(0, { type: 'signature_delta', signature: 'c2ln' }) +
      open(1, { type: 'redacted_thinking', data: 'AAEC' }) +
      open(2, { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} }) +
      piece(2, { type: 'input_json_delta', partial_json: '' }) +
      END;
    expect(readAll(body)).toEqual({
      content: '',
      reasoning: 'Hm.',
      toolCalls: [call('toolu_1')],
      finishReason: 'stop',
      model: 'm',
      usage: { promptTokens: 9, completionTokens: 31 },
      replay: {
        provider: 'messages',
        data: {
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'AAEC' },
            { type: 'tool_use' },
          ],
        },
      },
    });
  });

  test.each([
    [
      'pings, comments, unknown events and unknown deltas',
      `: hi\n\n${event('ping')}`,
      event('future', { x: 1 }) + piece(0, { type: 'new_delta', x: 1 }),
    ],
    ['a repeated start', START, START],
    ['an end mark of another protocol', '', 'data: [DONE]\n\n'],
  ])('is not disturbed by %s', (_, before, behind) => {
    const [last, rest] = behind.includes('[DONE]') ? [behind, ''] : ['', behind];
    const body =
      before +
      START +
      open(0, { type: 'text', text: '' }) +
      text(0, 'fi') +
      rest +
      text(0, 'ne') +
      END +
      last;
    expect(readAll(body)).toMatchObject({ content: 'fine' });
  });

  test.each([
    ['a block that is never closed', open(0, { type: 'text', text: 'fi' }) + text(0, 'ne')],
    ['text without a block', text(0, 'fi') + text(0, 'ne')],
    [
      'blocks with the same index',
      open(0, { type: 'text', text: 'fi' }) + open(0, { type: 'text', text: '' }) + text(0, 'ne'),
    ],
    [
      'no index',
      open(0, { type: 'text', text: '' }) +
        event('content_block_delta', { delta: { type: 'text_delta', text: 'fine' } }),
    ],
  ])('reads %s', (_, blocks) => {
    expect(readAll(START + blocks + END)).toMatchObject({ content: 'fine' });
  });

  test('keeps interleaved calls apart, and reads one that is whole from its start', () => {
    const body =
      START +
      open(0, { type: 'tool_use', id: 'a', name: 'clock' }) +
      open(1, { type: 'tool_use', id: 'b', name: 'clock', input: { zone: 'CET' } }) +
      piece(0, { type: 'input_json_delta', partial_json: '{"zone":' }) +
      piece(0, { type: 'input_json_delta', partial_json: '"UTC"}' }) +
      END;
    expect(readAll(body)).toMatchObject({
      toolCalls: [call('a', { zone: 'UTC' }), call('b', { zone: 'CET' })],
    });
  });

  const A = { type: 'tool_use', id: 'a', name: 'clock', input: {} };
  const args = (index: number, json: string) =>
    piece(index, { type: 'input_json_delta', partial_json: json });
  const stop = (index: number) => event('content_block_stop', { index });

  test.each<[string, string]>([
    ['before its pieces', open(0, A) + open(0, A) + args(0, '{"n":1}') + stop(0)],
    ['between its pieces', open(0, A) + args(0, '{"n":') + open(0, A) + args(0, '1}')],
    ['with its pieces', (open(0, A) + args(0, '{"n":1}')).repeat(2)],
    ['with its end', (open(0, A) + args(0, '{"n":1}') + stop(0)).repeat(2)],
    ['from the beginning', open(0, A) + args(0, '{"n":') + open(0, A) + args(0, '{"n":1}')],
    ['with its arguments', open(0, A) + open(0, { ...A, input: { n: 1 } })],
    ['whole', open(0, { ...A, input: { n: 1 } }).repeat(2)],
  ])('reads one call that is opened twice, %s', (_, blocks) => {
    expect(readAll(START + blocks + END)).toMatchObject({ toolCalls: [call('a', { n: 1 })] });
  });

  test.each<[string, string, string]>([
    ['with other indexes', open(0, A) + args(0, '{"n":1}') + open(1, A) + args(1, '{"n":2}'), 'a_2'],
    [
      'with other ids',
      open(0, A) + args(0, '{"n":1}') + open(0, { ...A, id: 'b' }) + args(0, '{"n":2}'),
      'b',
    ],
    ['whole', open(0, { ...A, input: { n: 1 } }) + open(0, { ...A, input: { n: 2 } }), 'a_2'],
  ])('keeps two calls apart, %s', (_, blocks, id) => {
    expect(readAll(START + blocks + END)).toMatchObject({
      toolCalls: [call('a', { n: 1 }), call(id, { n: 2 })],
    });
  });

  test('keeps the arguments of two calls in one place with one id', () => {
    const blocks = open(0, A) + args(0, '{"n":1}') + stop(0) + open(0, A) + args(0, '{"n":2}') + stop(0);
    expect(readAll(START + blocks + END)).toMatchObject({
      toolCalls: [{ arguments: { n: 1 } }, { arguments: { n: 2 } }],
    });
  });

  const sign = (signature: string) => piece(0, { type: 'signature_delta', signature });

  test('opens a block once: a repeated start adds nothing to what goes back', () => {
    const start = open(0, { type: 'thinking', thinking: '', signature: '' });
    const once = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
    const redacted = open(1, { type: 'redacted_thinking', data: 'AAEC' });
    const body =
      START +
      start.repeat(2) +
      piece(0, { type: 'thinking_delta', thinking: 'Hm.' }) +
      sign('c2ln') +
      redacted.repeat(2) +
      END;
    expect(readAll(body)).toMatchObject({
      reasoning: 'Hm.',
      replay: { data: { content: [once, { type: 'redacted_thinking', data: 'AAEC' }] } },
    });
  });

  test('keeps thoughts apart that have one index and no words', () => {
    const start = open(0, { type: 'thinking', thinking: '', signature: '' });
    for (const last of ['', stop(0)]) {
      const body = START + start + sign('YQ') + last + start + sign('Yg') + last + END;
      expect(readAll(body)).toMatchObject({
        replay: { data: { content: [{ signature: 'YQ' }, { signature: 'Yg' }] } },
      });
    }
  });

  test.each([
    ['its summary', { content: 'summary', encrypted_content: 'AAEC' }],
    ['its summary alone', { content: 'summary' }],
    ['that there is none', { content: null }],
  ])('takes of a compaction %s', (_, fields) => {
    const block = { type: 'compaction', content: null };
    const delta = piece(0, { type: 'compaction_delta', ...fields });
    expect(readAll(START + open(0, block) + delta + stop(0) + END)).toMatchObject({
      replay: { data: { content: [{ type: 'compaction', ...fields }] } },
    });
  });

  test('never takes a piece of another kind for one of its block', () => {
    const body =
      START +
      open(0, { type: 'text', text: '' }) +
      text(0, 'fine') +
      piece(0, { type: 'input_json_delta', partial_json: '{"zone":"UTC"}' }) +
      open(1, { type: 'thinking', thinking: '' }) +
      text(1, '!') +
      piece(1, { type: 'thinking_delta', thinking: 'Hm.' }) +
      END;
    expect(readAll(body)).toMatchObject({ content: 'fine!', reasoning: 'Hm.' });
  });

  test('keeps the arguments of a tool that the service runs itself', () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const body =
      START +
      open(0, search) +
      piece(0, { type: 'input_json_delta', partial_json: '{"query":' }) +
      piece(0, { type: 'input_json_delta', partial_json: '"snow"}' }) +
      END;
    expect(readAll(body)).toMatchObject({
      toolCalls: [],
      replay: { data: { content: [{ ...search, input: { query: 'snow' } }] } },
    });
  });

  test('carries why the service refused', () => {
    const refused = (stop_details: unknown) =>
      event('message_delta', { delta: { stop_reason: 'refusal', stop_details } }) + event('message_stop');
    const details = { type: 'refusal', category: 'cyber', explanation: 'It asks for malware.' };
    expect(readAll(START + refused(details))).toMatchObject({
      finishReason: 'content_filter',
      refusal: { category: 'cyber', explanation: 'It asks for malware.' },
    });
    for (const none of [null, {}, { category: null, explanation: '' }, 'no'])
      expect(readAll(START + refused(none))).not.toHaveProperty('refusal');
  });

  test('a reason to stop is not undone by a later event without one', () => {
    const later = event('message_delta', { delta: { stop_reason: null }, usage: { output_tokens: 32 } });
    const body = START + text(0, 'fine') + END.replace(event('message_stop'), later + event('message_stop'));
    expect(readAll(body)).toMatchObject({ finishReason: 'stop', usage: { completionTokens: 32 } });
  });

  test('an error is told with the status that its type has elsewhere', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    expect(readAll(START + text(0, 'fi') + event('error', { error }))).toMatchObject({
      kind: 'document',
      message: 'Overloaded',
      told: { code: '529' },
      partial: { content: 'fi' },
    });
  });

  test('is incomplete without message_stop, wherever it is cut', () => {
    const events = (START + open(0, { type: 'text', text: '' }) + text(0, 'fine') + END)
      .split('\n\n')
      .slice(0, -1);
    for (let count = 0; count < events.length; count += 1)
      expect(readAll(events.slice(0, count).join('\n\n'))).toMatchObject({ kind: 'truncated' });
    expect(readAll(events.join('\n\n'))).toMatchObject({ content: 'fine' });
  });

  test('a second message inside of the first is refused', () => {
    const other = START.replace('msg_1', 'msg_2');
    expect(readAll(START + text(0, 'fi') + other + END)).toMatchObject({ kind: 'format' });
    const open0 = open(0, { type: 'text', text: '' }) + text(0, 'fi');
    expect(readAll(START + open0 + other + END)).toMatchObject({ kind: 'format' });
  });

  test('a second message between two blocks continues the reply', () => {
    const other = START.replace('msg_1', 'msg_2').replace('"input_tokens":9', '"input_tokens":12');
    const first = open(0, { type: 'text', text: '' }) + text(0, 'fi') + stop(0);
    const second = open(0, { type: 'text', text: '' }) + text(0, 'ne') + stop(0);
    expect(readAll(START + first + other + second + END)).toMatchObject({
      content: 'fine',
      finishReason: 'stop',
      usage: { promptTokens: 12 },
    });
  });

  test('the counts of a repeated start say nothing, those of another one count', () => {
    const again = START.replace('"input_tokens":9', '"input_tokens":12');
    const usage = (start: string) => readAll(START + start + text(0, 'fine') + END);
    expect(usage(again)).toMatchObject({ usage: { promptTokens: 9 } });
    expect(usage(again.replace('msg_1', 'msg_2'))).toMatchObject({ usage: { promptTokens: 12 } });
  });

  test('takes linear time for many pieces and citations', () => {
    const citation = piece(0, { type: 'citations_delta', citation: { cited_text: 'x' } });
    const body =
      START + open(0, { type: 'text', text: '' }) + (text(0, 'word ') + citation).repeat(20_000) + END;
    const started = process.cpuUsage();
    expect(readAll(body)).toMatchObject({ content: 'word '.repeat(20_000) });
    expect(computedMsSince(started)).toBeLessThan(10_000);
  });
});
