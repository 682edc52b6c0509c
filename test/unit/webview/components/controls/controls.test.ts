import { readFileSync } from 'node:fs';
import { render } from 'lit';
import { describe, expect, test } from 'vitest';
import { textArea } from '../../../../../webview/components/controls/controls';

function draw(value: string): Element | null {
  const place = document.createElement('div');
  render(textArea({ label: 'Message', value, onInput: () => undefined, className: 'grow' }), place);
  return place.querySelector('.field.grow');
}

describe('textArea', () => {
  test.each([
    ['a long text in short lines', `${'word '.repeat(20)}\n`.repeat(10_000), false],
    ['one short line', 'word', false],
    ['a long line', 'x'.repeat(300_000), true],
    ['a long line between short ones', `a\n${'word '.repeat(50_000)}\nb`, true],
  ])('finds the direction of each line only while that is quick: %s', (_, value, isLong) => {
    expect(draw(value)?.classList.contains('is-long')).toBe(isLong);
    const css = readFileSync('webview/styles/toolkit.css', 'utf8');
    expect(css).toMatch(/\.is-long vscode-text-area::part\(control\) \{\s+unicode-bidi: normal;/);
  });
});
