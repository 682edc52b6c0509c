// Streams of the Responses API whose items are repeated, share an index, or never end.
import { describe, expect, test } from 'vitest';
import { call, event, START, end, added, done, text, args, message, item, readAll } from './responses-events';

describe('ResponsesStream', () => {
  const ONE = item('a', '{"n":1}');
  test.each<[string, string]>([
    ['before its pieces', added(0, item('a')) + added(0, item('a')) + args(0, '{"n":1}') + done(0, ONE)],
    ['between its pieces', added(0, item('a')) + args(0, '{"n":') + added(0, item('a')) + args(0, '1}')],
    ['with its pieces', (added(0, item('a')) + args(0, '{"n":1}')).repeat(2)],
    ['from the beginning', added(0, item('a')) + args(0, '{"n":') + added(0, item('a')) + args(0, '{"n":1}')],
    ['with its end', (added(0, item('a')) + args(0, '{"n":1}') + done(0, ONE)).repeat(2)],
    [
      'with an end that says nothing',
      added(0, item('a')) + done(0, ONE) + added(0, item('a')) + done(0, { ...item('a'), name: undefined }),
    ],
    ['with what came of it', added(0, item('a')) + args(0, '{"n":') + added(0, item('a', '{"n":1}'))],
    [
      'with another id of the item',
      added(0, item('a')) + added(0, { ...item('a'), id: 'x' }) + args(0, '{"n":1}', { item_id: 'y' }),
    ],
    [
      'without an index',
      added(undefined, item('a')) + added(undefined, item('a')) + args(undefined, '{"n":1}'),
    ],
  ])('reads one call that is opened twice, %s', (_, events) => {
    expect(readAll(START + events + end())).toMatchObject({ toolCalls: [call('a', { n: 1 })] });
    expect(readAll(START + events + end({ output: [ONE] }))).toMatchObject({
      toolCalls: [call('a', { n: 1 })],
    });
  });

  test.each<[string, string]>([
    ['with other indexes', added(0, item('a', '{"n":1}')) + added(1, item('a', '{"n":2}'))],
    [
      'of another tool',
      added(0, item('a', '{"n":1}')) + added(0, { ...item('a', '{"n":2}'), name: 'other' }),
    ],
    ['that had ended', done(0, item('a', '{"n":1}')) + added(0, item('a')) + done(0, item('a', '{"n":2}'))],
    ['in the list at the end', ''],
  ])('keeps two calls with one id apart, %s', (_, events) => {
    const output = [item('a', '{"n":1}'), item('a', '{"n":2}')];
    expect(readAll(START + events + end(events === '' ? { output } : {}))).toMatchObject({
      toolCalls: [
        { id: 'a', arguments: { n: 1 } },
        { id: 'a_2', arguments: { n: 2 } },
      ],
    });
  });

  test('opens an item once: a repeated one adds nothing to what goes back', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AA' };
    const whole = { ...reasoning, encrypted_content: 'AAEC' };
    const body = START + added(0, reasoning).repeat(2) + done(0, whole) + end();
    expect(readAll(body)).toMatchObject({ replay: { data: { output: [whole] } } });
  });

  test('an index counts where the id of a piece is not known, or is that of an item that has ended', () => {
    const body =
      START +
      added(0, item('a')) +
      done(0, item('a', '{"n":1}')) +
      added(1, item('b')) +
      args(1, '{"n":', { item_id: 'fc_a' }) +
      args(1, '2}', { item_id: 'fc_x' }) +
      done(1, { ...item('b', '{"n":2}'), id: 'fc_y' }) +
      end();
    expect(readAll(body)).toMatchObject({ toolCalls: [call('a', { n: 1 }), call('b', { n: 2 })] });
  });

  test('keeps items of several types apart that have one index', () => {
    const body =
      START +
      added(0, { ...message(''), content: [] }) +
      added(0, item('a')) +
      text(0, 'fi', { item_id: 'msg_1' }) +
      args(0, '{"n":', { item_id: 'fc_a' }) +
      text(0, 'ne') +
      args(0, '1}') +
      done(0, message('fine')) +
      done(0, item('a', '{"n":1}')) +
      end();
    expect(readAll(body)).toMatchObject({ said: 'fine', content: 'fine', toolCalls: [call('a', { n: 1 })] });
  });

  const REASONING = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AA' };
  const ENCRYPTED = { ...REASONING, encrypted_content: 'AAEC' };

  test('completes items that never end from the list at the end', () => {
    const said = { ...message('fine'), id: 'msg_9', phase: 'final_answer' };
    const body =
      START +
      added(0, REASONING) +
      added(1, item('a')) +
      args(1, '{"n":') +
      added(2, { ...message(''), content: [] }) +
      text(2, 'fi') +
      end({ output: [ENCRYPTED, item('a', '{"n":1}'), said] });
    expect(readAll(body)).toMatchObject({
      said: 'fine',
      content: 'fine',
      toolCalls: [call('a', { n: 1 })],
      replay: { data: { output: [ENCRYPTED, { type: 'function_call', id: 'fc_a' }, said] } },
    });
  });

  test('completes them without indexes too, and keeps the id that was told of a call', () => {
    const body =
      START +
      added(undefined, item('a')) +
      args(undefined, '{"n":') +
      end({ output: [{ ...item('z', '{"n":1}') }] });
    expect(readAll(body)).toMatchObject({ toolCalls: [call('a', { n: 1 })] });
  });

  test.each<[string, string, object[], object]>([
    [
      'an item that has ended',
      added(0, item('a')) + done(0, item('a', '{"n":1}')),
      [item('a', '{"n":1,"m":2}')],
      { toolCalls: [call('a', { n: 1 })] },
    ],
    [
      'other arguments',
      added(0, item('a')) + args(0, '{"n":1}'),
      [item('a', '{"n":2}')],
      { toolCalls: [call('a', { n: 1 })] },
    ],
    [
      'a call of another tool',
      added(0, item('a')) + args(0, '{"n":1'),
      [{ ...item('z', '{"n":1}'), name: 'other' }],
      { toolCalls: [call('a', '{"n":1')] },
    ],
    ['an empty item', text(0, 'fine'), [{ ...message(''), content: [] }], { content: 'fine' }],
  ])('does not complete from the list what says something else: %s', (_, events, output, expected) => {
    expect(readAll(START + events + end({ output }))).toMatchObject(expected);
  });

  test('takes the encrypted reasoning from the list also where its words differ', () => {
    const delta = event('reasoning_summary_text.delta', { output_index: 0, delta: 'Hm.' });
    const listed = { ...ENCRYPTED, summary: [{ type: 'summary_text', text: 'Well.' }] };
    const body = START + added(0, REASONING) + delta + end({ output: [listed] });
    expect(readAll(body)).toMatchObject({
      reasoning: 'Hm.',
      replay: { data: { output: [{ id: 'rs_1', encrypted_content: 'AAEC' }] } },
    });
  });

  test('what an item has from its beginning is no end of it', () => {
    const body = START + added(0, item('a', '{"n":')) + args(0, '1}') + end();
    expect(readAll(body)).toMatchObject({ toolCalls: [call('a', { n: 1 })] });
  });

  test('takes from the list at the end only what never came', () => {
    const output = [message('other words'), item('b', '{"n":2}')];
    const body = START + added(0, { ...message(''), content: [] }) + text(0, 'fine') + end({ output });
    expect(readAll(body)).toMatchObject({ content: 'fine', toolCalls: [call('b', { n: 2 })] });
  });
});
