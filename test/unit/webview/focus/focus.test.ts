import { beforeEach, describe, expect, it } from 'vitest';
import { focusBackOnceDone, focusOnceDone, focusSoon } from '../../../../webview/focus/focus';
import { nextFrames } from '../draw';

const add = (): HTMLButtonElement => {
  const button = document.createElement('button');
  document.body.append(button);
  return button;
};

beforeEach(() => document.body.replaceChildren());

describe('focusSoon', () => {
  it('waits until the element is drawn', async () => {
    const pressed = add();
    pressed.focus();
    let drawn: HTMLElement | undefined;
    focusSoon(() => drawn);
    await nextFrames();
    expect(document.activeElement).toBe(pressed);
    drawn = add();
    await nextFrames();
    expect(document.activeElement).toBe(drawn);
  });
});

describe('focusBackOnceDone', () => {
  const box = (): HTMLElement => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<div class="composer"><vscode-text-area tabindex="0"></div>',
    );
    return document.querySelector<HTMLElement>('.composer vscode-text-area') ?? document.body;
  };

  it('returns to the button that was pressed', async () => {
    const pressed = add();
    box();
    pressed.focus();
    const goBack = focusBackOnceDone();
    pressed.blur();
    goBack();
    await nextFrames();
    expect(document.activeElement).toBe(pressed);
  });

  it('goes to the message box when that button is gone', async () => {
    const pressed = add();
    const message = box();
    pressed.focus();
    const goBack = focusBackOnceDone();
    pressed.remove();
    goBack();
    await nextFrames();
    expect(document.activeElement).toBe(message);
  });
});

describe('focusOnceDone', () => {
  it('focuses the element after the host has answered, even if the pressed button was removed', async () => {
    const [pressed, wanted] = [add(), add()];
    pressed.focus();
    const goTo = focusOnceDone();
    await nextFrames();
    expect(document.activeElement).toBe(pressed);
    pressed.remove();
    goTo(() => wanted);
    await nextFrames();
    expect(document.activeElement).toBe(wanted);
  });

  it.each(['keydown', 'pointerdown'])(
    'does not move the focus if the user continued elsewhere with %s',
    async (event) => {
      const [pressed, menu, wanted] = [add(), add(), add()];
      pressed.focus();
      const goTo = focusOnceDone();
      menu.dispatchEvent(new Event(event, { bubbles: true }));
      menu.focus();
      goTo(() => wanted);
      await nextFrames();
      expect(document.activeElement).toBe(menu);
    },
  );
});
