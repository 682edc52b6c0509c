import { describe, expect, test } from 'vitest';
import type { DocumentMessage } from '../../../src/protocol';
import {
  findSent,
  isAsked,
  PendingByLane,
  pendingMessages,
  toMessage,
} from '../../../src/session/pending-messages';
import type { Item } from '../../../src/session/transcript';
import { computedMsSince } from '../../support/computed-ms';
import { fc, runs } from '../../support/properties';

const user = (content: string): DocumentMessage => ({ role: 'user', content });
const texts = (messages: readonly DocumentMessage[]): string[] => messages.map(({ content }) => content);

let count = 0;
const toItem = (message: DocumentMessage): Item => ({
  kind: 'message',
  id: `m${++count}`,
  message: toMessage(message),
});
const run: Item = { kind: 'run', id: 'r', results: new Map(), asked: new Set() };
const sent = (...contents: string[]): Item[] => contents.flatMap((content) => [toItem(user(content)), run]);
const document = (...contents: string[]): DocumentMessage[] => contents.map(user);

describe('pendingMessages', () => {
  test.each([
    ['all messages when none was sent', ['a', 'b'], [], ['a', 'b']],
    ['the messages after the last one that was sent', ['a', 'b', 'c'], ['a'], ['b', 'c']],
    ['none when all were sent', ['a', 'b'], ['a', 'b'], []],
    ['none when the last one sent is not in the document', ['a'], ['a', 'hurry'], []],
    [
      'the messages after the last common one when the last one sent is not in the document',
      ['a', 'b'],
      ['a', 'hurry'],
      ['b'],
    ],
    ['the last message if it was changed after it was sent', ['a', 'B'], ['a', 'b'], ['B']],
    ['no changed message that stands before the last one sent', ['A', 'b'], ['a', 'b'], []],
    ['the second of two equal ones', ['a', 'a'], ['a'], ['a']],
    [
      'the second of two equal ones when the last one sent is not in the document',
      ['a', 'a'],
      ['a', 'hurry'],
      ['a'],
    ],
    ['all messages of a document that shares none with the conversation', ['x', 'y'], ['a', 'b'], ['x', 'y']],
    ['none of an empty document', [], ['a'], []],
    ['only those after the last one sent, even if others were moved', ['b', 'a'], ['a', 'b'], []],
  ])('are %s', (_, inDocument, said, expected) => {
    expect(texts(pendingMessages(document(...inDocument), sent(...said)))).toEqual(expected);
  });

  const anyMessage: fc.Arbitrary<DocumentMessage> = fc.record(
    {
      role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
      content: fc.constantFrom('', 'a', 'b', 'long'.repeat(100), '\ud800'),
      toolCallId: fc.constantFrom('pinned_1', 'c', ''),
      toolName: fc.constant('t'),
      isError: fc.boolean(),
      toolCalls: fc.array(fc.record({ name: fc.constant('t') }), { maxLength: 2 }),
    },
    { requiredKeys: ['role', 'content'] },
  );

  test('are none after all were sent, whatever the conversation', () => {
    fc.assert(
      fc.property(
        fc.array(anyMessage, { maxLength: 8 }),
        fc.array(anyMessage, { maxLength: 8 }),
        (messages, before) => {
          const items = before.map(toItem);
          const all = [...items, ...pendingMessages(messages, items).map(toItem)];
          expect(pendingMessages(messages, all)).toEqual([]);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('are the end of the document, and grow when a message is added', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 6 }), fc.nat(6), anyMessage, (messages, cut, next) => {
        const items = messages.slice(0, cut).map(toItem);
        expect(pendingMessages(messages, items)).toEqual(messages.slice(cut));
        expect(pendingMessages([...messages, next], items)).toEqual([...messages.slice(cut), next]);
      }),
    );
  });

  test('are computed fast for 2,000 messages', () => {
    const long = 'x'.repeat(10_000);
    const messages = Array.from({ length: 2_000 }, (_, index) => user(`${long}${index}`));
    const start = process.cpuUsage();
    expect(pendingMessages(messages, messages.map(toItem))).toEqual([]);
    expect(computedMsSince(start)).toBeLessThan(3_000);
  });
});

describe('PendingByLane', () => {
  test('reads the document again only if it or the conversation changed', () => {
    let looks = 0;
    const pending = new PendingByLane();
    const [messages, items] = [document('a', 'b'), sent('a')];
    const ask = (lane: string, all = messages, of: readonly Item[] = items): string[] =>
      texts(pending.of(lane, { document: { messages: all }, messagesOf: () => (looks++, all) }, of));
    for (let time = 0; time < 10; time++) expect([...ask('x'), ...ask('y')]).toEqual(['b', 'b']);
    expect(looks).toBe(2);
    expect(ask('x', messages, sent('a', 'b'))).toEqual([]);
    expect(ask('x', document('a', 'b', 'c'))).toEqual(['b', 'c']);
    expect(looks).toBe(4);
  });
});

describe('findSent', () => {
  test('returns the index in the document of a message that a lane was sent', () => {
    const messages = document('a', 'b', 'c');
    const ofLane = messages.filter(({ content }) => content !== 'b');
    const items = sent('a', 'hurry', 'c');
    const placeOf = (at: number) => findSent(messages, ofLane, items, items[at]?.id ?? '');
    expect([placeOf(0), placeOf(2), placeOf(4)]).toEqual([0, undefined, 2]);
    expect(findSent(messages, ofLane, items, 'gone')).toBeUndefined();
  });
});

describe('toMessage', () => {
  test('gives a pinned call an id that its result refers to', () => {
    const asked: DocumentMessage = {
      role: 'assistant',
      content: '',
      toolCalls: [{ name: 't' }, { name: 'u', id: 'x' }],
    };
    const answer: DocumentMessage = { role: 'tool', content: 'r', toolName: 't' };
    const calls = toMessage(asked).toolCalls ?? [];
    expect(calls.map(({ id, arguments: args }) => [id, args])).toEqual([
      ['pinned_1', {}],
      ['x', {}],
    ]);
    expect(toMessage(answer).toolCallId).toBe(calls[0]?.id);
  });

  test('leaves out the lanes of a message', () => {
    expect(toMessage({ role: 'user', content: 'x', lanes: ['a'] })).toEqual({ role: 'user', content: 'x' });
  });
});

describe('isAsked', () => {
  test('is true for a message of the user unless a pinned answer follows', () => {
    const messages: DocumentMessage[] = [
      { role: 'system', content: '' },
      user('example'),
      { role: 'assistant', content: '' },
      user('first'),
      user('second'),
      { role: 'tool', content: '' },
      user('last'),
    ];
    expect(messages.map((_message, index) => isAsked(messages, index))).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
  });
});
