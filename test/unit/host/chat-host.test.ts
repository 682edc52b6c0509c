import { describe, expect, it } from 'vitest';
import { findSplit } from '../../../src/host/chat-host';

describe('findSplit', () => {
  const HERE = { isRemote: false, affinity: undefined, ownId: 'acme.play', hasChat: false };

  it('finds none where the chat is in the same host, or nowhere', () => {
    expect(findSplit(HERE)).toBeUndefined();
    expect(findSplit({ ...HERE, isRemote: true, hasChat: true })).toBeUndefined();
    expect(findSplit({ ...HERE, affinity: { 'acme.play': 2 }, hasChat: true })).toBeUndefined();
    expect(
      findSplit({ ...HERE, affinity: { 'Acme.Play': 2, 'GitHub.copilot-chat': 2, other: 3 } }),
    ).toBeUndefined();
    for (const affinity of [null, 'wrong', { other: 3 }])
      expect(findSplit({ ...HERE, affinity })).toBeUndefined();
  });

  it('finds that the window works on another machine', () => {
    expect(findSplit({ ...HERE, isRemote: true })).toBe('remote');
  });

  it.each([{ 'acme.play': 2 }, { 'GitHub.copilot-chat': 1 }, { 'acme.play': 1, 'github.copilot-chat': 2 }])(
    'finds that the setting keeps them apart: %o',
    (affinity) => {
      expect(findSplit({ ...HERE, affinity })).toBe('affinity');
    },
  );
});
