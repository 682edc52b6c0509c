import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { cut, prose, renderCut } from '../../../../../webview/components/controls/prose';

function draw(text: string): HTMLElement {
  const place = document.createElement('div');
  render(prose(text), place);
  return place;
}

describe('prose', () => {
  it('renders text between backticks as code', () => {
    const place = draw('Start it with `ollama serve`, or `x`.');
    expect(place.textContent).toBe('Start it with ollama serve, or x.');
    expect([...place.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual([
      'ollama serve',
      'x',
    ]);
  });

  it('keeps an unpaired backtick', () => {
    expect(draw('a `b').textContent).toBe('a `b');
  });

  it('makes hidden characters visible in text and code', () => {
    const place = draw('a\u200b `b\u202e`');
    expect(place.textContent).toBe('aU+200B bU+202E');
    expect(place.querySelector('code .mark-char')?.textContent).toBe('U+202E');
    expect(draw('a\u200b `b').textContent).toBe('aU+200B `b');
  });

  it('never interprets markup', () => {
    expect(draw('`<i>` <b>x</b>').querySelector('b, i')).toBeNull();
  });
});

describe('cut', () => {
  it('splits no character', () => {
    expect(cut('a😀b', 2)).toBe('a…');
    expect(cut('a😀b', 4)).toBe('a😀b');
  });
});

describe('renderCut', () => {
  it('is empty for an empty text', () => {
    expect(renderCut('')).toBe('');
    expect(renderCut('abc', 2)).toBe('ab…');
  });
});
