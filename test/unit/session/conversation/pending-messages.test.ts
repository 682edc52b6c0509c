import { describe, expect, test } from 'vitest';
import type { DocumentMessage } from '../../../../src/protocol';
import { isAsked, toMessage } from '../../../../src/session/conversation/pending-messages';

const user = (content: string): DocumentMessage => ({ role: 'user', content });

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
