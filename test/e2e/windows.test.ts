// What a second window keeps and changes. The tests depend on their order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screenshot, stopAtFailure } from './support';
import { connectionRow, FIRST_KEY, KeyedWindows, openKeyed } from './support/keyed-windows';

let windows: KeyedWindows;

beforeAll(async () => {
  windows = await KeyedWindows.open();
});
stopAtFailure(() => [windows.workbench.page, windows.other]);
afterAll(() => windows?.close());

describe('a second window', () => {
  it('uses the key that was set in the first window', async () => {
    const { other } = windows;
    await connectionRow(other, /^My API.*reachable/).waitFor();
    const opened = await openKeyed(other);
    await opened.ask('How are you?');
    await opened.says(opened.lane(), 'All is well.');
    expect(windows.keysSeen()).toEqual([`Bearer ${FIRST_KEY}`]);
  });

  it('replaces a key, which the first window then stops sending; it says that the new one is there', async () => {
    const { page } = windows.workbench;
    const opened = await openKeyed(page);
    await windows.replaceKey();
    await opened.says(opened.lane(), /in another window/);
    await screenshot(page, 'windows-1-replaced');
    expect(windows.keysSeen()).not.toContain(`Bearer ${FIRST_KEY}`);
  });
});
