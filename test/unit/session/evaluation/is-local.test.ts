import { describe, expect, it } from 'vitest';
import { isHosted } from '../../../../src/session';
import { isLocal } from '../../../../src/session/evaluation/is-local';

describe('isLocal', () => {
  it.each([
    'localhost:11434',
    'http://127.0.0.1:8080/v1',
    '192.168.1.20:8080',
    '10.0.0.5',
    '[::1]:1234',
    'workstation/v1',
    'gpu.local:8000/v1',
  ])('is %s', (address) => {
    expect(isLocal({ scope: 'user', address })).toBe(true);
    expect(isHosted({ scope: 'user', address })).toBe(false);
  });

  it.each(['api.openai.com/v1', 'https://llm.example:8080', '8.8.8.8', 'localhost.example.com'])(
    'is not %s',
    (address) => {
      expect(isLocal({ scope: 'user', address })).toBe(false);
      expect(isHosted({ scope: 'user', address })).toBe(true);
    },
  );

  it('is neither the demo, which costs nothing, nor what uses up a quota, whatever its address is called', () => {
    const demo = { scope: 'built-in', address: 'localhost:1' } as const;
    expect([isLocal(demo), isHosted(demo)]).toEqual([false, false]);
    const ofEditor = { scope: 'extension', address: 'editor', usesQuota: true } as const;
    expect([isLocal(ofEditor), isHosted(ofEditor)]).toEqual([false, true]);
  });
});
