import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { prose } from '../../../../webview/components/prose';

function draw(text: string): HTMLElement {
  const place = document.createElement('div');
  render(prose(text), place);
  return place;
}

describe('prose', () => {
  it('sets as code what stands between backticks', () => {
    const place = draw('Start it with `ollama serve`, or `x`.');
    expect(place.textContent).toBe('Start it with ollama serve, or x.');
    expect([...place.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual([
      'ollama serve',
      'x',
    ]);
  });

  it('leaves an unpaired backtick alone', () => {
    expect(draw('a `b').textContent).toBe('a `b');
  });

  it('never reads markup', () => {
    expect(draw('`<i>` <b>x</b>').querySelector('b, i')).toBeNull();
  });
});
