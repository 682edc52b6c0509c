import { describe, expect, it } from 'vitest';
import { findOpenCode } from '../../../../../src/library/rescue/stream/open-code';

describe('findOpenCode', () => {
  it('finds backticks that nothing has closed and that stand before markup', () => {
    expect(findOpenCode('as in `<b>', 0)).toBe(6);
    expect(findOpenCode('`a` and `` ` {', 0)).toBe(8);
  });

  it('finds none where each is closed by as many', () => {
    expect(findOpenCode('`<a>` and ``<b> ` ``', 0)).toBe(-1);
  });

  it('finds none before a line or a paragraph that ends without markup', () => {
    expect(findOpenCode('it`s so\n<b>', 0)).toBe(-1);
    expect(findOpenCode('as in `<b>\n\nAnd so', 0)).toBe(-1);
  });

  it('begins where it is told to', () => {
    expect(findOpenCode('`<a> `<b>', 1)).toBe(5);
  });
});
