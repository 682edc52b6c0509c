import { readFileSync } from 'node:fs';
import { render } from 'lit';
import { describe, expect, test } from 'vitest';
import { textArea, textField } from '../../../../../webview/components/controls/controls';

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

describe.each([
  ['textArea', textArea],
  ['textField', textField],
])('%s', (_, control) => {
  /** Draws into the same place again. */
  function open(value: string) {
    const place = document.body.appendChild(document.createElement('div'));
    const show = (text: string): HTMLInputElement => {
      render(control({ label: 'Name', value: text, onInput: () => undefined }), place);
      return place.querySelector('.field > *') as HTMLInputElement;
    };
    return { show, box: show(value) };
  }

  test('keeps its box while a person types', () => {
    const { show, box } = open('a');
    box.value = 'ab';
    expect(show('ab')).toBe(box);
    expect(show('ab')).toBe(box);
  });

  test('takes a new box for a text that was not typed, as the old one would undo steps of another text', async () => {
    const { show, box } = open('a');
    box.tabIndex = 0;
    box.focus();
    const other = show('b');
    expect(other).not.toBe(box);
    expect(other.value).toBe('b');
    expect(box.isConnected).toBe(false);
    other.tabIndex = 0;
    await Promise.resolve();
    expect(document.activeElement).toBe(other);
  });

  test('does not take the focus with a new box', async () => {
    const { show } = open('a');
    const other = show('b');
    other.tabIndex = 0;
    await Promise.resolve();
    expect(document.activeElement).not.toBe(other);
  });
});
