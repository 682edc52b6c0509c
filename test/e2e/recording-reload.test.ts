// A recording in a real VS Code whose window is reloaded: it records again at a new address, what it recorded before can be read,
// replayed and exported, and the keys of the program and of the connection are in none of it. The tests depend on their order.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/servers/model-server';
import {
  chooseQuickPick,
  focusEditor,
  RecordingPage,
  runCommand,
  screenshot,
  screenshotInThemes,
  stopAtFailure,
  waitUntilKept,
  Workbench,
} from './support';

/** The key that the program sends, and the one that is stored for the connection. */
const KEYS = { program: 'canary-program-0123456789', stored: 'canary-stored-0123456789' };
const EVERY_KEY = Object.values(KEYS);
const QUESTION = 'Which way to the harbour?';
const TOOL = {
  type: 'function',
  function: { name: 'find_way', parameters: { type: 'object', properties: {} } },
};
const VIEWPORT = { width: 1440, height: 900 };

let server: ModelServer;
let workbench: Workbench;
let recording: RecordingPage;
let first = '';
let second = '';

const page = () => workbench.page;
const quickInput = (): Locator => page().locator('.quick-input-widget');
const dialog = (): Locator => page().locator('.monaco-dialog-box');
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name });

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
    body: JSON.stringify({
      model: 'tiny:latest',
      messages: [{ role: 'user', content: QUESTION }],
      tools: [TOOL],
    }),
  });
  await response.text();
  return response.status;
}

/** Chooses the first of both conversations, and the lane that is proposed. */
async function replayFirst(): Promise<void> {
  await chooseQuickPick(page(), QUESTION);
  const lanes = quickInput().getByPlaceholder('Which lanes are asked the 1 turn? Nothing is sent yet.');
  await lanes.waitFor();
  await screenshot(page(), 'recording reload 2 lanes');
  await page().keyboard.press('Enter');
  // A replay is a playground, whose page is found in the same way.
  await recording.frame.getByText('1 lane × 1 row × 1 = 1 request').first().waitFor();
}

async function closeEditor(name: string): Promise<void> {
  await tab(name).first().click();
  await page().keyboard.press('Control+w');
  await tab(name).waitFor({ state: 'hidden' });
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
  await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
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
    await recording.says(recording.inspector, /only the key was added[^]*Headers[^]*key added/);
    await screenshotInThemes(page(), workbench.folder, 'recording reload 1 again');
    await recording.frame.getByRole('button', { name: 'Stop recording' }).click();
    await recording.frame.getByRole('button', { name: 'Record again' }).waitFor();
  });

  it('is replayed from the list of what is stored, after its page was closed', async () => {
    await closeEditor('Recording: My API');
    await runCommand(page(), 'Provider Playground: Replay Recorded Session…');
    await chooseQuickPick(page(), 'Recording: My API');
    await replayFirst();
    await screenshot(page(), 'recording reload 3 replayed');
    await closeEditor('Replay: Which way');
  });
});

describe('the recording in the history', () => {
  const recorded = (): Locator => page().getByRole('treeitem', { name: /^Recording: My API/ });

  it('is replayed from its menu', async () => {
    await runCommand(page(), 'Provider Playground: Focus on History View');
    await recorded().first().click({ button: 'right' });
    // By the keyboard: a menu that has just opened ignores the mouse.
    await page().getByRole('menuitem', { name: 'Replay Recorded Session…' }).hover();
    await page().getByRole('menuitem', { name: 'Go to Playground or Recording' }).waitFor();
    await screenshot(page(), 'recording reload 4 menu');
    await page().keyboard.press('Enter');
    await replayFirst();
    await closeEditor('Replay: Which way');
  });

  /** Selects all runs and exports them. */
  async function exportAll(form: string): Promise<void> {
    await runCommand(page(), 'Provider Playground: Focus on History View');
    const run = page().getByRole('treeitem', { name: /tiny:latest.*harbour/ });
    if ((await run.count()) === 0) await recorded().first().locator('.monaco-tl-twistie').click();
    await run.first().click();
    await page().keyboard.press('Control+a');
    await runCommand(page(), 'Provider Playground: Export Runs as…');
    await chooseQuickPick(page(), form);
  }

  /** Both requests with a key are in it, and neither key. */
  function expectNoKey(text: string): void {
    expect(text).toContain(QUESTION);
    expect(text).toContain('All is well.');
    expect(text).toMatch(/\*{8}/);
    expect(text).toMatch(/Invalid API Key/);
    expect(EVERY_KEY.filter((key) => text.includes(key))).toEqual([]);
  }

  it('is exported as HTML without a key', async () => {
    await exportAll('Save Report');
    const name = quickInput().locator('input').first();
    await expect.poll(() => name.inputValue()).toContain('.html');
    const file = join(workbench.folder, (await name.inputValue()).split('/').at(-1) ?? '');
    await quickInput().getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toContain('</html>');
    expectNoKey(readFileSync(file, 'utf8'));
  });

  it('is exported as Markdown without a key', async () => {
    await exportAll('Markdown');
    await tab('Preview').first().locator('.tab-actions .action-label').click();
    await focusEditor(page(), 'harbour');
    await page().evaluate(`navigator.clipboard.writeText('')`);
    await page().keyboard.press('Control+a');
    await page().keyboard.press('Control+c');
    const copied = (): Promise<string> => page().evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toContain(QUESTION);
    expectNoKey(await copied());
    await runCommand(page(), 'View: Revert and Close Editor');
  });

  it('has left neither key in a file or a log', () => {
    expect(workbench.filesWith(...EVERY_KEY)).toEqual([]);
    expect(workbench.server.log()).not.toMatch(/canary/i);
  });
});
