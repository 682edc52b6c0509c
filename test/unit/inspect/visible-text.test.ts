import { describe, expect, test } from 'vitest';
import { toLabel, toVisible, toVisibleLines } from '../../../src/inspect/visible-text';

describe('toVisible', () => {
  test.each([
    ['/home/me/my module.mjs', '/home/me/my module.mjs'],
    ['naïve/模型.mjs', 'naïve/模型.mjs'],
    ['a\n\nSigned by your company.mjs', 'a\\u{a}\\u{a}Signed by your company.mjs'],
    ['acme\u202esjm.mjs', 'acme\\u{202e}sjm.mjs'],
    ['a\u00a0b\u2028c\u200bd\u2066', 'a\\u{a0}b\\u{2028}c\\u{200b}d\\u{2066}'],
    ['a\u3164b\u{e0041}c\u034f', 'a\\u{3164}b\\u{e0041}c\\u{34f}'],
    ['[Sign in](command:workbench.action.quit)', '[Sign in] (command:workbench.action.quit)'],
    ['$(verified) Acme', '$ (verified) Acme'],
    ['half \ud83d', 'half \\u{d83d}'],
    ['whole 😀', 'whole 😀'],
    ['☀️ 👩‍👩‍👧 🏳️‍🌈 👩🏽‍💻 ❤️‍🔥', '☀️ 👩‍👩‍👧 🏳️‍🌈 👩🏽‍💻 ❤️‍🔥'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['a\u200db 1\ufe0f \u200d😀 ☀\ufe0f\ufe0f', 'a\\u{200d}b 1\\u{fe0f} \\u{200d}😀 ☀\ufe0f\\u{fe0f}'],
    ['a\u200cb م\u200c', 'a\\u{200c}b م\\u{200c}'],
  ])('shows %j as %s', (text, shown) => expect(toVisible(text)).toBe(shown));
});

describe('toVisibleLines', () => {
  test('keeps line breaks and makes every other hidden character visible', () =>
    expect(toVisibleLines('a\r\nb\u202e')).toBe('a\\u{d}\nb\\u{202e}'));
});

describe('toLabel', () => {
  test('truncates to the maximum length', () => {
    expect(toLabel('x'.repeat(100))).toBe('x'.repeat(100));
    expect(toLabel('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
    expect(toLabel(`${'x'.repeat(99)}🌦 and more`)).toBe(`${'x'.repeat(99)}…`);
    expect(toLabel(`${'x'.repeat(96)}👩\u200d👧 and more`)).toBe(`${'x'.repeat(96)}👩…`);
    expect(toLabel(`${'x'.repeat(97)}👩\u200d👧 and more`)).toBe(`${'x'.repeat(97)}👩…`);
  });
});
