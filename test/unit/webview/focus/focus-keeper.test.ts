import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FocusKeeper } from '../../../../webview/focus/focus-keeper';
import { nextFrames } from '../draw';

let root: HTMLElement;

/** Adds a focusable element like those of the toolkit. */
function add(tag: string, className = '', parent: HTMLElement = root): HTMLElement {
  const place = document.createElement('div');
  place.className = className;
  const element = document.createElement(tag);
  element.tabIndex = 0;
  place.append(element);
  parent.append(place);
  return element;
}

async function change(draw: () => void): Promise<void> {
  draw();
  await nextFrames(4);
}

beforeEach(() => {
  root = document.createElement('div');
  document.body.replaceChildren(root);
  const keeper = new FocusKeeper(root);
  keeper.connect();
  onTestFinished(() => keeper.disconnect());
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

describe('FocusKeeper', () => {
  it('moves the focus to Stop when the button that started a run is disabled, and to the message when the run ends', async () => {
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

  it('moves the focus to Run when a run ends in a view without a message', async () => {
    const run = add('vscode-button', 'run');
    const stop = add('vscode-button', 'stop');
    stop.focus();
    await change(() => stop.setAttribute('disabled', ''));
    expect(document.activeElement).toBe(run);
  });

  it.each([
    ['on Stop while the lane runs', 'Stop lane'],
    ['on Run when the run has ended meanwhile', 'Run lane'],
  ])('keeps the focus in its lane, %s', async (_when, name) => {
    const lane = document.createElement('section');
    lane.className = 'lane';
    root.append(lane);
    const again = add('vscode-button', '', lane);
    const button = add('button', '', lane);
    button.setAttribute('aria-label', name);
    add('vscode-button', 'stop');
    add('vscode-text-area', 'composer');
    again.focus();
    await change(() => again.remove());
    expect(document.activeElement).toBe(button);
  });

  it('moves the focus to the message when the focused element was removed', async () => {
    const again = add('vscode-button');
    const message = add('vscode-text-area', 'composer');
    again.focus();
    await change(() => again.remove());
    expect(document.activeElement).toBe(message);
  });

  it('does not move a usable focus, one that another part has moved, or one outside of the panel', async () => {
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
