import { describe, expect, test } from 'vitest';
import { pendingResults } from '../../../../src/demo/model/conversation';
import type { Message, ProviderToolCall } from '../../../../src/types';

const call = (id: string, name: string): ProviderToolCall => ({
  id,
  name,
  arguments: { id },
  source: 'native',
});
const asked = (...toolCalls: ProviderToolCall[]): Message => ({ role: 'assistant', content: '', toolCalls });
const answered = (more: Partial<Message>): Message => ({ role: 'tool', content: 'x', ...more });

describe('pendingResults', () => {
  test('finds the call of a result by id, then by name, then by position', () => {
    const messages = [
      asked(call('1', 'a'), call('2', 'b'), call('', 'c')),
      answered({ toolCallId: '2' }),
      answered({ toolName: 'a' }),
      answered({}),
    ];
    expect(pendingResults(messages).map(({ toolName, arguments: args }) => [toolName, args])).toEqual([
      ['b', { id: '2' }],
      ['a', { id: '1' }],
      ['c', { id: '' }],
    ]);
  });

  test('returns nothing when a message follows the results, or when there are none', () => {
    expect(pendingResults([asked(call('1', 'a')), answered({}), { role: 'user', content: 'and?' }])).toEqual(
      [],
    );
    expect(pendingResults([])).toEqual([]);
  });

  test('returns a result whose call is not part of the conversation', () => {
    expect(pendingResults([answered({ isError: true })])).toEqual([
      { toolName: 'tool', arguments: undefined, content: 'x', isError: true },
    ]);
  });
});
