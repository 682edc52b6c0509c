// Uses the packed extension in a real VS Code like a person. The tests depend on their order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, TestServer } from '../support/servers/http-server';
import { sendJson, startServer } from '../support/servers/http-server';
import { Panel, readEveryFrame, runCommand, screenshot, stopAtFailure, Workbench } from './support';

const CANARY = 'canary-4f9d2c-never-to-be-seen';
const WRONG = 'canary-wrong-never-to-be-seen';

let keyed: TestServer;
let workbench: Workbench;
const cspViolations: string[] = [];

let panel: Panel;
const lane = (): Locator => panel.lane();
const button = (name: string): Locator => panel.button(name);
const says = (where: Locator, text: string | RegExp): Promise<void> => panel.says(where, text);

/** Contents of the output channel's log file. */
function channelLog(): string {
  const file = workbench.files().find((path) => path.endsWith('Provider Playground.log'));
  return file ? readFileSync(file, 'utf8') : '';
}

/** Refuses the wrong key; answers with any other one: in the text, in the arguments of a call, and as the name of a model. */
const repeatKey: Answer = ({ url, headers: { authorization: key = 'none' } }, response) => {
  if (key === `Bearer ${WRONG}`)
    return sendJson(response, 401, { error: { message: `Unknown key ${WRONG}` } });
  if (url.endsWith('/models')) return sendJson(response, 200, { data: [{ id: key }] });
  const made = { name: 'get_weather', arguments: JSON.stringify({ city: key }) };
  const call = { index: 0, id: 'c1', type: 'function', function: made };
  const delta = { role: 'assistant', content: `Your key is ${key}.`, tool_calls: [call] };
  const chunk = { choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
};

beforeAll(async () => {
  keyed = await startServer(repeatKey);
  const connection = {
    label: 'Keyed',
    provider: 'hosted-api',
    host: `${keyed.url}/v1`,
    model: 'native-call',
  };
  workbench = await Workbench.open({ settings: { 'providerPlayground.connections': { keyed: connection } } });
  workbench.page.on('console', (message) => {
    const ours = message.location().url.includes('provider-playground');
    if (ours && message.text().includes('Content Security Policy')) cspViolations.push(message.text());
  });
});

stopAtFailure(() => [workbench.page]);

afterAll(async () => {
  await workbench?.close();
  await keyed?.[Symbol.asyncDispose]();
});

describe('the playground', () => {
  it('opens from the palette, ready to run', async () => {
    panel = await Panel.open(workbench.page);
    await expect.poll(() => panel.message.inputValue()).toBe('What is the weather in Oslo?');
    await screenshot(workbench.page, '1-first-opening');
  });

  it('rescues a tool call from the text of the third attempt', async () => {
    await button('Run').click();
    await says(lane(), 'Rescued');
    await says(lane(), 'get_weather');
    await says(lane(), '3 attempts');
    await panel.openTab('Tool calls');
    await says(panel.inspector, /rescued/);
    await says(panel.inspector, /hermes-json/);
    await panel.openTab('Reply');
    await says(panel.inspector, /<tool_call>/);
    await says(panel.inspector, /The call came as text/);
    await screenshot(workbench.page, '2-rescued');
  });

  it('marks the place of the call in the text, and names it in words', async () => {
    await lane()
      .getByRole('button', { name: /^get_weather/ })
      .click();
    await panel.inspector.getByRole('button', { name: 'Show in text' }).click();
    await says(panel.inspector, '1 call rescued');
    const marked = await panel.inspector.locator('.mark.is-taken.is-selected').allTextContents();
    expect(marked.join('')).toMatch(/^<tool_call>[^]*"Oslo"[^]*<\/tool_call>$/);
    const span = panel.inspector.getByRole('listitem').filter({ hasText: 'Rescued: get_weather' });
    expect(await span.getAttribute('aria-current')).toBe('true');
    await says(span, /characters \d+ to \d+/);
    await screenshot(workbench.page, '2-rescue');
  });

  it('shows each attempt with its status, its wait and the reason', async () => {
    await panel.openTab('Attempts');
    const rows = panel.inspector.getByRole('row');
    await rows.filter({ hasText: '200' }).waitFor();
    expect(await rows.filter({ hasText: '429' }).count()).toBe(2);
    await says(panel.inspector, /429 is retried\. The server asked for a wait of 1 s/);
    await screenshot(workbench.page, '3-attempts');
  });

  it('writes one line for each retry to the output channel', async () => {
    const retries = (): string[] =>
      channelLog()
        .split('\n')
        .filter((line) => line.includes('next attempt in'));
    await expect.poll(retries).toHaveLength(2);
    const lines = retries();
    expect(lines[0]).toContain(
      'Demo (local protocol): attempt 1 of 3 failed with 429; next attempt in 1.0 s (Retry-After)',
    );
    expect(lines[1]).toContain('attempt 2 of 3');
  });

  it('sends the result of the call and shows the final answer', async () => {
    await button('Give result').click();
    const result = panel.frame.getByRole('textbox', { name: 'Result of get_weather' });
    await expect.poll(() => result.inputValue()).toContain('snow');
    await button('Send result').click();
    await says(lane(), /It is .*Oslo/);
    await screenshot(workbench.page, '4-answer');
  });

  it('asks for a key in a password box that names the origin, reports a wrong one, and sends the right one', async () => {
    const { page } = workbench;
    const giveKey = async (key: string): Promise<void> => {
      await button('Set API key').first().click();
      const box = page.locator('.quick-input-widget input[type="password"]');
      await box.fill(key);
      await says(page.locator('.quick-input-widget'), keyed.url);
      await screenshot(page, '6-key');
      await box.press('Enter');
      await box.waitFor({ state: 'hidden' });
    };
    await button('Clear conversation').click();
    await panel.inSettings(() => panel.chooseConnection('Keyed'));
    await panel.ask('What is the weather in Oslo?');
    await says(lane(), /API key is missing/);
    await giveKey(WRONG);
    // The button appears beside the title once a key is stored that can be replaced.
    await panel.button('Set API key', lane().locator('.lane-title')).waitFor();
    await button('Run').click();
    await says(lane(), /401/);
    await giveKey(CANARY);
    await panel.button('Run again', lane()).click();
    await says(lane(), 'Native');
  });

  it('shows its state and the finished run after it was hidden during the run', async () => {
    await button('Clear conversation').click();
    await panel.inSettings(() => panel.chooseModel('rate-limited'));
    await panel.ask('What is the weather in Bergen?');
    await says(lane(), 'What is the weather in Bergen?');
    await workbench.page.locator('.tab', { hasText: 'Bergen' }).waitFor();
    await runCommand(workbench.page, 'File: New Untitled Text File');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await workbench.page.locator('.tab', { hasText: 'Bergen' }).click();
    await says(lane(), 'Native');
    await says(lane(), 'What is the weather in Bergen?');
  });

  it('keeps all typed text up to the key that hides the panel', async () => {
    await panel.message.fill('');
    await panel.message.pressSequentially('typed until it was hidden');
    await workbench.page.keyboard.press('Control+PageDown');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await workbench.page.locator('.tab', { hasText: 'Bergen' }).click();
    await expect.poll(() => panel.message.inputValue()).toBe('typed until it was hidden');
  });

  it('undoes and redoes in the message box only what was typed since its text was replaced', async () => {
    await button('Clear conversation').click();
    await panel.message.fill('');
    await panel.message.pressSequentially('Hello Oslo');
    await panel.message.press('Control+Enter');
    await says(lane(), 'Hello Oslo');
    await expect.poll(() => panel.message.inputValue()).toBe('');
    await button('Clear conversation').click();
    await expect.poll(() => panel.message.inputValue()).toBe('Hello Oslo');
    await panel.message.press('End');
    await panel.message.pressSequentially('!');
    for (const key of ['Control+z', 'Control+z', 'Control+z']) await panel.message.press(key);
    expect(await panel.message.inputValue()).toBe('Hello Oslo');
    for (const key of ['Control+y', 'Control+y']) await panel.message.press(key);
    expect(await panel.message.inputValue()).toBe('Hello Oslo!');
    await panel.message.press('Control+Enter');
    await says(lane(), 'Hello Oslo!');
  });

  it('restores a cleared conversation by Ctrl+Z, also in the message box if nothing was typed there', async () => {
    await button('Clear conversation').click();
    await expect.poll(() => panel.message.inputValue()).toBe('Hello Oslo!');
    await panel.message.press('Control+z');
    await says(lane(), 'Hello Oslo!');
    await expect.poll(() => panel.message.inputValue()).toBe('');
  });

  it('masks a key that a server repeats, in messages to the page and on the clipboard', async () => {
    const { page, context } = workbench;
    const app = panel.frame.locator('pg-app');
    await app.evaluate(
      `window.received = []; addEventListener('message', ({ data }) => received.push(JSON.stringify(data)));`,
    );
    await button('Clear conversation').click();
    await panel.inSettings(() => panel.chooseConnection('Keyed'));
    await panel.ask('What is my key?');
    await says(lane(), /Your key is Bearer \*+/);
    expect(keyed.requests.at(-1)?.headers.authorization).toBe(`Bearer ${CANARY}`);
    const received: string[] = await app.evaluate('received');
    expect(received.filter((text) => text.includes('Your key is')).length).toBeGreaterThan(0);
    expect(received.filter((text) => text.includes(CANARY))).toEqual([]);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await panel.openTab('Tool calls');
    for (const name of ['Copy reply', 'Copy calls as JSON', 'Copy call of get_weather', 'RawAssistant']) {
      if (name === 'RawAssistant') await panel.openTab('Reply');
      await page.evaluate(`navigator.clipboard.writeText('')`);
      const copy = panel.frame.getByRole('button', { name: new RegExp(`^(Copy )?${name}`) });
      await copy.first().click();
      await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toContain('***');
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).not.toContain(CANARY);
    }
  });

  it('masks the key in the documents of the wire and in a copied request', async () => {
    const { page } = workbench;
    const shown = async (): Promise<string> =>
      (await page.locator('.editor-instance .view-line').allInnerTexts()).join('\n');
    await panel.openTab('Wire');
    for (const [name, file] of [
      ['Headers', 'headers.txt'],
      ['Raw', 'response.raw'],
      ['Events', 'response.events'],
    ] as const) {
      await panel.button(`${name} of attempt 1`, panel.inspector).click();
      const tab = page.locator('.tab', { hasText: file });
      await tab.waitFor();
      await expect.poll(shown).toContain('***');
      expect(await shown()).not.toContain(CANARY);
      await tab.locator('.tab-actions .action-label').click();
      await tab.waitFor({ state: 'hidden' });
    }
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await panel.button('Copy request as', panel.inspector).click();
    await panel.frame.getByRole('menuitem', { name: 'cURL (bash)' }).click();
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toContain('curl');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).not.toContain(CANARY);
  });

  it('is saved as a file with the question and without the reply', async () => {
    await panel.replace(async () => {
      await runCommand(workbench.page, 'Provider Playground: Save As Playground File…');
      const dialog = workbench.page.locator('.quick-input-widget');
      await expect.poll(() => dialog.locator('input').first().inputValue()).toContain('playground.json');
      await dialog.getByRole('button', { name: 'OK' }).click();
    });
    const files = (): string[] =>
      readdirSync(workbench.folder).filter((name) => name.endsWith('.playground.json'));
    await expect.poll(files).toHaveLength(1);
    const onDisk = (): string => readFileSync(join(workbench.folder, files()[0] ?? ''), 'utf8');
    // The file exists before its text is written.
    await expect.poll(onDisk).toContain('What is my key?');
    const text = onDisk();
    expect(text).not.toContain('Your key is');
    expect(text).not.toContain(CANARY);
    await says(lane(), /Your key is Bearer \*+/);
  });

  it('never violates its content security policy', () => expect(cspViolations).toEqual([]));

  it('leaves the canary key in no file, no output and no document', async () => {
    expect(workbench.files().length).toBeGreaterThan(10);
    expect(workbench.filesWith(CANARY, WRONG)).toEqual([]);
    expect(workbench.server.log()).not.toMatch(/canary/i);
    expect(channelLog()).not.toBe('');
    const held = await readEveryFrame(workbench.page, async (frame) => {
      const stored = await frame.evaluate(() => JSON.stringify(Object.entries(localStorage)));
      return `${await frame.content()}\n${stored}`;
    });
    // The workbench, the outer frame of the panel and the panel itself.
    expect(held.size).toBeGreaterThanOrEqual(3);
    expect([...held].filter((text) => text.includes(CANARY) || text.includes(WRONG))).toEqual([]);
  });
});
