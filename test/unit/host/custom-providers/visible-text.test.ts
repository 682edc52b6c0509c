import { describe, expect, test } from 'vitest';
import { toLabel, toVisible } from '../../../../src/host/custom-providers/visible-text';

describe('toVisible', () => {
  test.each([
    ['/home/me/my module.mjs', '/home/me/my module.mjs'],
    ['naïve/模型.mjs', 'naïve/模型.mjs'],
    ['a\n\nSigned by your company.mjs', 'a\\u{a}\\u{a}Signed by your company.mjs'],
    ['acme\u202esjm.mjs', 'acme\\u{202e}sjm.mjs'],
    ['a\u00a0b\u2028c\u200bd\u2066', 'a\\u{a0}b\\u{2028}c\\u{200b}d\\u{2066}'],
    ['half \ud83d', 'half \\u{d83d}'],
    ['whole 😀', 'whole 😀'],
  ])('%j is shown as %s', (text, shown) => expect(toVisible(text)).toBe(shown));
});

describe('toLabel', () => {
  test('cuts what no list has room for', () => {
    expect(toLabel('x'.repeat(100))).toBe('x'.repeat(100));
    expect(toLabel('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
  });
});
