import { describe, expect, test } from 'vitest';
import { pendingResults } from '../../../src/demo/conversation';
import type { Message, ProviderToolCall } from '../../../src/types';

const call = (id: string, name: string): ProviderToolCall => ({
  id,
  name,
  arguments: { id },
  source: 'native',
});
const asked = (...toolCalls: ProviderToolCall[]): Message => ({ role: 'assistant', content: '', toolCalls });
const answered = (more: Partial<Message>): Message => ({ role: 'tool', content: 'x', ...more });

describe('pendingResults', () => {
  test('finds the answered call by id, then by name, then by place', () => {
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

  test('has nothing when somebody spoke after the tools, or no tool did', () => {
    expect(pendingResults([asked(call('1', 'a')), answered({}), { role: 'user', content: 'and?' }])).toEqual(
      [],
    );
    expect(pendingResults([])).toEqual([]);
  });

  test('keeps a result whose call is not in the conversation', () => {
    expect(pendingResults([answered({ isError: true })])).toEqual([
      { toolName: 'tool', arguments: undefined, content: 'x', isError: true },
    ]);
  });
});
