// Streams of the Responses API, also those that no server should send.
import { describe, expect, test } from 'vitest';
import { call, event, START, end, added, done, text, args, message, item, readAll } from './responses-events';
import { leastComputedMs } from '../../../support/computed-ms';

describe('ResponsesStream', () => {
  test.each([1, 7, 4096])('reads text, reasoning and calls in pieces of %i bytes', (size) => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AA' };
    const summed = {
      ...reasoning,
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'AAEC',
    };
    const body =
      START +
      added(0, reasoning) +
      event('reasoning_summary_text.delta', { output_index: 0, delta: 'Hm.' }) +
      done(0, summed) +
      added(1, { ...message(''), content: [] }) +
      text(1, 'I lo') +
      text(1, 'ok. ⏰') +
      done(1, message('I look. ⏰')) +
      added(2, item('a')) +
      args(2, '{"zone":') +
      args(2, '"UTC"}') +
      done(2, item('a', '{"zone":"UTC"}')) +
      end({ usage: { input_tokens: 9, output_tokens: 8, output_tokens_details: { reasoning_tokens: 3 } } });
    expect(readAll(body, size)).toMatchObject({
      content: 'I look. ⏰',
      said: 'I look. ⏰',
      reasoning: 'Hm.',
      toolCalls: [call('a', { zone: 'UTC' })],
      finishReason: 'tool_calls',
      usage: { promptTokens: 9, completionTokens: 8, reasoningTokens: 3 },
      replay: { data: { output: [summed, message('I look. ⏰'), { type: 'function_call', id: 'fc_a' }] } },
    });
  });

  test.each<[string, string]>([
    ['items that never close', added(0, { ...message(''), content: [] }) + text(0, 'fi') + text(0, 'ne')],
    ['pieces without an item', text(0, 'fi') + text(0, 'ne')],
    ['neither an index nor an id', text(undefined, 'fi') + text(undefined, 'ne')],
    [
      'an id that changes with every event',
      text(0, 'fi', { item_id: 'x' }) + text(0, 'ne', { item_id: 'y' }),
    ],
    ['only the whole text at its end', event('output_text.done', { output_index: 0, text: 'fine' })],
    ['only the item at its end', done(0, message('fine'))],
    [
      'a piece that its end repeats',
      text(0, 'fine') + event('output_text.done', { output_index: 0, text: 'fine' }),
    ],
    ['an item that is closed twice', done(0, message('fine')) + done(0, message('fine'))],
    [
      'unknown events, pings and the mark of another protocol',
      `: hi\n\n${event('new_thing.delta', { delta: 'x' })}data: {"type":"ping"}\n\n${text(0, 'fine')}`,
    ],
    ['an item of the service itself', added(0, { type: 'web_search_call', id: 'ws_1' }) + text(1, 'fine')],
  ])('reads %s', (_, events) => {
    for (const size of [1, 7, 4096])
      expect(readAll(`${START}${events}${end()}data: [DONE]\n\n`, size)).toMatchObject({
        content: 'fine',
        said: 'fine',
        finishReason: 'stop',
        toolCalls: [],
      });
  });

  test.each<[string, string]>([
    [
      'interleaved',
      added(0, item('a')) + added(1, item('b')) + args(1, '{"n":') + args(0, '{"n":1}') + args(1, '2}'),
    ],
    ['in the reverse order', done(1, item('b', '{"n":2}')) + done(0, item('a', '{"n":1}'))],
    [
      'with one index for both',
      added(0, item('a')) +
        args(0, '{"n":1}') +
        added(0, item('b')) +
        args(0, '{"n":2}') +
        done(0, item('a', '{"n":1}')) +
        done(0, item('b', '{"n":2}')),
    ],
    [
      'interleaved with one index for both, by their ids',
      added(0, item('a')) +
        added(0, item('b')) +
        args(0, '{"n":', { item_id: 'fc_a' }) +
        args(0, '{"n":2', { item_id: 'fc_b' }) +
        args(0, '1}', { item_id: 'fc_a' }) +
        args(0, '}', { item_id: 'fc_b' }),
    ],
    [
      'one after the other with one index for both, only at their ends',
      done(0, item('a', '{"n":1}')) + done(0, item('b', '{"n":2}')),
    ],
    [
      'with indexes, of which one is repeated',
      added(0, item('a')) +
        added(1, item('b')) +
        added(0, item('a')) +
        args(0, '{"n":1}') +
        args(1, '{"n":2}') +
        added(1, item('b')),
    ],
    [
      'without an index, by their ids',
      added(undefined, item('a')) +
        added(undefined, item('b')) +
        args(undefined, '{"n":2}', { item_id: 'fc_b' }) +
        args(undefined, '{"n":1}', { item_id: 'fc_a' }),
    ],
    [
      'without pieces',
      added(0, item('a')) +
        event('function_call_arguments.done', { output_index: 0, arguments: '{"n":1}' }) +
        added(1, item('b')) +
        event('function_call_arguments.done', { output_index: 1, arguments: '{"n":2}' }),
    ],
  ])('keeps two calls apart that come %s', (_, events) => {
    const read = readAll(START + events + end());
    const calls = 'toolCalls' in read ? read.toolCalls : [];
    expect(calls.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
      call('a', { n: 1 }),
      call('b', { n: 2 }),
    ]);
  });

  test.each([
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, 'content_filter'],
    ['incomplete', {}, 'incomplete'],
    ['completed', {}, 'stop'],
  ])('the end “%s” with %j is “%s”', (status, fields, finishReason) => {
    expect(readAll(START + text(0, 'fine') + end(fields, status))).toMatchObject({ finishReason });
  });

  test('an end without a response is an end', () => {
    expect(readAll(START + text(0, 'fine') + event('completed'))).toMatchObject({
      content: 'fine',
      finishReason: 'stop',
    });
    expect(readAll(START + text(0, 'fine') + event('failed'))).toMatchObject({
      kind: 'document',
      message: 'The response failed.',
    });
    expect(readAll(START + text(0, 'fine') + event('cancelled'))).toMatchObject({
      kind: 'document',
      message: 'The response was cancelled.',
    });
  });

  test('a refusal is the content, and said to be one', () => {
    const refused = { ...message(''), content: [{ type: 'refusal', refusal: 'No.' }] };
    const body = START + event('refusal.delta', { output_index: 0, delta: 'No.' }) + done(0, refused) + end();
    expect(readAll(body)).toMatchObject({ content: 'No.', said: 'No.', finishReason: 'content_filter' });
  });

  test.each([
    ['alone', ''],
    ['after words', text(0, 'Well. ')],
  ])('a refusal in pieces is one also where its item never ends, %s', (_, before) => {
    const said = before === '' ? 'No.' : 'Well. No.';
    const open = added(0, { ...message(''), content: [] });
    const refusal = (delta: string) => event('refusal.delta', { output_index: 0, delta });
    const whole = event('refusal.done', { output_index: 0, refusal: 'No.' });
    for (const last of ['', whole])
      expect(readAll(START + open + before + refusal('N') + refusal('o.') + last + end())).toMatchObject({
        content: said,
        said,
        finishReason: 'content_filter',
      });
  });

  test.each([
    ['flat', { code: 'server_error', message: 'Broke.', param: null }],
    ['nested', { error: { type: 'server_error', code: 'server_error', message: 'Broke.' } }],
  ])('an error inside of the stream is told, %s', (_, fields) => {
    expect(readAll(START + text(0, 'fi') + event('error', fields))).toMatchObject({
      kind: 'document',
      message: 'Broke.',
      partial: { content: 'fi' },
    });
  });

  test('a response that failed is an error with its words', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' };
    expect(readAll(START + text(0, 'fi') + end({ error }, 'failed'))).toMatchObject({
      kind: 'document',
      message: 'Slow down.',
      partial: { content: 'fi' },
    });
  });

  test('is incomplete without its end, wherever it is cut', () => {
    const whole = START + added(0, item('a')) + args(0, '{"zone":"UTC"}') + done(0, item('a', '{}')) + end();
    const events = whole.split('\n\n').slice(0, -1);
    for (let count = 0; count < events.length; count += 1)
      expect(readAll(events.slice(0, count).join('\n\n'))).toMatchObject({ kind: 'truncated' });
    expect(readAll(events.join('\n\n'))).toMatchObject({ finishReason: 'tool_calls' });
  });

  test('has limits', () => {
    const many = Array.from({ length: 1_001 }, (_, at) => added(at, item(`c${at}`))).join('');
    expect(readAll(START + many)).toMatchObject({ kind: 'too-large' });
    const long = 'x'.repeat(1024 * 1024);
    expect(readAll(START + text(0, long).repeat(5))).toMatchObject({ kind: 'too-large' });
  });

  test('finds the open item of events without places as fast behind thousands of closed ones', () => {
    const opened = added(undefined, { type: 'reasoning', id: 'rs_1', summary: [] });
    const closed = Array.from({ length: 15_000 }, (_, index) => {
      const one = { ...message('.'), id: `msg_${index}` };
      return added(undefined, one) + done(undefined, one);
    }).join('');
    const pieces = event('reasoning_text.delta', { item_id: 'gone', delta: 'x' }).repeat(40_000);
    const timeOf = (...events: string[]): number => {
      const body = [START, opened, ...events, end()].join('');
      expect(readAll(body)).toMatchObject({ reasoning: 'x'.repeat(40_000) });
      return leastComputedMs(() => void readAll(body));
    };
    // The same events; when each looked at all items, one order took seven times as long as the other.
    expect(timeOf(closed, pieces)).toBeLessThan(4 * timeOf(pieces, closed));
  });
});
