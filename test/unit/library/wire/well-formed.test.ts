import { describe, expect, test } from 'vitest';
import { mendTexts } from '../../../../src/library/wire/well-formed';

const mend = (value: unknown) => {
  const places: string[] = [];
  return { mended: mendTexts(value, '', places), places };
};

describe('mendTexts', () => {
  test('puts U+FFFD in place of each half, wherever the text stands, and names the places', () => {
    const value = { a: ['x', '\ud83d!', { 'b\ude00': '\ude00\ud83d' }], whole: '😀', at: 1 };
    expect(mend(value)).toEqual({
      mended: { a: ['x', '\ufffd!', { 'b\ufffd': '\ufffd\ufffd' }], whole: '😀', at: 1 },
      places: ['a[1]', 'a[2].b\ude00', 'a[2].b\ude00'],
    });
  });

  test('keeps a value without one as the same object, and every part without one', () => {
    const whole = { text: '😀', list: ['a', { b: null }] };
    expect(mend(whole).mended).toBe(whole);
    const { mended } = mend({ whole, half: '\ud83d' });
    expect((mended as { whole: unknown }).whole).toBe(whole);
  });

  test('leaves a cycle to whoever writes it', () => {
    const cycle: Record<string, unknown> = { text: '\ud83d' };
    cycle.self = cycle;
    expect(mend(cycle)).toMatchObject({ mended: { text: '\ufffd' }, places: ['text'] });
  });
});
