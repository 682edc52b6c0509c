import { beforeAll, describe, expect, it } from 'vitest';
import { MenuButton } from '../../../../../webview/components/controls/menu-button';
import { hiddenIn, press } from '../../draw';
import { HIDDEN } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

async function draw() {
  const done: string[] = [];
  const item = (label: string, isDisabled = false) => ({
    label,
    isDisabled,
    onSelect: () => void done.push(label),
  });
  const menu = Object.assign(new MenuButton(), {
    label: 'More actions',
    groups: () => [
      { items: [item('Run agent'), item('Move left', true)] },
      { heading: 'Nothing', items: [] },
      { heading: 'Compare with', items: [item('rescue off')] },
    ],
  });
  document.body.replaceChildren(menu);
  await menu.updateComplete;
  const button = menu.querySelector('button');
  if (!button) throw new Error('no button');
  const items = (): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const open = async (): Promise<void> => {
    button.click();
    await menu.updateComplete;
  };
  const pressed = async (key: string): Promise<KeyboardEvent> => {
    const event = press(document.activeElement ?? menu, key);
    await menu.updateComplete;
    return event;
  };
  return { menu, button, items, open, pressed, done };
}

describe('MenuButton', () => {
  it('makes hidden characters visible in what it names', async () => {
    const { menu, open } = await draw();
    const items = [{ label: HIDDEN, onSelect: () => undefined }];
    Object.assign(menu, { groups: () => [{ heading: HIDDEN, items }] });
    await open();
    expect(hiddenIn(menu)).toEqual([]);
    expect(menu.querySelector('[role=group]')?.getAttribute('aria-label')).toBe('ab[U+202E]cd[U+200B]ef');
  });

  it('opens with the focus on its first action, and leaves out empty groups', async () => {
    const { button, items, open, menu } = await draw();
    expect(button.getAttribute('aria-haspopup')).toBe('menu');
    await open();
    expect(items().map(({ textContent }) => textContent.trim())).toEqual([
      'Run agent',
      'Move left',
      'rescue off',
    ]);
    expect(document.activeElement).toBe(items()[0]);
    expect(menu.querySelectorAll('[role=group]')).toHaveLength(2);
  });

  it('moves with arrow keys, from the end to the beginning, too', async () => {
    const { items, open, pressed } = await draw();
    await open();
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['End', 2],
      ['ArrowDown', 0],
      ['ArrowUp', 2],
      ['Home', 0],
    ] as const) {
      await pressed(key);
      expect(document.activeElement).toBe(items()[index]);
    }
  });

  it('closes on Escape without passing the key on, and restores the focus', async () => {
    const { button, items, open, pressed } = await draw();
    await open();
    let isPassedOn = false;
    const noteKey = (): void => {
      isPassedOn = true;
    };
    document.body.addEventListener('keydown', noteKey, { once: true });
    await pressed('Escape');
    expect(items()).toEqual([]);
    expect(isPassedOn).toBe(false);
    expect(document.activeElement).toBe(button);
  });

  it('runs an action and closes; a disabled one does nothing', async () => {
    const { items, open, done, menu } = await draw();
    await open();
    items()[1]?.click();
    items()[2]?.click();
    await menu.updateComplete;
    expect(done).toEqual(['rescue off']);
    expect(items()).toEqual([]);
  });

  it('opens with the arrow key', async () => {
    const { button, items, pressed } = await draw();
    button.focus();
    await pressed('ArrowDown');
    expect(items()).toHaveLength(3);
  });
});
