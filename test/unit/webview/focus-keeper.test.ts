import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FocusKeeper } from '../../../webview/focus-keeper';

let root: HTMLElement;
let keeper: FocusKeeper;

/** A part of the panel that can have the keyboard, as the toolkit's elements do. */
function add(tag: string, className = ''): HTMLElement {
  const place = document.createElement('div');
  place.className = className;
  const element = document.createElement(tag);
  element.tabIndex = 0;
  place.append(element);
  root.append(place);
  return element;
}

async function change(draw: () => void): Promise<void> {
  keeper.willChange();
  draw();
  keeper.hasChanged();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

beforeEach(() => {
  root = document.createElement('div');
  document.body.replaceChildren(root);
  keeper = new FocusKeeper(root);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

describe('FocusKeeper', () => {
  it('goes to Stop when the button that began a run is disabled, and to the message when it ends', async () => {
    const run = add('vscode-button');
    const stop = add('vscode-button', 'stop');
    stop.setAttribute('disabled', '');
    const message = add('vscode-text-area', 'composer');
    run.focus();
    await change(() => {
      run.setAttribute('disabled', '');
      stop.removeAttribute('disabled');
    });
    expect(document.activeElement).toBe(stop);
    await change(() => stop.setAttribute('disabled', ''));
    expect(document.activeElement).toBe(message);
  });

  it('goes to the message when what had it is gone', async () => {
    const again = add('vscode-button');
    const message = add('vscode-text-area', 'composer');
    again.focus();
    await change(() => again.remove());
    expect(document.activeElement).toBe(message);
  });

  it('leaves it where it is usable, where another part took it, and where the panel does not have it', async () => {
    const field = add('input');
    const gone = add('vscode-button');
    add('vscode-text-area', 'composer');
    field.focus();
    await change(() => gone.remove());
    expect(document.activeElement).toBe(field);

    const next = add('vscode-button');
    next.focus();
    await change(() => {
      next.remove();
      field.focus();
    });
    expect(document.activeElement).toBe(field);

    const last = add('vscode-button');
    last.focus();
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    await change(() => last.remove());
    expect(document.activeElement).toBe(document.body);
  });
});
