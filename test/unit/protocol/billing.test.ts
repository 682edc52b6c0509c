import { describe, expect, it } from 'vitest';
import { billingOf, isHosted, isLocal } from '../../../src/protocol';

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

describe('billingOf', () => {
  const hosted = { scope: 'user', address: 'llm.example/v1', hasRates: false } as const;

  it('is by the rates where there are some, whatever the address', () => {
    expect(billingOf({ ...hosted, hasRates: true })).toBe('rates');
    expect(billingOf({ scope: 'user', address: 'localhost:4000', hasRates: true })).toBe('rates');
  });

  it('is free for the demo and for a server of one’s own, and unknown for a service', () => {
    expect(billingOf({ scope: 'built-in', address: 'the demo', hasRates: false })).toBe('free');
    expect(billingOf({ scope: 'user', address: 'localhost:11434', hasRates: false })).toBe('free');
    expect(billingOf(hosted)).toBe('unknown');
    expect(billingOf(undefined)).toBe('unknown');
  });

  it('is a quota for the models of the editor', () => {
    expect(billingOf({ scope: 'extension', address: 'editor', hasRates: false, usesQuota: true })).toBe(
      'quota',
    );
  });
});
