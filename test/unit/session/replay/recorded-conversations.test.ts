import { describe, expect, test } from 'vitest';
import { recordedConversations } from '../../../../src/session';
import { call, calling, exchange, result, USER } from './recorded-turns';

describe('recordedConversations', () => {
  const used = calling(call('a'));
  const later = [USER, used, result('a')];

  test('sorts by conversation, in the order in which they began, without what is no chat', () => {
    const found = recordedConversations([
      exchange(later, used, { number: 3 }),
      exchange([USER], used, { number: 1 }),
      exchange([{ role: 'user', content: 'Hello' }], used, {
        number: 2,
        change: { session: 2, program: 'other' },
      }),
      exchange([USER], used, { number: 4, change: { session: undefined } }),
    ]);
    expect(found.map(({ program, opening, exchanges }) => [program, opening, exchanges.length])).toEqual([
      ['agent/1', 'Mend the bug.', 2],
      ['other', 'Hello', 1],
    ]);
  });

  test('tells a program that begins again from a request that is sent again', () => {
    const retry = [exchange([USER], undefined, { number: 1 }), exchange([USER], used, { number: 2 })];
    const on = exchange(later, used, { number: 3 });
    const anew = exchange([USER], used, { number: 4 });
    expect(recordedConversations([...retry, on]).map(({ exchanges }) => exchanges.length)).toEqual([3]);
    expect(recordedConversations([...retry, on, anew]).map(({ exchanges }) => exchanges.length)).toEqual([
      3, 1,
    ]);
  });
});
