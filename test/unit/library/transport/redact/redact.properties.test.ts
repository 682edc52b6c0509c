import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../../src/library';
import { anyText } from '../../../../support/arbitrary/arbitrary-text';
import { fc } from '../../../../support/arbitrary/properties';

const oneOf = (characters: string): fc.Arbitrary<string> => fc.constantFrom(...Array.from(characters));
/** At least 8 characters. No asterisk, because it could not be distinguished from a mask. */
const secret = fc
  .oneof(
    fc.string({ unit: oneOf('abcXYZ019-_'), minLength: 8, maxLength: 40 }),
    fc.string({ unit: oneOf('aB3 "\\/+&<>%=é€😀\n\t\''), minLength: 8, maxLength: 20 }),
    anyText({ minLength: 8, maxLength: 20 }),
  )
  .filter((text) => !text.includes('*'));
const around = fc.string({ unit: oneOf('abcdefg 0123{}":,&?'), maxLength: 30 });

const toUnicodeEscape = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const SPELLINGS: Record<string, (text: string) => string> = {
  unencoded: (text) => text,
  'URL-encoded': (text) => encodeURIComponent(text),
  'URL-encoded, in lower case': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (digits) => digits.toLowerCase()),
  'as a form field': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'JSON-escaped': inJson,
  'JSON-escaped by PHP': (text) => inJson(text).replaceAll('/', '\\/'),
  'JSON-escaped by Python': (text) => toUnicodeEscape(inJson(text)),
  'JSON-escaped by Go': (text) =>
    inJson(text).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
};

describe('createRedactor', () => {
  test.each(Object.entries(SPELLINGS))('leaves no secret %s, and keeps every offset', (_, spell) => {
    fc.assert(
      fc.property(secret, around, around, (hidden, before, after) => {
        const spelt = spell(hidden);
        const input = `${before}${spelt}${after}${spelt}`;
        const output = createRedactor([hidden]).text(input);
        expect(output).toHaveLength(input.length);
        expect(output).not.toContain(spelt);
        expect(output.slice(before.length, before.length + spelt.length)).toBe('*'.repeat(spelt.length));
      }),
    );
  });

  test('leaves no secret in base64 or base64url, with anything before and after it', () => {
    const bytes = fc.uint8Array({ maxLength: 10 });
    const encodings = fc.constantFrom<BufferEncoding>('base64', 'base64url');
    fc.assert(
      fc.property(secret, bytes, bytes, encodings, (hidden, before, after, encoding) => {
        const input = Buffer.concat([before, Buffer.from(hidden), after]).toString(encoding);
        const output = createRedactor([hidden]).text(input);
        expect(output).toHaveLength(input.length);
        // At most the characters at both ends remain, which also depend on their neighbours.
        const read = Buffer.from(output.replaceAll('*', 'A'), encoding);
        expect(read.includes(Buffer.from(hidden).subarray(1, -1))).toBe(false);
      }),
    );
  });

  test('leaves none of several secrets, even if one contains another', () => {
    const several = fc.array(secret, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(several, secret, around, (others, last, gap) => {
        const all = [...others, last, `${last}-and-more`, others.join('') + last];
        const input = all.join(gap);
        const output = createRedactor(all).text(input);
        for (const hidden of all) expect(output).not.toContain(hidden);
        expect(output).toHaveLength(input.length);
      }),
    );
  });

  test('changes nothing of a JSON value but the secrets, including keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), secret, (value, hidden) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        fc.pre(!JSON.stringify(plain).includes(inJson(hidden)));
        const { value: redact } = createRedactor([hidden]);
        const mask = '*'.repeat(hidden.length);
        const put = (text: string): unknown => ({ [`a${text}`]: [plain, text, { b: `${text}c` }] });
        expect(redact(put(hidden))).toEqual(put(mask));
      }),
    );
  });

  test('accepts any text as a secret, and any text to redact', () => {
    const anything = fc.string({
      unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
    });
    fc.assert(
      fc.property(fc.array(anything), anything, (secrets, text) => {
        expect(createRedactor(secrets).text(text)).toHaveLength(text.length);
      }),
    );
  });
});
