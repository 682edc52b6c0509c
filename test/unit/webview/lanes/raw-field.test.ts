import { describe, expect, it } from 'vitest';
import { findSecrets, parseDocument } from '../../../../src/session';
import { parseRaw, showRaw } from '../../../../webview/lanes/raw-field';

import { fc } from '../../../support/arbitrary/properties';

describe('parseRaw', () => {
  it('accepts an object, and returns nothing for an empty field', () => {
    expect(parseRaw('{"options":{"num_batch":64}}')).toEqual({ value: { options: { num_batch: 64 } } });
    expect(parseRaw(' \n')).toEqual({ value: undefined });
  });

  it('reports text that is not JSON, and JSON that is not an object', () => {
    expect(parseRaw('{"a":').problem).toMatch(/^must be valid JSON: /);
    for (const text of ['[]', 'null', '3', '"x"'])
      expect(parseRaw(text).problem).toMatch(/^must form a JSON object$/);
  });

  it.each(['api_key', 'apiKey', 'Authorization', 'x-api-key', 'COOKIE', 'access_token', 'password'])(
    'reports a key that holds a secret: %s',
    (key) => {
      const { problem } = parseRaw(JSON.stringify({ headers: { [key]: 'x' } }));
      expect(problem).toContain(`headers.${key}`);
      expect(problem).toContain('secrets are kept with the connection');
    },
  );

  it('accepts keys that only sound like secrets', () => {
    expect(parseRaw('{"max_tokens": 3, "token_healing": true, "eos_token": 2}').problem).toBeUndefined();
  });

  it('reports a key that is itself a secret without repeating it', () => {
    const { problem } = parseRaw(JSON.stringify({ headers: { [`sk-${'a1'.repeat(12)}`]: 1 } }));
    expect(problem).toMatch(/^cannot have `headers\.…`/);
  });

  it('refuses exactly what a playground must not contain', () => {
    const name = fc.constantFrom('api_key', 'key', 'hf_token', 'client-secret', 'bearer', 'top_k', 'options');
    const value = fc.constantFrom<unknown>('x', '', 5, null, ['x'], `Bearer ${'a1'.repeat(12)}`);
    const raw = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)));
    fc.assert(
      fc.property(raw, (members) => {
        const document = { ...parseDocument('').document, lanes: [{ id: 'a', raw: members }] };
        const isRefused = parseRaw(JSON.stringify(members)).problem !== undefined;
        expect(isRefused).toBe(findSecrets(document as never).length > 0);
      }),
    );
  });

  it('refuses a key that would change the prototype, and deep nesting', () => {
    expect(parseRaw('{"a":{"__proto__":1}}').problem).toContain('a.__proto__');
    expect(parseRaw(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`).problem).toMatch(
      /must not be nested this deeply/,
    );
  });

  it('never throws for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseRaw(text)));
  });
});

describe('showRaw', () => {
  it('shows text that is read as the same value', () => {
    expect(parseRaw(showRaw({ a: [1, { b: null }] }))).toEqual({ value: { a: [1, { b: null }] } });
    expect(showRaw({})).toBe('');
    expect(showRaw(undefined)).toBe('');
  });
});
