// The keys and commands that undo changes of the playground, as the whole panel handles them.
import { html } from 'lit';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Drawn } from '../draw';
import { drawPart, press } from '../draw';
import { registerOnce } from '../register-once';

beforeAll(registerOnce);

const open = (kind: 'file' | 'scratch'): Promise<Drawn> =>
  drawPart((playground) => html`<pg-app .playground=${playground}></pg-app>`, { document: { kind } });
const mainOf = ({ host }: Drawn): HTMLElement => host.querySelector('main') as HTMLElement;

/** Adds an element of the page that can have the focus. */
function addTo(parent: HTMLElement, markup: string): HTMLElement {
  const around = document.createElement('div');
  around.innerHTML = markup;
  parent.append(around);
  onTestFinished(() => around.remove());
  return around.firstElementChild as HTMLElement;
}

/** Presses a key. @returns the requests that follow, and whether anyone else has handled the key */
async function pressIn(drawn: Drawn, target: HTMLElement, key: string, init: KeyboardEventInit) {
  const onKeydown = vi.fn();
  window.addEventListener('keydown', onKeydown);
  const { defaultPrevented } = press(target, key, init);
  window.removeEventListener('keydown', onKeydown);
  await drawn.settle();
  const isPassed = onKeydown.mock.calls.length > 0;
  return { ...sentBy(drawn), isPassed, isPrevented: defaultPrevented };
}
const sentBy = ({ sent }: Drawn) => ({
  undo: sent('document/undo').length,
  redo: sent('document/redo').length,
});

const UNDO = { undo: 1, redo: 0, isPassed: false, isPrevented: true };
const REDO = { undo: 0, redo: 1, isPassed: false, isPrevented: true };
const NOTHING = { undo: 0, redo: 0, isPassed: true, isPrevented: false };

describe('the keys of undo and redo', () => {
  describe.each([
    ['Ctrl+Z', 'z', { ctrlKey: true }, UNDO, UNDO],
    ['Cmd+Z', 'z', { metaKey: true }, UNDO, UNDO],
    ['Ctrl+Z on a Russian keyboard', 'я', { ctrlKey: true, code: 'KeyZ' }, UNDO, UNDO],
    ['Ctrl+Y', 'y', { ctrlKey: true }, REDO, NOTHING],
    ['Ctrl+Shift+Z', 'Z', { ctrlKey: true, shiftKey: true }, REDO, NOTHING],
    ['Cmd+Shift+Z', 'Z', { metaKey: true, shiftKey: true }, REDO, NOTHING],
    ['Z', 'z', {}, NOTHING, NOTHING],
    ['Ctrl+Alt+Z', 'z', { ctrlKey: true, altKey: true }, NOTHING, NOTHING],
    ['Ctrl+Shift+Y', 'Y', { ctrlKey: true, shiftKey: true }, NOTHING, NOTHING],
    ['Ctrl+Z while a character is composed', 'z', { ctrlKey: true, isComposing: true }, NOTHING, NOTHING],
  ] as const)('%s, in a scratch and in a file, where the editor redoes', (_, key, init, scratch, file) => {
    it.each([
      ['scratch', scratch],
      ['file', file],
    ] as const)('%s', async (kind, expected) => {
      const drawn = await open(kind);
      expect(await pressIn(drawn, mainOf(drawn), key, init)).toEqual(expected);
    });
  });

  it.each([
    ['a text area', '<textarea></textarea>', NOTHING],
    ['a text box', '<input>', NOTHING],
    ['a text area that cannot be changed', '<textarea readonly></textarea>', UNDO],
    ['a checkbox', '<input type="checkbox">', UNDO],
    ['a button', '<button></button>', UNDO],
  ])('in %s of a scratch that was changed', async (_, markup, expected) => {
    const drawn = await open('scratch');
    const target = addTo(mainOf(drawn), markup);
    target.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    expect(await pressIn(drawn, target, 'z', { ctrlKey: true })).toEqual(expected);
  });

  it('undo a change of a scratch in a text box in which nothing was typed', async () => {
    const drawn = await open('scratch');
    const target = addTo(mainOf(drawn), '<textarea></textarea>');
    expect(await pressIn(drawn, target, 'z', { ctrlKey: true })).toEqual(UNDO);
  });

  it('undo the changes of a file in a text box, too', async () => {
    const drawn = await open('file');
    const target = addTo(mainOf(drawn), '<textarea></textarea>');
    expect(await pressIn(drawn, target, 'z', { ctrlKey: true })).toEqual(UNDO);
  });
});

describe('the editor’s commands Undo and Redo', () => {
  const ofBrowser = vi.fn((_name: string) => true);

  beforeAll(() => {
    const prototype = Object.getPrototypeOf(document) as Document;
    Object.assign(prototype, { execCommand: ofBrowser });
    return () => void Reflect.deleteProperty(prototype, 'execCommand');
  });

  /** What the editor does in the page for one of its commands. @returns what the browser gets, and what is requested */
  async function run(drawn: Drawn, ...names: string[]) {
    ofBrowser.mockClear();
    for (const name of names) document.execCommand(name);
    await drawn.settle();
    return { ...sentBy(drawn), browser: ofBrowser.mock.calls.map(([name]) => name) };
  }

  it('undo and redo a change of a scratch; other commands are the browser’s', async () => {
    const drawn = await open('scratch');
    expect(await run(drawn, 'undo', 'redo', 'copy')).toEqual({ undo: 1, redo: 1, browser: ['copy'] });
  });

  it('are the browser’s in a text box in which something was typed', async () => {
    const drawn = await open('scratch');
    const box = addTo(mainOf(drawn), '<textarea></textarea>');
    box.focus();
    box.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    expect(await run(drawn, 'undo', 'redo')).toEqual({ undo: 0, redo: 0, browser: ['undo', 'redo'] });
  });

  it('are the browser’s in a text box inside of a component', async () => {
    const drawn = await open('scratch');
    const component = addTo(mainOf(drawn), '<section></section>');
    const root = component.attachShadow({ mode: 'open' });
    root.innerHTML = '<input>';
    const box = root.querySelector('input');
    box?.focus();
    box?.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    expect(await run(drawn, 'undo')).toEqual({ undo: 0, redo: 0, browser: ['undo'] });
  });

  it('are the browser’s once the panel is gone', async () => {
    const drawn = await open('scratch');
    drawn.host.querySelector('pg-app')?.remove();
    expect(await run(drawn, 'undo')).toEqual({ undo: 0, redo: 0, browser: ['undo'] });
  });
});
