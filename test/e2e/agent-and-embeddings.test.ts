// Agent runs and embeddings in a real VS Code, on the demo connection. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, runCommand, screenshot, screenshotFailures, Workbench } from './support';

let workbench: Workbench;

let panel: Panel;
const lane = (): Locator => panel.lane();
const button = (name: string): Locator => panel.button(name);
const says = (where: Locator, text: string | RegExp): Promise<void> => panel.says(where, text);

beforeAll(async () => {
  workbench = await Workbench.open();
  panel = await Panel.open(workbench.page);
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('an agent run', () => {
  it('answers tool calls with their mocks until the model gives its final answer', async () => {
    await panel.useModel('parallel-calls');
    await panel.message.fill('How is the weather in Oslo and in Bergen?');
    await button('Run').click();
    await lane()
      .getByRole('button', { name: /^Run agent/ })
      .click();
    await says(lane(), 'after 2 calls');
    await says(lane(), /2 calls answered/);
    await says(lane(), /Oslo.*Bergen/);
    expect(await button('Give result').count()).toBe(0);
    await expect.poll(() => panel.focused()).toBe('Run lane');
    await screenshot(workbench.page, 'agent-run');
  });

  it('shows the reply of each step in the inspector', async () => {
    await lane().getByRole('button', { name: 'model' }).first().click();
    await says(panel.inspector, /2 native calls/);
    await panel.inspector.getByRole('tab', { name: 'Tool calls' }).click();
    await says(panel.inspector, 'mock');
  });
});

describe('the Embeddings view', () => {
  it('shows the vectors of the texts and the similarity of every pair as a number', async () => {
    await panel.frame.getByRole('tab', { name: 'Embeddings' }).click();
    await button('Add text').click();
    await panel.frame.getByRole('textbox', { name: 'Text 4' }).fill('Oslo has snow.');
    await button('Embed').click();
    await says(panel.frame.getByRole('region', { name: 'Vectors and similarity' }), /4 vectors/);
    await says(
      panel.frame.getByRole('region', { name: 'Vectors and similarity' }),
      /Most similar: \d and \d \(0\.\d\d\)/,
    );
    const numbers = await panel.frame.locator('.heat tbody td').allTextContents();
    expect(numbers.filter((text) => text === '1.00')).toHaveLength(4);
    expect(numbers).toHaveLength(16);
    await screenshot(workbench.page, 'embeddings');
  });

  it('keeps the vectors and the conversation while the panel is hidden', async () => {
    await runCommand(workbench.page, 'File: New Untitled Text File');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await workbench.page.locator('.tab', { hasText: 'How is the weather' }).click();
    await says(panel.frame.getByRole('region', { name: 'Vectors and similarity' }), /4 vectors/);
    await panel.frame.getByRole('tab', { name: 'Chat' }).click();
    await says(lane(), 'after 2 calls');
  });
});
