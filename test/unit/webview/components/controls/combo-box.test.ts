import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ComboBox } from '../../../../../webview/components/controls/combo-box';
import { registerOnce } from '../../register-once';

let box: ComboBox;
let chosen: string[];

beforeAll(registerOnce);
beforeEach(async () => {
  chosen = [];
  box = new ComboBox();
  Object.assign(box, { label: 'Model', value: 'first-look', options: ['first-look', 'native-call', 'slow'] });
  box.addEventListener('pg-change', (event) => chosen.push((event as CustomEvent<string>).detail));
  document.body.replaceChildren(box);
  await box.updateComplete;
});

function input(): HTMLInputElement {
  const found = box.querySelector('input');
  if (!found) throw new Error('no input');
  return found;
}
async function press(key: string, init: KeyboardEventInit = {}): Promise<Event> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  input().dispatchEvent(event);
  await box.updateComplete;
  return event;
}
function options(): string[] {
  return [...box.querySelectorAll('[role=option]')].map(({ textContent }) => textContent.trim());
}

describe('ComboBox', () => {
  it('shows the whole list on a click, whatever text it contains', async () => {
    expect(options()).toEqual([]);
    input().click();
    await box.updateComplete;
    expect(options()).toEqual(['first-look', 'native-call', 'slow']);
    expect(input().getAttribute('aria-expanded')).toBe('true');
  });

  it('says how many options a long list leaves out, until a part of the name is typed', async () => {
    box.options = Array.from({ length: 1250 }, (_, index) => `model-${index}`);
    input().click();
    await box.updateComplete;
    const all = options();
    expect(all).toHaveLength(201);
    expect(all.at(-1)).toMatch(/^1\D?050 more: type a part of the name$/);
    const rest = [...box.querySelectorAll<HTMLElement>('[role=option]')].at(-1);
    expect(rest?.getAttribute('aria-disabled')).toBe('true');
    rest?.click();
    expect(chosen).toEqual([]);
    input().value = 'model-124';
    input().dispatchEvent(new Event('input', { bubbles: true }));
    await box.updateComplete;
    expect(options()).toHaveLength(11);
  });

  it('marks the option that equals the value', async () => {
    Object.assign(box, { value: 'slow', options: ['first-look', 'slow:latest'], current: 'slow:latest' });
    input().click();
    await box.updateComplete;
    const chosenOption = box.querySelector('[aria-selected=true]');
    expect(chosenOption?.textContent.trim()).toBe('slow:latest');
    expect(input().value).toBe('slow');
  });

  it('uses the typed text as the value, and filters the list', async () => {
    input().value = 'call';
    input().dispatchEvent(new Event('input', { bubbles: true }));
    await box.updateComplete;
    expect(chosen).toEqual(['call']);
    expect(options()).toEqual(['native-call']);
  });

  it('chooses with keys, and names the active option', async () => {
    await press('ArrowDown');
    await press('ArrowDown');
    const active = input().getAttribute('aria-activedescendant');
    expect(box.querySelector(`[id="${active}"]`)?.textContent.trim()).toBe('native-call');
    await press('Enter');
    expect(chosen).toEqual(['native-call']);
    expect(options()).toEqual([]);
  });

  it('leaves its keys to an input method that is open', async () => {
    await press('ArrowDown');
    for (const key of ['ArrowDown', 'Enter', 'Escape']) {
      const event = await press(key, { isComposing: true });
      expect(event.defaultPrevented).toBe(false);
    }
    expect(options()).toHaveLength(3);
    expect(chosen).toEqual([]);
  });

  it('closes on Escape, which then does not stop a run', async () => {
    let isPassedOn = false;
    const noteKey = (): void => {
      isPassedOn = true;
    };
    document.body.addEventListener('keydown', noteKey);
    await press('ArrowDown');
    isPassedOn = false;
    await press('Escape');
    expect(options()).toEqual([]);
    expect(isPassedOn).toBe(false);
    await press('Escape');
    expect(isPassedOn).toBe(true);
    document.body.removeEventListener('keydown', noteKey);
  });
});
