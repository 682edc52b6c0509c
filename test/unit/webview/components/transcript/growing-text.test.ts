import { beforeAll, describe, expect, it } from 'vitest';
import { GrowingText } from '../../../../../webview/components/transcript/growing-text';
import { toCharacterStart } from '../../../../../webview/text/format';
import { fc } from '../../../../support/arbitrary/properties';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

describe('GrowingText', () => {
  it('appends new text, and does not touch earlier blocks', () => {
    const element = new GrowingText();
    const first = 'a line\n'.repeat(500);
    element.show(first, 0);
    const blocks = [...element.children];
    expect(blocks.length).toBeGreaterThan(1);
    element.show(`${first}more`, 0);
    expect(element.textContent).toBe(`${first}more`);
    expect([...element.children].slice(0, blocks.length)).toEqual(blocks);
  });

  it('drops text that has left the window at its beginning', () => {
    const element = new GrowingText();
    const all = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join('');
    for (let end = 20_000; end <= all.length; end += 500) {
      element.show(all.slice(end - 20_000, end), end - 20_000);
      expect(element.textContent).toBe(all.slice(end - 20_000, end));
    }
    expect(element.children.length).toBeLessThan(20);
  });

  it('starts again for another text, as after a failed attempt', () => {
    const element = new GrowingText();
    element.show('It is cold.', 0);
    element.show('It', 0);
    expect(element.textContent).toBe('It');
    element.show('Warm', 0);
    expect(element.textContent).toBe('Warm');
    element.show('later', 900);
    expect(element.textContent).toBe('later');
  });

  it('shows any window of any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '🙂', '\u202e'), maxLength: 60 });
    const windows = fc.array(fc.tuple(text, fc.nat(80), fc.nat(80)), { maxLength: 12 });
    fc.assert(
      fc.property(windows, (shown) => {
        const element = new GrowingText();
        for (const [all, one, other] of shown) {
          const [start, end] = [one, other].toSorted((a, b) => a - b).map((at) => toCharacterStart(all, at));
          const part = all.slice(start, end);
          element.show(part, Math.min(start ?? 0, all.length));
          expect(element.textContent).toBe(part.replaceAll('\u202e', 'U+202E'));
        }
      }),
    );
  });

  it('renders growing text like text that arrived at once', () => {
    const unit = fc.constantFrom(
      'a',
      '\r',
      '\n',
      '🙂',
      '👩',
      '\u200d',
      '\ufe0f',
      '🏴',
      '\u{e0067}',
      'ی',
      '\u202e',
    );
    const text = fc.oneof(
      fc.string({ unit, maxLength: 40 }),
      fc.constantFrom('🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 👩🏽‍🦰 می‌خواهم\r\n\ud83d'),
    );
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 4 })), (all, steps) => {
        const [element, atOnce] = [new GrowingText(), new GrowingText()];
        let end = 0;
        for (const step of steps) {
          element.show(all.slice(0, end), 0);
          end += step;
        }
        element.show(all, 0);
        atOnce.show(all, 0);
        expect(element.innerHTML).toBe(atOnce.innerHTML);
      }),
    );
  });

  it('waits for the second half of a character, and appends to existing nodes', () => {
    const element = new GrowingText();
    element.show('pay \u202ea\ud83d', 0);
    expect(element.textContent).toBe('pay U+202Ea');
    const nodes = [...(element.firstChild?.childNodes ?? [])];
    element.show('pay \u202ea😀', 0);
    expect(element.textContent).toBe('pay U+202Ea😀');
    expect([...(element.firstChild?.childNodes ?? [])]).toEqual(nodes);
    element.show('pay \u202ea😀\ud83d!', 0);
    expect(element.textContent).toBe('pay U+202Ea😀U+D83D!');
    expect(element.querySelector('.mark-char')?.getAttribute('title')).toBe('U+202E, right-to-left override');
  });

  it('drops boxes of hidden characters, too', () => {
    const element = new GrowingText();
    element.show('a\u{e0001}\u202ebc', 0);
    element.show('\u202ebcd', 3);
    expect(element.textContent).toBe('U+202Ebcd');
    element.show('cde', 5);
    expect(element.textContent).toBe('cde');
    expect(element.querySelector('.mark-char')).toBeNull();
  });

  it('splits no character between blocks', () => {
    const element = new GrowingText();
    element.show(`${'x'.repeat(5999)}😀😀`, 0);
    expect([...element.children].map(({ textContent }) => textContent.length)).toEqual([6001, 2]);
    element.show('x'.repeat(5999), 0);
    element.show(`${'x'.repeat(5999)}😀😀`, 0);
    expect(element.textContent).toBe(`${'x'.repeat(5999)}😀😀`);
  });

  it('splits a line without an end into blocks', () => {
    const element = new GrowingText();
    for (let length = 1000; length <= 20_000; length += 1000) element.show('x'.repeat(length), 0);
    expect(element.textContent).toBe('x'.repeat(20_000));
    expect(element.children.length).toBeGreaterThan(2);
  });
});
