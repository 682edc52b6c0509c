import { beforeEach, describe, expect, it } from 'vitest';
import { focusOnceDone, focusSoon } from '../../../webview/focus';
import { nextFrames } from './draw';

const add = (): HTMLButtonElement => {
  const button = document.createElement('button');
  document.body.append(button);
  return button;
};

beforeEach(() => document.body.replaceChildren());

describe('focusSoon', () => {
  it('waits until it is drawn', async () => {
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

describe('focusOnceDone', () => {
  it('goes there once the host has answered, also from a button that is gone by then', async () => {
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

  it.each(['keydown', 'pointerdown'])('leaves a person alone who went on meanwhile, by %s', async (event) => {
    const [pressed, menu, wanted] = [add(), add(), add()];
    pressed.focus();
    const goTo = focusOnceDone();
    menu.dispatchEvent(new Event(event, { bubbles: true }));
    menu.focus();
    goTo(() => wanted);
    await nextFrames();
    expect(document.activeElement).toBe(menu);
  });
});
