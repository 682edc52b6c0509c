import { beforeAll, describe, expect, it } from 'vitest';
import { SelectBox } from '../../../../../webview/components/controls/select-box';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const choices = () => ['a', 'b', 'c'].map((id) => ({ id, label: id.toUpperCase() }));
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function draw(value = 'a') {
  const box = Object.assign(new SelectBox(), { label: 'Connection', value, choices: choices() });
  document.body.replaceChildren(box);
  await box.updateComplete;
  await nextTask();
  const dropdown = box.querySelector<HTMLElement & { value?: string }>('vscode-dropdown');
  if (!dropdown) throw new Error('no dropdown');
  return { box, dropdown };
}

describe('SelectBox', () => {
  it('shows the chosen option', async () => {
    const { dropdown } = await draw('b');
    expect(dropdown.value).toBe('b');
  });

  it('keeps what the arrow keys have reached when it is redrawn with the same options', async () => {
    const { box, dropdown } = await draw();
    dropdown.value = 'c';
    Object.assign(box, { choices: choices(), value: 'a', label: 'Connection' });
    await box.updateComplete;
    await nextTask();
    expect(dropdown.value).toBe('c');
  });

  it('shows a changed value', async () => {
    const { box, dropdown } = await draw();
    box.value = 'b';
    await box.updateComplete;
    await nextTask();
    expect(dropdown.value).toBe('b');
  });

  it('reports a choice, but not the current one', async () => {
    const { box, dropdown } = await draw();
    const chosen: string[] = [];
    box.addEventListener('pg-change', (event) => chosen.push((event as CustomEvent<string>).detail));
    for (const value of ['a', 'c']) {
      dropdown.value = value;
      dropdown.dispatchEvent(new Event('change', { bubbles: true }));
    }
    expect(chosen).toEqual(['c']);
  });
});
