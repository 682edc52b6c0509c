// Counts the clicks between a new window and the first answer of a running Ollama; then manages connections by keyboard: adds a
// hosted one step by step, diagnoses, edits and deletes connections. A server with recorded Ollama replies listens on
// Ollama's usual port. The tests depend on their order.
import type { Server } from 'node:http';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoServer } from '../../src/demo';
import { startDemoServer } from '../../src/demo';
import {
  Panel,
  renderedMarkdown,
  runCommand,
  screenshot,
  stopAtFailure,
  screenshotInThemes,
  Workbench,
} from './support';
import { InputCounter } from './support/input-counter';
import { holdPort, PORT_TIMEOUT_MS, startOllama, stop } from './support/recorded-ollama';

const KEY = 'canary-key-0123456789';
const HEADER = 'canary-header-0123456789';
const MAX_CLICKS = 4;

let releasePort: () => void;
let ollama: Server;
let hosted: DemoServer;
let workbench: Workbench;
const inputs = new InputCounter();

const page = () => workbench.page;
const press = (key: string): Promise<void> => page().keyboard.press(key);
const quickInput = (): Locator => page().locator('.quick-input-widget');
const row = (name: RegExp): Locator => page().getByRole('treeitem', { name }).first();
/** The visible document of a diagnosis. */
const report = (): Promise<string> => renderedMarkdown(page());
/** Moves the focus into the tree and waits for it: keys pressed earlier would go elsewhere. */
async function focusTree(): Promise<void> {
  await runCommand(page(), 'Provider Playground: Focus on Connections View');
  await page()
    .locator('.monaco-list:focus', { has: page().getByRole('treeitem') })
    .waitFor();
}
/** Closes every editor. Beside a playground, which takes the focus back at times, a document would not always have it. */
async function closeEditors(): Promise<void> {
  await runCommand(page(), 'View: Close All Editors');
  await page().locator('.editor-group-container.empty').waitFor();
}
/** Confirms a dialog with its default button. */
async function confirmDialog(): Promise<void> {
  await page().locator('.monaco-dialog-box .monaco-button:focus').waitFor();
  await press('Enter');
}
const copied = (): Promise<string> => page().evaluate('navigator.clipboard.readText()');
const toast = (text: string | RegExp): Locator =>
  page().locator('.notification-list-item', { hasText: text }).first();

/** Waits for the quick pick with this title and row, filters it by the text, and accepts the focused row. */
async function answerStep(title: string, text: string): Promise<void> {
  await quickInput().getByText(title).waitFor();
  // That with the text may be below the visible ones, and then it is not drawn.
  await quickInput().locator('.monaco-list-row').first().waitFor();
  await quickInput().locator('input[type=text]').first().fill(text);
  await quickInput().locator('.monaco-list-row.focused', { hasText: text }).waitFor();
  await press('Enter');
}

beforeAll(async () => {
  releasePort = await holdPort();
}, PORT_TIMEOUT_MS);
beforeAll(async () => {
  ollama = await startOllama();
  hosted = await startDemoServer({ apiKey: KEY });
  workbench = await Workbench.open({
    viewport: { width: 1500, height: 900 },
    beforeLoad: (blank) => inputs.watch(blank),
  });
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await inputs.stop();
  await workbench?.close();
  await hosted?.close();
  if (ollama?.listening) await stop(ollama);
  releasePort?.();
});

describe('the Connections view', () => {
  it('leads to the first answer of a running Ollama in at most four clicks and without a key', async () => {
    const panel = new Panel(page());
    const useOllama = page().getByRole('button', { name: 'Use Ollama' });
    const clicked = [
      page().getByRole('tab', { name: 'Provider Playground' }),
      useOllama,
      panel.button('Run'),
    ];
    for (const control of clicked) {
      await control.waitFor();
      if (control === useOllama) {
        await page().getByRole('button', { name: 'Add Connection', exact: true }).waitFor();
        expect(await page().getByRole('button', { name: 'Use vLLM' }).count()).toBe(0);
        await screenshot(page(), 'connections-1-welcome');
      }
      await control.click();
    }
    await panel.says(panel.lane(), 'Hello');
    await screenshot(page(), 'connections-2-first-answer');
    // Every click was recorded, in all frames, and no other input.
    expect(inputs.taken).toEqual(clicked.map(() => 'click'));
    expect(inputs.taken.length).toBeLessThanOrEqual(MAX_CLICKS);
  });

  it('shows the state of the connection and the details of its models', async () => {
    await focusTree();
    await row(/^Ollama.*reachable · Ollama 0\.0\.0 · 4 models · user settings/).waitFor();
    const model = row(/^tiny:latest.*running · 523K · 2\.1 MB · 2048 of 4096 tokens · thinking, tools/);
    const expand = async (): Promise<boolean> => {
      await press('Home');
      await press('ArrowRight');
      return model.isVisible();
    };
    // The editor drops the key while it draws the tree anew.
    await expect.poll(expand).toBe(true);
    await screenshotInThemes(page(), workbench.folder, 'connections-3-tree');
  });

  it('opens the diagnosis of a connection as a document', async () => {
    await closeEditors();
    await runCommand(page(), 'Provider Playground: Diagnose Connection');
    await answerStep('Connection to diagnose', 'Ollama');
    await expect.poll(report).toMatch(/0 failed, \d warnings?, \d+ ok/);
    await expect.poll(report).toMatch(/Kind: ollama 0\.0\.0/);
    await expect.poll(report).toMatch(/Requests leave from: The machine/);
    await screenshotInThemes(page(), workbench.folder, 'connections-3-diagnosis');
    await closeEditors();
  });

  it('shows when the server stops, with a next step, and when it starts again', async () => {
    await stop(ollama);
    await runCommand(page(), 'Provider Playground: Refresh Connections');
    await row(/^Ollama.*no answer/).waitFor();
    await screenshot(page(), 'connections-4-no-answer');
    // Enter on the reason below the connection opens the diagnosis.
    await row(/^Nothing listens at that address/).waitFor();
    await focusTree();
    const reason = page().locator('.monaco-list-row.focused', { hasText: 'Nothing listens at that address' });
    const reach = async (): Promise<boolean> => {
      await press('Home');
      await press('ArrowDown');
      return reason.isVisible();
    };
    // The row is replaced when the server is polled, and the focus is then on the connection.
    await expect.poll(reach).toBe(true);
    await press('Enter');
    await expect.poll(report).toMatch(/failed — Connection: /);
    await screenshot(page(), 'connections-4-diagnosis-of-no-answer');
    await closeEditors();
    ollama = await startOllama();
    await runCommand(page(), 'Provider Playground: Refresh Connections');
    await row(/^Ollama.*reachable/).waitFor();
  });
});

describe('Add Connection', () => {
  it('asks step by step, and checks the address while it is typed', async () => {
    await runCommand(page(), 'Provider Playground: Add Connection…');
    await quickInput().getByText('Add Connection (1/').waitFor();
    await screenshot(page(), 'connections-5-kind');
    await answerStep('Add Connection (1/', 'Other hosted');
    await quickInput().getByText('Add Connection (2/4)').waitFor();
    await page().keyboard.type('127.0.0.1:8080/v1');
    await quickInput().getByText('did you mean http://127.0.0.1:8080/v1 here?').waitFor();
    await screenshot(page(), 'connections-6-host');
    await press('Control+a');
    await page().keyboard.type(hosted.hostedHost);
    await press('Enter');
  });

  it('asks for the key as a step of its own, which goes back', async () => {
    await quickInput().locator('input[type=password]').waitFor();
    await quickInput()
      .getByText(/^API key for http:.* \(3\/4\)$/)
      .waitFor();
    await screenshot(page(), 'connections-7-key');
    await quickInput().getByRole('button', { name: /^Back/ }).click();
    await quickInput().getByText('Add Connection (2/4)').waitFor();
    await press('Enter');
    await quickInput().locator('input[type=password]').waitFor();
  });

  it("offers the server's models once the key is given, and tests the chosen one", async () => {
    await page().keyboard.type(KEY);
    await press('Enter');
    await quickInput().getByText('Add Connection (4/4)').waitFor();
    await quickInput().getByText('native-call').waitFor();
    await screenshot(page(), 'connections-8-model');
    await page().keyboard.type('prose-only');
    await press('Enter');
    await toast(/was added to your user settings\. .*answered in/).waitFor();
    await screenshot(page(), 'connections-9-added');
    await row(/^127\.0\.0\.1:\d+.*reachable/).waitFor();
  });

  it('shows a diagnosis that can be copied and does not contain the key', async () => {
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await runCommand(page(), 'Provider Playground: Diagnose Connection');
    await answerStep('Connection to diagnose', '127.0.0.1');
    await expect.poll(report).toMatch(/\d failed, \d warnings?, \d+ ok/);
    await expect.poll(report).toContain('Chat: prose-only answers with');
    await press('Control+a');
    await press('Control+c');
    await expect.poll(copied).toContain('ok — Key: There is one for http://127.0.0.1:');
    const text = await copied();
    expect(text).toContain('Provider Playground 0.');
    expect(text).not.toContain('canary');
    await closeEditors();
  });

  it('asks for a secret header by its name, and shows which address it is sent to', async () => {
    await runCommand(page(), 'Provider Playground: Set Secret Header…');
    await answerStep('Set a secret header of', '127.0.0.1');
    await quickInput().getByText('Name of the header').waitFor();
    await page().keyboard.type('X-Gate');
    await screenshot(page(), 'connections-9-header-name');
    await press('Enter');
    await quickInput().locator('input[type=password]').waitFor();
    await quickInput()
      .getByText(/^Header X-Gate for http:\/\/127\.0\.0\.1:\d+/)
      .waitFor();
    await page().keyboard.type(HEADER);
    await screenshot(page(), 'connections-9-header-value');
    await press('Enter');
    await runCommand(page(), 'Provider Playground: Set API Key');
    await quickInput()
      .getByText(/a key was given on/)
      .waitFor();
    await screenshot(page(), 'connections-9-key-given');
    await press('Escape');
  });

  it('writes the key and the secret header to no file', async () => {
    expect(workbench.files().length).toBeGreaterThan(3);
    expect(workbench.filesWith(KEY, HEADER)).toEqual([]);
  });

  it('forgets all keys after a confirmation, and then shows that a key is missing', async () => {
    await runCommand(page(), 'Provider Playground: Forget All Keys…');
    const dialog = page().locator('.monaco-dialog-box');
    await dialog.waitFor();
    await screenshot(page(), 'connections-9-forget-all');
    await confirmDialog();
    await runCommand(page(), 'Provider Playground: Focus on Connections View');
    await row(/^127\.0\.0\.1:\d+.*needs a key/).waitFor();
  });
});

describe('an action on a connection', () => {
  it('copies it as library code', async () => {
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await runCommand(page(), 'Provider Playground: Copy Connection as Library Code');
    await answerStep('Connection to copy as library code', 'Ollama');
    await expect.poll(copied).toContain("new LocalHostProvider({\n  host: 'http://127.0.0.1:11434',");
  });

  it('opens it in the settings file, where a wrong value is marked', async () => {
    workbench.updateSettings({
      'providerPlayground.connections': {
        broken: { provider: 'local-host', sampling: { temperature: 'hot' } },
      },
    });
    await runCommand(page(), 'Provider Playground: Focus on Connections View');
    await row(/^broken.*wrong setting · workspace settings/).waitFor();
    await runCommand(page(), 'Provider Playground: Edit Connection in Settings');
    await answerStep('Connection to edit in the settings', 'broken');
    await page().locator('.editor-instance .squiggly-warning').first().waitFor();
    await screenshot(page(), 'connections-10-wrong-setting');
    await press('Control+w');
  });

  it('deletes it after a confirmation', async () => {
    await runCommand(page(), 'Provider Playground: Delete Connection…');
    await answerStep('Connection to delete', 'broken');
    await confirmDialog();
    await row(/^broken/).waitFor({ state: 'detached' });
  });
});

describe('the status bar', () => {
  it('counts the runs under way and can stop them all', async () => {
    const panel = await Panel.open(page());
    await panel.inSettings(async () => {
      await panel.chooseConnection('Demo (local protocol)');
      await panel.chooseModel('hangs');
    });
    await panel.ask('Hello?');
    const item = page().locator('.statusbar-item', { hasText: '1 run' });
    await item.waitFor();
    await screenshot(page(), 'connections-11-status-bar');
    await runCommand(page(), 'Provider Playground: Show Runs Under Way');
    await answerStep('Runs under way', 'Stop all');
    await item.waitFor({ state: 'hidden' });
    await panel.says(panel.lane(), 'Stopped');
  });
});

describe('the active playground', () => {
  it('gets a new lane with the chosen connection', async () => {
    await runCommand(page(), 'Provider Playground: Add Connection as Lane');
    await answerStep('Connection for the playground', 'Demo (hosted');
    const panel = new Panel(page());
    await panel.says(panel.lane(2), 'Demo (hosted protocol)');
    await screenshot(page(), 'connections-12-lane');
  });
});
