// The connection of a page to the host: what it saves, so that the editor can restore it.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectHost } from '../../../webview/host-client';

/** @param scratch Id in the page. */
function connect(stored: unknown, scratch?: string) {
  let state = stored;
  vi.stubGlobal('acquireVsCodeApi', () => ({
    postMessage: () => undefined,
    getState: () => state,
    setState: (next: unknown) => (state = next),
  }));
  document.head.innerHTML = scratch === undefined ? '' : `<meta name="scratch" content="${scratch}">`;
  const { loadState, saveState } = connectHost(() => ({ receive: () => undefined }));
  return { loadState, saveState, state: () => state };
}

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = '';
});

describe('connectHost', () => {
  it('saves the id of the page at once, so that a page in which nothing was changed is found again', () => {
    const { loadState, state } = connect(undefined, 'key-1');
    expect(state()).toEqual({ scratch: 'key-1' });
    expect(loadState()).toBeUndefined();
  });

  it('keeps what was saved before, and the id with each later state', () => {
    const { loadState, saveState, state } = connect({ filter: 'all' }, 'key-1');
    expect(state()).toEqual({ filter: 'all', scratch: 'key-1' });
    expect(loadState()).toEqual({ filter: 'all' });
    saveState({ filter: 'none' });
    expect(state()).toEqual({ filter: 'none', scratch: 'key-1' });
  });

  it('saves nothing by itself for a page without an id', () => {
    const { saveState, state } = connect(undefined);
    expect(state()).toBeUndefined();
    saveState({ filter: 'none' });
    expect(state()).toEqual({ filter: 'none' });
  });
});
