// Runs to the end and embeddings in a real VS Code, on the demo connection.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { runCommand, screenshot, webview, Workbench } from './support';

let workbench: Workbench;

const panel = (): ReturnType<typeof webview> => webview(workbench.page);
const button = (name: string): Locator => panel().getByRole('button', { name, exact: true });
const lane = (): Locator => panel().getByRole('region', { name: 'Lane 1' });
const inspector = (): Locator => panel().getByRole('region', { name: 'Inspector' });
const says = (where: Locator, text: string | RegExp): Promise<void> =>
  where.getByText(text).first().waitFor();

async function chooseModel(model: string): Promise<void> {
  await button('Lane settings').click();
  const box = lane().getByRole('combobox', { name: 'Model' });
  await box.fill(model);
  await box.press('Tab');
  await button('Lane settings').click();
}

/** Where the keyboard is: the name of the element that has it. */
const focused = (): Promise<string> =>
  panel()
    .locator('*:focus')
    .last()
    .evaluate((element) => element.getAttribute('aria-label') ?? element.tagName);

beforeAll(async () => {
  workbench = await Workbench.open();
  await runCommand(workbench.page, 'Provider Playground: Open Playground');
  await lane().waitFor();
});
beforeEach(({ task }) =>
  onTestFailed(async () => void (await screenshot(workbench.page, `failed ${task.name.slice(0, 60)}`))),
);
afterAll(() => workbench?.close());

describe('a run to the end', () => {
  it('answers the calls with their mocks until the model answers', async () => {
    await chooseModel('parallel-calls');
    await panel().getByRole('textbox', { name: 'Message' }).fill('How is the weather in Oslo and in Bergen?');
    await button('Run').click();
    await button('Run to the end with mocks').click();
    await says(lane(), 'after 1 step');
    await says(lane(), /2 calls answered by mocks/);
    await says(lane(), /Oslo.*Bergen/);
    expect(await button('Give result').count()).toBe(0);
    expect(await focused()).toContain('Message');
    await screenshot(workbench.page, 'run-to-the-end');
  });

  it('shows each of its steps in the inspector like any other reply', async () => {
    await lane().getByRole('button', { name: 'model' }).first().click();
    await says(inspector(), /2 native calls/);
    await inspector().getByRole('tab', { name: 'Tool calls' }).click();
    await says(inspector(), 'mock');
  });
});

describe('the view Embeddings', () => {
  it('shows dimension, norm and similarity of the texts, with numbers', async () => {
    await panel().getByRole('tab', { name: 'Embeddings' }).click();
    await button('Add text').click();
    await panel().getByRole('textbox', { name: 'Text 4' }).fill('Oslo has snow.');
    await button('Embed').click();
    await says(panel().getByRole('region', { name: 'Vectors and similarity' }), /4 vectors/);
    await says(
      panel().getByRole('region', { name: 'Vectors and similarity' }),
      /Most alike: \d and \d \(0\.\d\d\)/,
    );
    const numbers = await panel().locator('.heat tbody td').allTextContents();
    expect(numbers.filter((text) => text === '1.00')).toHaveLength(4);
    expect(numbers).toHaveLength(16);
    await screenshot(workbench.page, 'embeddings');
  });

  it('is still there after the panel was hidden', async () => {
    await runCommand(workbench.page, 'File: New Untitled Text File');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await workbench.page.locator('.tab', { hasText: 'Provider Playground' }).click();
    await says(panel().getByRole('region', { name: 'Vectors and similarity' }), /4 vectors/);
    await panel().getByRole('tab', { name: 'Chat' }).click();
    await says(lane(), 'after 1 step');
  });
});
