import { describe, expect, it } from 'vitest';
import { holdsDamage } from '../../../../../src/library/rescue/json/lost-quotes';
import { STYLES } from '../../../../../src/library/rescue/json/quotes';
import type { QuoteStyle } from '../../../../../src/library/rescue/json/quotes';

const DOUBLE = STYLES['"'] as QuoteStyle;

describe('holdsDamage', () => {
  it.each([
    ['a separator between two quotes', 'x", "y', false],
    ['the quote before the next key', 'x", unit: y', false],
    ['the quote before the next item', 'x, "y', true],
    ['a second quote at its end', 'x"', false],
    ['an object of the next call', 'x"}"|end|><|begin|>{"text": "y', false],
  ])('finds %s', (_, written, isList) => {
    expect(holdsDamage(written, DOUBLE, isList)).toBe(true);
  });

  it.each([
    ['quoted words', 'say "hi" to her', false],
    ['inches', 'a 5" pipe', false],
    ['a whole object', 'send {"text": "y"} now', false],
    ['an escaped quote before an object', String.raw`x\" then {"text": "y"}`, false],
    ['an object without a key in quotes', 'a 5" pipe {text: y}', false],
  ])('leaves %s', (_, written, isList) => {
    expect(holdsDamage(written, DOUBLE, isList)).toBe(false);
  });
});
