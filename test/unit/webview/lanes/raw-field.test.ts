import { describe, expect, it } from 'vitest';
import { parseRaw, showRaw } from '../../../../webview/lanes/raw-field';
import { fc } from '../../../support/properties';

describe('parseRaw', () => {
  it('takes an object, and nothing for an empty field', () => {
    expect(parseRaw('{"options":{"num_batch":64}}')).toEqual({ value: { options: { num_batch: 64 } } });
    expect(parseRaw(' \n')).toEqual({ value: undefined });
  });

  it('says what is no JSON, and what is no object', () => {
    expect(parseRaw('{"a":').problem).toMatch(/^is no JSON: /);
    for (const text of ['[]', 'null', '3', '"x"'])
      expect(parseRaw(text).problem).toMatch(/^must be an object/);
  });

  it.each(['api_key', 'apiKey', 'Authorization', 'x-api-key', 'COOKIE', 'access_token', 'password'])(
    'names a key that holds a secret: %s',
    (key) => {
      const { problem } = parseRaw(JSON.stringify({ headers: { [key]: 'x' } }));
      expect(problem).toContain(`headers.${key}`);
      expect(problem).toContain('secrets are kept with the connection');
    },
  );

  it('takes keys that only sound like one', () => {
    expect(parseRaw('{"max_tokens": 3, "token_healing": true}').problem).toBeUndefined();
  });

  it('refuses a name that would change the object itself, and what is too deep', () => {
    expect(parseRaw('{"a":{"__proto__":1}}').problem).toContain('a.__proto__');
    expect(parseRaw(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`).problem).toMatch(/nested too deeply/);
  });

  it('throws for no text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseRaw(text)));
  });
});

describe('showRaw', () => {
  it('is read as it is shown', () => {
    expect(parseRaw(showRaw({ a: [1, { b: null }] }))).toEqual({ value: { a: [1, { b: null }] } });
    expect(showRaw({})).toBe('');
    expect(showRaw(undefined)).toBe('');
  });
});
