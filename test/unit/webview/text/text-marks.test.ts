import { describe, expect, it } from 'vitest';
import { decidedEnd, markText, spellMarks } from '../../../../webview/text/text-marks';
import { fc } from '../../../support/arbitrary/properties';

const codes = (text: string): string[] =>
  markText(text).flatMap((part) => (typeof part === 'string' ? [] : [part.code]));
const nameOf = (character: string): string | undefined =>
  markText(character).flatMap((part) => (typeof part === 'string' ? [] : [part.name]))[0];

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const HIDDEN = [
  range(0, 8),
  range(0xb, 0x1f),
  range(0x7f, 0x9f),
  [0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0x1d173],
  range(0x200b, 0x200f),
  range(0x2028, 0x202e),
  range(0x2060, 0x206f),
  [0xd800, 0xdbff, 0xdc00, 0xdfff],
  range(0xe0000, 0xe007f),
].flat();
const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';

const AROUND = '\ufe0f \ufe00 \u{e0100} \u180b \n \r\n \t a 😀 👩🏽 ی क'.split(' ');
/** Texts of hidden characters, characters that may be hidden, and possible neighbours. */
const anyMarkedText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...HIDDEN.map((code) => String.fromCodePoint(code))),
    fc.constantFrom(' ', ENGLAND, ...AROUND),
    fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
  ),
  maxLength: 40,
});

describe('markText', () => {
  it('returns a text without hidden characters unchanged', () => {
    expect(markText('')).toEqual(['']);
    expect(markText('Grüße,\n\t漢字 😀 שלום مرحبا <b>')).toEqual(['Grüße,\n\t漢字 😀 שלום مرحبا <b>']);
  });

  it('describes a hidden character at its position', () => {
    expect(markText('pay \u202eevil\u202c now')).toEqual([
      'pay ',
      { character: '\u202e', code: 'U+202E', name: 'right-to-left override' },
      'evil',
      { character: '\u202c', code: 'U+202C', name: 'pop directional formatting' },
      ' now',
    ]);
  });

  it.each(HIDDEN)('marks the code point %i between letters', (point) => {
    const character = String.fromCodePoint(point);
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    expect(codes(`a${character}b`)).toEqual([code]);
  });

  it.each(['\n', '\t', '\r\n', 'a\u00a0b', 'cafe\u0301', '"\\'])('marks nothing in %j', (text) => {
    expect(codes(text)).toEqual([]);
  });

  it.each(['👨‍👩‍👧', '👩🏽‍🦰', '🏳️‍🌈', '❤️', '1️⃣', ENGLAND])('marks nothing within the emoji %s', (emoji) => {
    expect(codes(`${emoji}${emoji}`)).toEqual([]);
  });

  it.each(['می‌خواهم', 'क्‍ष', 'ശ്രീമാന്‍മാർ', 'ᠠ᠋'])('marks nothing in the spelling of %s', (word) => {
    expect(codes(word)).toEqual([]);
  });

  it('marks a joiner that joins nothing', () => {
    expect(codes('user\u200dname')).toEqual(['U+200D']);
    expect(codes('😀\u200da')).toEqual(['U+200D']);
    expect(codes('😀\u200d\u200d😀')).toEqual(['U+200D', 'U+200D']);
    expect(codes('می\u200c ')).toEqual(['U+200C']);
  });

  it('marks a variation selector only if there is nothing to vary', () => {
    expect(codes('a\ufe0f\ufe0f\u{e0100}')).toEqual(['U+FE0F', 'U+E0100']);
    expect(codes('\ufe0f')).toEqual(['U+FE0F']);
    expect(codes(' \ufe01')).toEqual(['U+FE01']);
    expect(codes('\u200b\ufe01')).toEqual(['U+200B', 'U+FE01']);
  });

  it('marks tags after a flag that name no region', () => {
    expect(codes('🏴\u{e0068}\u{e0069}\u{e007f}')).toEqual(['U+E0068', 'U+E0069', 'U+E007F']);
  });

  it('names a tag by its letter, and unnamed characters by their kind', () => {
    expect(nameOf('\u{e0041}')).toBe('tag A');
    expect(nameOf('\u{e0000}')).toBe('tag');
    expect(nameOf('\u0001')).toBe('control character');
    expect(nameOf('\u2062')).toBe('invisible character');
    expect(nameOf('\ud83d')).toBe('first half of a surrogate pair');
    expect(nameOf('\ude00')).toBe('second half of a surrogate pair');
    expect(nameOf('\u3164')).toBe('invisible character');
    expect(nameOf('\u180b')).toBe('variation selector');
    expect(nameOf('\ufe00')).toBe('variation selector');
    expect(nameOf('\u{e01ef}')).toBe('variation selector');
  });

  it('returns parts that together are the text', () => {
    fc.assert(
      fc.property(anyMarkedText, (text) => {
        const parts = markText(text);
        expect(parts.map((part) => (typeof part === 'string' ? part : part.character)).join('')).toBe(text);
      }),
    );
  });

  it('leaves no control character, and none that changes the direction of text', () => {
    fc.assert(
      fc.property(anyMarkedText, (text) => {
        const kept = markText(text).filter((part) => typeof part === 'string');
        expect(kept.join('').replace(/[\n\t]|\r\n/g, '')).not.toMatch(
          /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f]/u,
        );
      }),
    );
  });

  it('takes linear time for a text of hidden characters only', () => {
    const length = 100_000;
    expect(markText('\u202e'.repeat(length))).toHaveLength(length);
    expect(codes('\u{e0067}'.repeat(length))).toHaveLength(length);
    expect(codes('\u{1f3f4}\u{e0067}'.repeat(length))).toHaveLength(length);
  });
});

describe('markText of a part', () => {
  const of = (text: string, start: number, end: number): string[] =>
    markText(text, start, end).map((part) => (typeof part === 'string' ? part : part.code));

  it('marks that part only, but considers its neighbours', () => {
    expect(of('\u200ba\u200bc\u200b', 1, 4)).toEqual(['a', 'U+200B', 'c']);
    expect(of('👩\u200d👧', 2, 3)).toEqual(['\u200d']);
    expect(of('a\r\n', 0, 2)).toEqual(['a\r']);
    expect(of('a\ufe0f', 1, 2)).toEqual(['\ufe0f']);
  });
});

describe('decidedEnd', () => {
  it.each([
    ['', 0],
    ['abc\u202e', 4],
    ['a\r', 1],
    ['👩\u200d', 2],
    ['می\u200c', 2],
    ['a\ud83d', 1],
    ['👩\u200d\ud83d', 2],
    ['🏴\u{e0067}\u{e0062}\udb40', 2],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\udb40', 2],
    [ENGLAND, ENGLAND.length],
  ])('of %j is %i', (text, end) => {
    expect(decidedEnd(text)).toBe(end);
  });

  it('is an offset before which no mark changes, whatever text follows', () => {
    const marksOf = (text: string, end: number) =>
      markText(text, 0, end).flatMap((part) => (typeof part === 'string' ? [] : [part.code]));
    fc.assert(
      fc.property(anyMarkedText, fc.nat(80), (text, length) => {
        const begun = text.slice(0, length);
        const end = decidedEnd(begun);
        expect(marksOf(begun, end)).toEqual(marksOf(text, end));
      }),
    );
  });
});

describe('spellMarks', () => {
  it('writes the code of each hidden character', () => {
    expect(spellMarks('get\u200b_weather')).toBe('get[U+200B]_weather');
    expect(spellMarks('get_weather')).toBe('get_weather');
  });
});
