// @vitest-environment happy-dom
// Uses the toolkit's real elements.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SelectBox } from '../../../webview/components/controls/select-box';
import { press } from './draw';
import { registerRealToolkit } from './real-toolkit';

let box: SelectBox;
let chosen: string[];

beforeAll(() => {
  registerRealToolkit();
  customElements.define('test-select-box', SelectBox);
});
beforeEach(async () => {
  chosen = [];
  box = Object.assign(new SelectBox(), {
    label: 'Connection',
    value: 'local',
    choices: ['local', 'server', 'hosted'].map((id) => ({ id, label: id })),
  });
  box.addEventListener('pg-change', (event) => chosen.push((event as CustomEvent<string>).detail));
  document.body.replaceChildren(box);
  await box.updateComplete;
  await expect.poll(() => dropdown().value).toBe('local');
});

const dropdown = (): HTMLElement & { value: string } => {
  const found = box.querySelector<HTMLElement & { value: string }>('vscode-dropdown');
  if (!found) throw new Error('no dropdown');
  return found;
};

describe('registerToolkit', () => {
  it('chooses an option by a typed letter, and by an arrow key', () => {
    press(dropdown(), 's');
    expect(chosen).toEqual(['server']);
    press(dropdown(), 'ArrowDown');
    expect(chosen).toEqual(['server', 'hosted']);
  });

  it.each(['ctrlKey', 'metaKey', 'altKey'])(
    'passes a key with %s on to the panel and the editor',
    (modifier) => {
      const keys: string[] = [];
      const noteKey = ({ key, defaultPrevented }: KeyboardEvent): void =>
        void keys.push(defaultPrevented ? `${key}, taken` : key);
      document.body.addEventListener('keydown', noteKey);
      for (const key of ['s', 'h', 'Enter']) press(dropdown(), key, { [modifier]: true });
      document.body.removeEventListener('keydown', noteKey);
      expect(chosen).toEqual([]);
      expect(dropdown().value).toBe('local');
      expect(keys).toEqual(['s', 'h', 'Enter']);
    },
  );
});
