// Two windows with a connection that needs a key, which was given in the first of them.
import type { Locator, Page } from 'playwright-core';
import { ModelServer } from '../../support/servers/model-server';
import { Panel } from './panel';
import { Workbench } from './workbench';
import { runCommand } from './workbench-page';

export const FIRST_KEY = 'canary-first-0123456789';
export const SECOND_KEY = 'canary-second-0123456789';

export const connectionRow = (window: Page, name: RegExp): Locator =>
  window.getByRole('treeitem', { name }).first();

export class KeyedWindows {
  readonly server: ModelServer;
  readonly workbench: Workbench;
  /** The second window. */
  readonly other: Page;

  private constructor(server: ModelServer, workbench: Workbench, other: Page) {
    this.server = server;
    this.workbench = workbench;
    this.other = other;
  }

  static async open(): Promise<KeyedWindows> {
    const server = new ModelServer();
    await server.start();
    server.key = FIRST_KEY;
    const once = { model: 'tiny:latest', retry: { maxAttempts: 1 } };
    const workbench = await Workbench.open({
      settings: {
        'files.autoSave': 'off',
        'providerPlayground.connections': {
          mine: { label: 'My API', provider: 'hosted-api', host: `${server.host}/v1`, ...once },
        },
      },
    });
    await runCommand(workbench.page, 'Provider Playground: Focus on Connections View');
    await giveKey(workbench.page, FIRST_KEY);
    await connectionRow(workbench.page, /^My API.*reachable/).waitFor();
    const other = await workbench.openWindow();
    await runCommand(other, 'Provider Playground: Focus on Connections View');
    return new KeyedWindows(server, workbench, other);
  }

  /** The keys that the server has received. */
  keysSeen(): (string | undefined)[] {
    return [...new Set(this.server.headers.map(({ authorization }) => authorization))];
  }

  /** Replaces the key in the second window, and waits until the first one no longer sends the old one. */
  async replaceKey(): Promise<void> {
    this.server.key = SECOND_KEY;
    await giveKey(this.other, SECOND_KEY);
    await connectionRow(this.other, /^My API.*reachable/).waitFor();
    await connectionRow(this.workbench.page, /^My API.*needs a key/).waitFor();
    this.server.headers.length = 0;
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await this.server.stop();
  }
}

async function giveKey(window: Page, key: string): Promise<void> {
  const quickInput = window.locator('.quick-input-widget');
  await runCommand(window, 'Provider Playground: Set API Key');
  await quickInput.locator('input[type=text]').first().fill('My API');
  await quickInput.locator('.monaco-list-row.focused', { hasText: 'My API' }).waitFor();
  await window.keyboard.press('Enter');
  await quickInput.locator('input[type=password]').fill(key);
  await window.keyboard.press('Enter');
  await quickInput.waitFor({ state: 'hidden' });
}

/** Opens a new playground and chooses the connection that needs a key. */
export async function openKeyed(window: Page): Promise<Panel> {
  const opened = await Panel.open(window);
  await opened.inSettings(() => opened.chooseConnection('My API'));
  return opened;
}
