import { describe, expect, test } from 'vitest';
import { mendTexts } from '../../../../../src/library/wire/request/well-formed';

const mend = (value: unknown) => {
  const places: string[] = [];
  return { mended: mendTexts(value, '', places), places };
};

describe('mendTexts', () => {
  test('replaces each lone surrogate by U+FFFD at any place, and lists the places', () => {
    const value = { a: ['x', '\ud83d!', { 'b\ude00': '\ude00\ud83d' }], whole: '😀', at: 1 };
    expect(mend(value)).toEqual({
      mended: { a: ['x', '\ufffd!', { 'b\ufffd': '\ufffd\ufffd' }], whole: '😀', at: 1 },
      places: ['a[1]', 'a[2].b\ude00', 'a[2].b\ude00'],
    });
  });

  test('returns the same object, and the same parts, where there is none', () => {
    const whole = { text: '😀', list: ['a', { b: null }] };
    expect(mend(whole).mended).toBe(whole);
    const { mended } = mend({ whole, half: '\ud83d' });
    expect((mended as { whole: unknown }).whole).toBe(whole);
  });

  test('keeps a cycle, which fails later when it is serialized', () => {
    const cycle: Record<string, unknown> = { text: '\ud83d' };
    cycle.self = cycle;
    expect(mend(cycle)).toMatchObject({ mended: { text: '\ufffd' }, places: ['text'] });
  });
});
