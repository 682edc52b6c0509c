// A recording in a real VS Code whose window is reloaded: it records again at a new address, what it recorded before can be read, and
// the keys of the program and of the connection are in no file. The tests depend on their order.
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/servers/model-server';
import { runCommand, screenshotInThemes, stopAtFailure, waitUntilKept, webview, Workbench } from './support';

/** The key that the program sends, and the one that is stored for the connection. */
const KEYS = { program: 'canary-program-0123456789', stored: 'canary-stored-0123456789' };
const EVERY_KEY = Object.values(KEYS);
const QUESTION = 'Which way to the harbour?';
const VIEWPORT = { width: 1440, height: 900 };

let server: ModelServer;
let workbench: Workbench;
let first = '';
let second = '';

const page = () => workbench.page;
const recording = (): FrameLocator => webview(page());
const rows = (): Locator => recording().getByRole('grid', { name: 'Requests' }).locator('tbody tr');
const inspector = (): Locator => recording().getByRole('region', { name: 'Inspector' });
const quickInput = (): Locator => page().locator('.quick-input-widget');
const dialog = (): Locator => page().locator('.monaco-dialog-box');
const says = (where: Locator, text: string | RegExp): Promise<void> =>
  expect.poll(() => where.innerText()).toMatch(text);

async function choose(text: string): Promise<void> {
  await quickInput().locator('.monaco-list-row', { hasText: text }).first().waitFor();
  await quickInput().locator('input[type=text]').first().fill(text);
  await quickInput().locator('.monaco-list-row.focused', { hasText: text }).waitFor();
  await page().keyboard.press('Enter');
}

/** Answers the question about the key, and waits for the address. */
async function readAddress(): Promise<string> {
  await dialog().getByText('May programs that send no key use the key of My API?').waitFor();
  await dialog().getByRole('button', { name: 'Add Key' }).click();
  const box = recording().getByRole('textbox', { name: 'Address for the program' });
  await expect.poll(() => box.inputValue()).toContain('/r/');
  return box.inputValue();
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

async function select(index: number, name: string): Promise<void> {
  await rows().nth(index).click();
  await inspector().getByRole('tab', { name }).click();
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
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.stop();
});

describe('a recording whose window is reloaded', () => {
  it('has recorded a program with the stored key, and one with a key of its own', async () => {
    await runCommand(page(), 'Provider Playground: Set API Key');
    await choose('My API');
    await quickInput().locator('input[type=password]').fill(KEYS.stored);
    await page().keyboard.press('Enter');
    await quickInput().waitFor({ state: 'hidden' });
    await runCommand(page(), 'Provider Playground: Record Another Program…');
    await choose('My API');
    first = await readAddress();
    expect(await ask(first)).toBe(200);
    expect(await ask(first, KEYS.program)).toBe(401);
    await expect.poll(() => rows().count()).toBe(2);
    await says(rows().nth(1), /\b401\b/);
  });

  it('records again at a new address, and the old one answers nothing', async () => {
    const key = await recording().locator('meta[name=scratch]').getAttribute('content');
    await waitUntilKept(page(), key ?? 'no key');
    await page().reload();
    await page().locator('.monaco-workbench .part.statusbar').waitFor();
    await says(recording().getByRole('alert'), 'The window was closed or reloaded while it recorded.');
    await expect.poll(() => rows().count()).toBe(2);
    await recording().getByRole('button', { name: 'Record again' }).click();
    second = await readAddress();
    expect(second).not.toBe(first);
    const oldPath = new URL(first).pathname;
    const answered = await fetch(new URL(`${oldPath}/models`, second));
    expect([answered.status, await answered.text()]).toEqual([404, '']);
    await expect(fetch(`${first}/models`)).rejects.toThrow();
    expect(await ask(second)).toBe(200);
    await expect.poll(() => rows().count()).toBe(3);
    await select(2, 'Reply');
    await says(inspector(), 'All is well.');
  });

  it('still shows what it recorded before', async () => {
    await select(0, 'Reply');
    await says(inspector(), 'All is well.');
    await select(0, 'Wire');
    await says(inspector(), /Headers[^]*key added/);
    await screenshotInThemes(page(), workbench.folder, 'recording reload 1 again');
    await recording().getByRole('button', { name: 'Stop recording' }).click();
    await recording().getByRole('button', { name: 'Record again' }).waitFor();
  });

  it('has left neither key in a file or a log', () => {
    expect(workbench.filesWith(...EVERY_KEY)).toEqual([]);
    expect(workbench.server.log()).not.toMatch(/canary/i);
  });
});
