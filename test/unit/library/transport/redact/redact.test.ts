import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../../src/library';

describe('createRedactor', () => {
  const secret = 'canary"key/+1234';
  const { text, headers, value } = createRedactor([secret, 'short']);

  test.each([
    ['unencoded', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['JSON-escaped', JSON.stringify({ echo: secret })],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 after one byte', Buffer.from(`u${secret}`).toString('base64')],
    ['in base64 after a user name', Buffer.from(`user:${secret}`).toString('base64')],
    ['in base64url', Buffer.from(`ab${secret}`).toString('base64url')],
  ])('masks the secret %s, with a mask of the same length', (_, written) => {
    const input = `before ${written} after`;
    const output = text(input);
    expect(output).toHaveLength(input.length);
    expect(output).toMatch(/\*{12}/);
    expect(output).not.toContain('canary');
    expect(output).not.toContain(Buffer.from(secret).toString('base64').slice(2, 14));
    expect(output.startsWith('before ')).toBe(true);
    expect(output.endsWith(' after')).toBe(true);
  });

  test.each([undefined, null, 12_345_678, ['canary']])(
    'refuses the secret %j, which would be shown',
    (given) => {
      expect(() => createRedactor(['canary-key', given as unknown as string])).toThrow(
        expect.objectContaining({ code: 'invalid-options', field: 'secrets' }),
      );
    },
  );

  test('masks headers, JSON members and query parameters by name', () => {
    expect(
      headers([
        ['Authorization', 'Bearer x1'],
        ['Accept', 'text/plain'],
      ]),
    ).toEqual({
      Authorization: '*********',
      Accept: 'text/plain',
    });
    expect(text('{"api_key": "abc", "city": "Oslo"}')).toBe('{"api_key": "***", "city": "Oslo"}');
    expect(text('https://host/v1?key=abc&api-version=2')).toBe('https://host/v1?key=***&api-version=2');
  });

  test('masks a secret in the name of a header, which is in lower case', () => {
    const key = 'sk-Canary-0123';
    const redactor = createRedactor([key]);
    expect(redactor.headers([[`x-${key.toLowerCase()}`, 'a']])).toEqual({
      [`x-${'*'.repeat(key.length)}`]: 'a',
    });
    expect(redactor.text(`the encoding ${key.toLowerCase()}`)).toBe(`the encoding ${'*'.repeat(key.length)}`);
  });

  test('returns the length of a possible beginning of a secret, in every encoding', () => {
    const { held } = createRedactor(['canary/key+1234']);
    expect(held('It is cana')).toBe(4);
    expect(held('It is can')).toBe(0);
    expect(held('It is canary%2Fke')).toBe(11);
    expect(held('It is canary\\/key')).toBe(11);
    expect(held(`It is ${Buffer.from('canary/key').toString('base64').slice(0, 12)}`)).toBe(12);
    expect(held('It is canary/key+1234')).toBe(0);
    expect(held('')).toBe(0);
  });

  test('keeps ordinary text, and ignores secrets that are too short', () => {
    expect(text('a short note about monkeys')).toBe('a short note about monkeys');
  });

  test('redacts JSON values deeply, including keys, with any nesting', () => {
    expect(value({ a: [`x${secret}`], [secret]: 1 })).toEqual({
      a: [`x${'*'.repeat(secret.length)}`],
      ['*'.repeat(secret.length)]: 1,
    });
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(() => value(deep)).not.toThrow();
  });
});

describe('createRedactor with hostile values', () => {
  const { text, value } = createRedactor();

  test('masks a member to its end, including escapes', () => {
    const input = String.raw`{"api_key":"abc\"REST-OF-SECRET\\","city":"Oslo"}`;
    const masked = '*'.repeat(String.raw`abc\"REST-OF-SECRET\\`.length);
    expect(text(input)).toBe(`{"api_key":"${masked}","city":"Oslo"}`);
    expect(text(String.raw`{"api_key":"cut \"off`)).toBe(`{"api_key":"${'*'.repeat(9)}`);
  });

  test('masks a member with millions of escapes without a stack overflow', () => {
    const long = String.raw`\"`.repeat(4_000_000);
    expect(text(`{"api_key":"${long}"}`) === `{"api_key":"${'*'.repeat(long.length)}"}`).toBe(true);
  });

  test('copies a key that names the prototype as a key, also of a value that is masked', () => {
    const copy = value(JSON.parse('{"a":1,"__proto__":{"b":2}}') as object);
    expect(JSON.stringify(copy)).toBe('{"a":1,"__proto__":{"b":2}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test('copies a shared value once, and ends for a value that contains itself', () => {
    let doubling: unknown = 'leaf';
    for (let level = 0; level < 60; level += 1) doubling = { a: doubling, b: doubling };
    expect(value(doubling)).toHaveProperty('a.b.a');
    const node: Record<string, unknown> = { name: 'x' };
    node['first'] = node['parent'] = node;
    expect(value(node)).toEqual({ name: 'x', first: '… nested too deeply', parent: '… nested too deeply' });
  });
});
