// A recording in a real VS Code whose window is reloaded: it records again at a new address, what it recorded before can be read, and
// the keys of the program and of the connection are in no file. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/servers/model-server';
import {
  chooseQuickPick,
  RecordingPage,
  runCommand,
  screenshotInThemes,
  stopAtFailure,
  waitUntilKept,
  Workbench,
} from './support';

/** The key that the program sends, and the one that is stored for the connection. */
const KEYS = { program: 'canary-program-0123456789', stored: 'canary-stored-0123456789' };
const EVERY_KEY = Object.values(KEYS);
const QUESTION = 'Which way to the harbour?';
const VIEWPORT = { width: 1440, height: 900 };

let server: ModelServer;
let workbench: Workbench;
let recording: RecordingPage;
let first = '';
let second = '';

const page = () => workbench.page;
const quickInput = (): Locator => page().locator('.quick-input-widget');
const dialog = (): Locator => page().locator('.monaco-dialog-box');

/** Answers the question about the key, and waits for the address. */
async function readAddress(): Promise<string> {
  await dialog().getByText('May programs that send no key use the key of My API?').waitFor();
  await dialog().getByRole('button', { name: 'Add Key' }).click();
  return recording.address();
}

/** @param key Of the program; none is sent without. */
async function ask(address: string, key?: string): Promise<number> {
  const response = await fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model: 'tiny:latest', messages: [{ role: 'user', content: QUESTION }] }),
  });
  await response.text();
  return response.status;
}

beforeAll(async () => {
  server = new ModelServer();
  await server.start();
  server.key = KEYS.stored;
  const mine = { label: 'My API', provider: 'hosted-api', host: `${server.host}/v1`, model: 'tiny:latest' };
  workbench = await Workbench.open({
    viewport: VIEWPORT,
    settings: { 'providerPlayground.connections': { mine } },
  });
  recording = new RecordingPage(workbench.page);
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.stop();
});

describe('a recording whose window is reloaded', () => {
  it('has recorded a program with the stored key, and one with a key of its own', async () => {
    await runCommand(page(), 'Provider Playground: Set API Key');
    await chooseQuickPick(page(), 'My API');
    await quickInput().locator('input[type=password]').fill(KEYS.stored);
    await page().keyboard.press('Enter');
    await quickInput().waitFor({ state: 'hidden' });
    await runCommand(page(), 'Provider Playground: Record Another Program…');
    await chooseQuickPick(page(), 'My API');
    first = await readAddress();
    expect(await ask(first)).toBe(200);
    expect(await ask(first, KEYS.program)).toBe(401);
    await expect.poll(() => recording.rows.count()).toBe(2);
    await recording.says(recording.rows.nth(1), /\b401\b/);
  });

  it('records again at a new address, and the old one answers nothing', async () => {
    const key = await recording.frame.locator('meta[name=scratch]').getAttribute('content');
    await waitUntilKept(page(), key ?? 'no key');
    await page().reload();
    await page().locator('.monaco-workbench .part.statusbar').waitFor();
    await recording.says(
      recording.frame.getByRole('alert'),
      'The window was closed or reloaded while it recorded.',
    );
    await expect.poll(() => recording.rows.count()).toBe(2);
    await recording.frame.getByRole('button', { name: 'Record again' }).click();
    second = await readAddress();
    expect(second).not.toBe(first);
    const oldPath = new URL(first).pathname;
    const answered = await fetch(new URL(`${oldPath}/models`, second));
    expect([answered.status, await answered.text()]).toEqual([404, '']);
    await expect(fetch(`${first}/models`)).rejects.toThrow();
    expect(await ask(second)).toBe(200);
    await expect.poll(() => recording.rows.count()).toBe(3);
    await recording.select(2, 'Reply');
    await recording.says(recording.inspector, 'All is well.');
  });

  it('still shows what it recorded before', async () => {
    await recording.select(0, 'Reply');
    await recording.says(recording.inspector, 'All is well.');
    await recording.select(0, 'Wire');
    await recording.says(recording.inspector, /Headers[^]*key added/);
    await screenshotInThemes(page(), workbench.folder, 'recording reload 1 again');
    await recording.frame.getByRole('button', { name: 'Stop recording' }).click();
    await recording.frame.getByRole('button', { name: 'Record again' }).waitFor();
  });

  it('has left neither key in a file or a log', () => {
    expect(workbench.filesWith(...EVERY_KEY)).toEqual([]);
    expect(workbench.server.log()).not.toMatch(/canary/i);
  });
});
