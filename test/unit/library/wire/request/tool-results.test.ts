import { describe, expect, test } from 'vitest';
import type { Message, ProviderToolCall } from '../../../../../src/library';
import { linkToolResults } from '../../../../../src/library/wire/request/tool-results';

const call = (id: string, name: string): ProviderToolCall => ({ id, name, arguments: {}, source: 'native' });
const turn = (...toolCalls: ProviderToolCall[]): Message => ({ role: 'assistant', content: '', toolCalls });
const result = (fields: Partial<Message>): Message => ({ role: 'tool', content: 'x', ...fields });
const linked = (...messages: Message[]): [string | undefined, string | undefined][] =>
  linkToolResults(messages).flatMap(({ role, toolCallId, toolName }) =>
    role === 'tool' ? [[toolCallId, toolName]] : [],
  );

describe('linkToolResults', () => {
  test('finds the call of a result by its id, its name, or its position', () => {
    const calls = turn(call('a', 'f'), call('b', 'g'), call('c', 'h'));
    const results = [result({ toolCallId: 'c' }), result({ toolName: 'g' }), result({})];
    expect(linked(calls, ...results)).toEqual([
      ['c', 'h'],
      ['b', 'g'],
      ['a', 'f'],
    ]);
  });

  test('assigns each call once: two calls of one tool get their results in order', () => {
    const calls = turn(call('a', 'f'), call('b', 'f'));
    expect(linked(calls, result({ toolName: 'f' }), result({ toolName: 'f' }))).toEqual([
      ['a', 'f'],
      ['b', 'f'],
    ]);
  });

  test('reads each call a constant number of times, in any order of results', () => {
    const looksAt = (count: number): number => {
      let looks = 0;
      const calls = Array.from({ length: count }, (_, index) => {
        const counted = call('', 'f');
        const get = (): string => {
          looks += 1;
          return `id ${index}`;
        };
        return Object.defineProperty(counted, 'id', { get, enumerable: true });
      });
      const results = calls.map((_, index) => result({ toolCallId: `id ${count - 1 - index}` }));
      expect(linked(turn(...calls), ...results)[0]).toEqual([`id ${count - 1}`, 'f']);
      return looks;
    };
    expect(looksAt(400) / 400).toBe(looksAt(100) / 100);
  });

  test('uses only the last turn with calls', () => {
    const messages = [turn(call('a', 'f')), result({}), turn(call('b', 'f')), result({ toolName: 'f' })];
    expect(linked(...messages)).toEqual([
      ['a', 'f'],
      ['b', 'f'],
    ]);
  });

  test('leaves a result without a call unchanged, and keeps fields that a result has', () => {
    const calls = turn(call('a', 'f'));
    expect(linked(result({}), calls, result({ toolCallId: 'z', toolName: 'q' }))).toEqual([
      [undefined, undefined],
      ['z', 'q'],
    ]);
    expect(linked(calls, result({ toolCallId: 'a', toolName: 'other' }))).toEqual([['a', 'other']]);
  });

  test('does not change the caller’s messages', () => {
    const messages = [turn(call('a', 'f')), result({})];
    const before = structuredClone(messages);
    linkToolResults(messages);
    expect(messages).toEqual(before);
  });
});
