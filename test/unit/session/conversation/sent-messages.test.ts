import { describe, expect, test } from 'vitest';
import type { DocumentMessage } from '../../../../src/protocol';
import { Lane } from '../../../../src/session/conversation/lane';
import { toMessage } from '../../../../src/session/conversation/pending-messages';
import { SentMessages } from '../../../../src/session/conversation/sent-messages';
import type { Item } from '../../../../src/session/conversation/transcript';
import { computedMsSince } from '../../../support/computed-ms';
import { fc, runs } from '../../../support/arbitrary/properties';

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

/** One lane with its conversation, and a document whose messages are known by the objects. */
function open(messages: DocumentMessage[], items: Item[]) {
  const journal = { append: () => undefined } as never;
  const lane = new Lane('a', items, journal, {
    onChange: () => undefined,
    onProgressChange: () => undefined,
  });
  const ids = new Map<DocumentMessage, string>();
  const source = {
    document: { messages, lanes: [{ id: 'a' } as never] },
    isFromOutside: true,
    looks: 0,
    messagesOf: () => (source.looks++, source.document.messages),
    sent: { message: (message: DocumentMessage) => message },
    idOf: (message: DocumentMessage): string => {
      ids.set(message, ids.get(message) ?? `${ids.size}`);
      return ids.get(message) ?? '';
    },
  };
  const messagesOf = new SentMessages(source, { find: () => lane, all: [lane] });
  messagesOf.followDocument();
  /** Makes the session's own change; a message that is replaced keeps its id. */
  const change = (next: DocumentMessage[]): void => {
    for (const [at, message] of next.entries()) {
      const before = source.document.messages[at];
      if (before) ids.set(message, source.idOf(before));
    }
    source.document = { ...source.document, messages: next };
    source.isFromOutside = false;
    messagesOf.followDocument();
  };
  return { messages: messagesOf, lane, source, change };
}

const pendingMessages = (messages: DocumentMessage[], items: Item[]): readonly DocumentMessage[] =>
  open(messages, items).messages.pendingOf('a');

describe('the pending messages of a lane', () => {
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
  ])('are %s, after a change from outside', (_, inDocument, said, expected) => {
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

describe('SentMessages', () => {
  test('reads the document again only if it or the conversation changed', () => {
    const { messages, lane, source } = open(document('a', 'b'), sent('a'));
    source.looks = 0;
    for (let time = 0; time < 10; time++) expect(texts(messages.pendingOf('a'))).toEqual(['b']);
    expect(source.looks).toBeLessThan(2);
    messages.send(lane, source.document.messages[1] ?? user(''));
    expect(texts(messages.pendingOf('a'))).toEqual([]);
  });

  test('knows a message that was sent by its id, whatever its text, until somebody else changes the document', () => {
    const { messages, source, change } = open(document('a', 'b'), sent('a', 'b'));
    change(document('a', 'B'));
    expect(texts(messages.pendingOf('a'))).toEqual([]);
    source.isFromOutside = true;
    messages.followDocument();
    expect(texts(messages.pendingOf('a'))).toEqual(['B']);
  });

  test('tells two messages with one text apart', () => {
    const { messages, lane, source } = open(document('a', 'a'), []);
    const [, second] = source.document.messages;
    messages.send(lane, second ?? user(''));
    expect(messages.placeOf(lane.items[0])).toBe(1);
    expect(second && messages.itemOf(lane, second)).toBe(lane.items[0]);
  });

  test('finds the place in the document of what a lane was sent', () => {
    const { messages, lane } = open(document('a', 'c'), sent('a', 'hurry', 'c'));
    const places = lane.items.filter(({ kind }) => kind === 'message').map((item) => messages.placeOf(item));
    expect(places).toEqual([0, undefined, 1]);
    expect(messages.placeOf(undefined)).toBeUndefined();
    messages.forget(lane.items[0] ?? run);
    expect(messages.placeOf(lane.items[0])).toBeUndefined();
  });

  test('takes for sent what an edit adds to the document that a conversation has already', () => {
    const { messages, change } = open(document('a'), sent('a', 'hurry'));
    messages.linkAfterEdit();
    change(document('a', 'hurry'));
    expect([messages.pendingOf('a'), messages.draft]).toEqual([[], undefined]);
  });
});

describe('the draft', () => {
  test.each([
    ['the last message if it was not sent', document('a', 'b'), sent('a'), 'b'],
    ['none if all were sent', document('a'), sent('a'), undefined],
    ['none without messages', [], [], undefined],
    [
      'none if the last message is not from the user',
      [{ role: 'system' as const, content: 'b' }],
      [],
      undefined,
    ],
    ['none if it is for no lane', [{ ...user('b'), lanes: ['gone'] }], [], undefined],
  ])('is %s', (_, inDocument, said, expected) => {
    expect(open(inDocument, said).messages.draft?.content).toBe(expected);
  });

  test('stays the draft while it is written, until it is sent', () => {
    const { messages, lane, change } = open(document('a'), sent('a'));
    change(document('a', 'W'));
    change(document('a', 'What'));
    const { draft } = messages;
    expect(draft?.content).toBe('What');
    if (draft) messages.send(lane, draft);
    expect(messages.draft).toBeUndefined();
  });

  test('is none while a lane works to send it, and again if that fails', () => {
    const { messages, source } = open(document('a', 'b'), []);
    messages.begin('a', source.document.messages[1] ?? user(''));
    expect(messages.draft).toBeUndefined();
    messages.end('a');
    expect(messages.draft?.content).toBe('b');
  });
});
