import { describe, expect, it } from 'vitest';
import { isLetter, keepSelectAll, keepUndo } from '../../../../webview/text/text-keys';

/** Whether the editor still gets the key, pressed in a text box. */
function isPassed(keep: (event: KeyboardEvent) => void, keys: KeyboardEventInit): boolean {
  const box = document.createElement('textarea');
  const frame = document.createElement('div');
  frame.append(box);
  let isHeard = false;
  frame.addEventListener('keydown', () => {
    isHeard = true;
  });
  box.addEventListener('keydown', keep);
  box.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, composed: true, ...keys }));
  return isHeard;
}

describe('keys of a text box', () => {
  it.each<[string, (event: KeyboardEvent) => void, KeyboardEventInit]>([
    ['select all', keepSelectAll, { key: 'a', code: 'KeyA' }],
    ['select all on a French keyboard', keepSelectAll, { key: 'a', code: 'KeyQ' }],
    ['select all on a Greek keyboard', keepSelectAll, { key: 'α', code: 'KeyA' }],
    ['undo', keepUndo, { key: 'z', code: 'KeyZ' }],
    ['undo on a French keyboard', keepUndo, { key: 'z', code: 'KeyW' }],
    ['undo on a Russian keyboard', keepUndo, { key: 'я', code: 'KeyZ' }],
    ['redo', keepUndo, { key: 'Z', code: 'KeyZ', shiftKey: true }],
  ])('are kept from the editor: %s', (_title, keep, keys) => {
    expect(isPassed(keep, { ...keys, ctrlKey: true })).toBe(false);
  });

  it.each<[string, (event: KeyboardEvent) => void, KeyboardEventInit]>([
    ['quit on a French keyboard', keepSelectAll, { key: 'q', code: 'KeyA', ctrlKey: true }],
    ['close on a French keyboard', keepUndo, { key: 'w', code: 'KeyZ', ctrlKey: true }],
    ['a letter', keepUndo, { key: 'z', code: 'KeyZ' }],
    ['another shortcut with Alt', keepUndo, { key: 'z', code: 'KeyZ', ctrlKey: true, altKey: true }],
  ])('are left to the editor: %s', (_title, keep, keys) => {
    expect(isPassed(keep, keys)).toBe(true);
  });
});

describe('isLetter', () => {
  it('compares the letter of a key, or its position if the letter is not Latin', () => {
    const is = (init: KeyboardEventInit): boolean => isLetter(new KeyboardEvent('keydown', init), 'z');
    expect(is({ key: 'Z', code: 'KeyY' })).toBe(true);
    expect(is({ key: 'y', code: 'KeyZ' })).toBe(false);
    expect(is({ key: 'я', code: 'KeyZ' })).toBe(true);
  });
});
