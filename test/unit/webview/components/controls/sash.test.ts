import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sash } from '../../../../../webview/components/controls/sash';
import { registerOnce } from '../../register-once';

let sizes: (number | null)[];
let sash: Sash;

beforeAll(registerOnce);
beforeEach(async () => {
  const frame = document.createElement('div');
  const element = document.createElement('div');
  element.style.display = 'contents';
  const side = document.createElement('div');
  // happy-dom has no layout, so the two boxes whose sizes matter are given a size; the element between them has none.
  vi.spyOn(frame, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 800));
  vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 0, 0));
  vi.spyOn(side, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 300));
  sash = new Sash();
  sizes = [];
  sash.addEventListener('pg-resize', (event) => sizes.push((event as CustomEvent<number | null>).detail));
  side.append(sash);
  element.append(side);
  frame.append(element);
  document.body.replaceChildren(frame);
  await sash.updateComplete;
});

function press(key: string): void {
  sash.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
}

describe('Sash', () => {
  it('moves by 16 pixels, to its limits and back to the default', () => {
    for (const key of ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', 'a']) press(key);
    expect(sizes).toEqual([416, 384, 200, 720, null]);
  });

  it('exposes its value and range, and the new value when it moves', () => {
    const value = (name: string): string | null => sash.getAttribute(`aria-value${name}`);
    expect([value('now'), value('min'), value('max')]).toEqual(['400', '200', '720']);
    press('ArrowLeft');
    expect(value('now')).toBe('416');
  });

  it('is a focusable separator', () => {
    expect(sash.getAttribute('role')).toBe('separator');
    expect(sash.getAttribute('aria-orientation')).toBe('vertical');
    expect(sash.tabIndex).toBe(0);
  });
});
