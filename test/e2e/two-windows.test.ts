// A key that is replaced or forgotten in one window is not sent from another one. VS Code in a browser reads the stored
// secrets once, when a window is loaded. The tests depend on their order.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/model-server';
import { Panel, runCommand, screenshot, stopAtFailure, Workbench } from './support';

const FIRST = 'canary-first-0123456789';
const SECOND = 'canary-second-0123456789';

const server = new ModelServer();
let workbench: Workbench;
let other: Page;
let panel: Panel;

const quickInput = (): Locator => workbench.page.locator('.quick-input-widget');
const row = (page: Page, name: RegExp): Locator => page.getByRole('treeitem', { name }).first();
const keysSeen = (): (string | undefined)[] => [
  ...new Set(server.headers.map(({ authorization }) => authorization)),
];

async function giveSecret(command: string, ...answers: readonly string[]): Promise<void> {
  const { page } = workbench;
  await runCommand(page, command);
  for (const [index, text] of answers.entries()) {
    const isLast = index === answers.length - 1;
    const box = quickInput().locator(isLast ? 'input[type=password]' : 'input[type=text]');
    await box.first().waitFor();
    await box.first().fill(text);
    if (index === 0) await quickInput().locator('.monaco-list-row.focused', { hasText: text }).waitFor();
    await page.keyboard.press('Enter');
  }
  await quickInput().waitFor({ state: 'hidden' });
}

async function ask(): Promise<void> {
  await panel.ask('How are you?');
}

/** Opens a new playground in the second window and chooses the connection. */
async function openPanel(): Promise<void> {
  panel = await Panel.open(other);
  await panel.inSettings(() => panel.chooseConnection('My API'));
}

beforeAll(async () => {
  await server.start();
  server.key = FIRST;
  const once = { model: 'tiny:latest', retry: { maxAttempts: 1 } };
  workbench = await Workbench.open({
    settings: {
      'providerPlayground.connections': {
        mine: { label: 'My API', provider: 'hosted-api', host: `${server.host}/v1`, ...once },
      },
    },
  });
  await runCommand(workbench.page, 'Provider Playground: Focus on Connections View');
  await giveSecret('Provider Playground: Set API Key', 'My API', FIRST);
  await row(workbench.page, /^My API.*reachable/).waitFor();
  other = await workbench.context.newPage();
  await other.goto(workbench.page.url());
  await runCommand(other, 'Provider Playground: Focus on Connections View');
  await openPanel();
});
stopAtFailure(() => [workbench.page, other]);
afterAll(async () => {
  await workbench?.close();
  await server.stop();
});

describe('a second window', () => {
  it('uses the key that was set in the first window', async () => {
    await row(other, /^My API.*reachable/).waitFor();
    await ask();
    await panel.says(panel.lane(), 'All is well.');
    expect(keysSeen()).toEqual([`Bearer ${FIRST}`]);
  });

  it('stops sending a key that was replaced in the first window, and says that the new one is there', async () => {
    server.key = SECOND;
    await giveSecret('Provider Playground: Set API Key', 'My API', SECOND);
    await row(workbench.page, /^My API.*reachable/).waitFor();
    await row(other, /^My API.*no key/).waitFor();
    server.headers.length = 0;
    await panel.says(panel.lane(), /in another window/);
    await screenshot(other, 'two-windows-1-replaced');
    expect(keysSeen()).not.toContain(`Bearer ${FIRST}`);
  });

  it('sends the new key after a reload', async () => {
    await other.reload();
    await runCommand(other, 'Provider Playground: Focus on Connections View');
    // The editor may have restored the tab of the playground or not: both windows store their tabs in one place.
    await runCommand(other, 'View: Close All Editors');
    await expect.poll(() => other.locator('.tabs-container .tab').count()).toBe(0);
    await openPanel();
    const { chats } = server;
    await ask();
    await expect.poll(() => server.chats).toBe(chats + 1);
    expect(keysSeen()).not.toContain(`Bearer ${FIRST}`);
  });

  it('has no key after it was forgotten in the first window', async () => {
    await runCommand(workbench.page, 'Provider Playground: Forget All Keys…');
    await workbench.page.locator('.monaco-dialog-box .monaco-button:focus').waitFor();
    await workbench.page.keyboard.press('Enter');
    await row(other, /^My API.*no key/).waitFor();
    await screenshot(other, 'two-windows-2-forgotten');
  });
});
