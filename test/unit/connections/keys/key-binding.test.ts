import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../src/connections/connection';
import { toKeyTarget } from '../../../../src/connections/keys/key-binding';

const HOST = 'https://api.example/v1';
const of = (change: Partial<Connection['setting']>, narrowed?: Connection['narrowed']) =>
  toKeyTarget({ id: 'mine', setting: { provider: 'hosted-api', ...change }, narrowed }, change.host ?? HOST);

describe('toKeyTarget', () => {
  test('binds a key to the origin only if the workspace changes nothing', () => {
    expect(of({ host: `${HOST}/x`, raw: { a: 1 } })).toEqual({
      id: 'mine',
      binding: 'https://api.example',
      recipient: 'https://api.example',
      origin: 'https://api.example',
    });
    expect(of({ host: 'no address' })).toBeUndefined();
  });

  test('includes what the workspace changes in the binding, in any order of keys', () => {
    const binding = of({ raw: { a: 1, b: { c: 2, d: 3 } } }, ['raw'])?.binding;
    expect(binding).toMatch(/^https:\/\/api\.example#[\da-f]{32}$/);
    expect(of({ raw: { b: { d: 3, c: 2 }, a: 1 } }, ['raw'])?.binding).toBe(binding);
    const others = [
      of({ raw: { a: 1, b: { c: 2, d: 4 } } }, ['raw']),
      of({ headers: { a: '1' } }, ['headers']),
      of({ host: `${HOST}/x` }, ['host']),
      of({ host: `${HOST}?x` }, ['host']),
    ].map((target) => target?.binding);
    expect(new Set([binding, ...others]).size).toBe(5);
  });

  test('describes in words what the workspace changes', () => {
    const target = of({ host: `${HOST}/x`, headers: { 'X-Org': 'a' }, raw: { user: 'b' } }, [
      'host',
      'headers',
      'raw',
    ]);
    expect(target?.wider).toEqual({
      binding: 'https://api.example',
      changes: 'the path /v1/x; the headers X-Org; the raw keys user',
    });
  });
});
