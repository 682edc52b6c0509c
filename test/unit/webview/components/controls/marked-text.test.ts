import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { renderMarked } from '../../../../../webview/components/controls/marked-text';

function draw(text: string): HTMLElement {
  const place = document.createElement('div');
  render(renderMarked(text), place);
  return place;
}

const boxes = (place: HTMLElement): [string, string | null][] =>
  [...place.querySelectorAll('.mark-char')].map((box) => [box.textContent, box.getAttribute('title')]);

describe('renderMarked', () => {
  it('returns a text without hidden characters unchanged', () => {
    expect(renderMarked('<b>plain</b>')).toBe('<b>plain</b>');
    expect(renderMarked('')).toBe('');
    expect(renderMarked('\r\n❤️')).toBe('\r\n❤️');
  });

  it('shows a hidden character as a box with its code, and its name as the tooltip', () => {
    const place = draw('pay \u202e<b>evil\u202c now');
    expect(boxes(place)).toEqual([
      ['U+202E', 'U+202E, right-to-left override'],
      ['U+202C', 'U+202C, pop directional formatting'],
    ]);
    expect(place.textContent).toBe('pay U+202E<b>evilU+202C now');
  });

  it('renders a part of a text', () => {
    expect(renderMarked('\u202eabc\u202e', 1, 3)).toBe('ab');
    const place = document.createElement('div');
    render(renderMarked('a\u202e\u202eb', 2), place);
    expect(place.textContent).toBe('U+202Eb');
  });

  it('writes further hidden characters as text when there are too many boxes', () => {
    const place = draw('\u202e'.repeat(50_000));
    expect(boxes(place)).toHaveLength(2000);
    expect(place.textContent).not.toContain('\u202e');
    expect(place.textContent.endsWith('[U+202E]')).toBe(true);
  });
});
