// A person's own tools in a real VS Code: created, imported, edited as JSON, mocked in three ways, and used in an agent run
// step by step. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { focusedLines, Panel, screenshot, screenshotFailures, Workbench } from './support';

let workbench: Workbench;
let panel: Panel;

const box = (name: string | RegExp): Locator => panel.frame.getByRole('textbox', { name }).first();
const view = (name: string): Promise<void> => panel.frame.getByRole('tab', { name, exact: true }).click();

/** Opens a select box and chooses an option by its text. */
async function pick(list: Locator, option: string): Promise<void> {
  await list.click();
  await panel.frame.getByRole('option', { name: option, exact: true }).first().click();
}

const mock = (number: number): Locator => panel.frame.locator('.mock').nth(number - 1);

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
  panel = await Panel.open(workbench.page);
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('a tool', () => {
  it('is created in the panel', async () => {
    const { keyboard } = workbench.page;
    await panel.frame.getByRole('tab', { name: 'Chat' }).focus();
    await keyboard.press('ArrowRight');
    await panel.button('Add tool').focus();
    await keyboard.press('Enter');
    await expect.poll(() => box('Name').inputValue()).toBe('new_tool');
    await expect.poll(() => panel.focused()).not.toBe('BODY');
    await box('Name').fill('get_station');
    await keyboard.press('Tab');
    await keyboard.type('Find the weather station of a city.');
    await panel.button('Add parameter').focus();
    await keyboard.press('Enter');
    const name = box('Parameter name');
    await name.waitFor();
    await name.fill('city');
    await name.press('Tab');
    await panel.says(panel.frame.locator('.tool-list'), 'get_station');
    await screenshot(workbench.page, 'tools-1-made');
  });

  it('is marked at once when its name is not valid', async () => {
    await box('Name').fill('get station');
    await panel.frame
      .getByText(/blank|space/i)
      .first()
      .waitFor();
    await box('Name').fill('get_station');
    await panel.frame
      .getByText(/blank|space/i)
      .first()
      .waitFor({ state: 'hidden' });
  });

  it('is imported from the clipboard', async () => {
    const parameters = { type: 'object', properties: { q: { type: 'string', minLength: 2 } } };
    const tools = [
      { type: 'function', function: { name: 'search_web', description: 'Search.', parameters } },
    ];
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(JSON.stringify(tools))})`);
    await panel.button('Import tools').first().click();
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await rows
      .filter({ hasText: /clipboard/i })
      .first()
      .click();
    await panel.says(panel.frame.locator('.tool-list'), 'search_web');
    await screenshot(workbench.page, 'tools-2-imported');
  });

  it('opens as JSON in a text editor, with its whole schema', async () => {
    await panel.frame.locator('.tool-row', { hasText: 'search_web' }).click();
    await panel.button('Edit as JSON search_web').click();
    const lines = focusedLines(workbench.page);
    await lines.waitFor();
    await expect.poll(() => lines.innerText()).toContain('minLength');
    await screenshot(workbench.page, 'tools-3-json');
    await workbench.page.keyboard.press('Control+w');
  });

  it('gets mocks by arguments, by call number, and one that asks the person', async () => {
    await view('Tools');
    await panel.frame.locator('.tool-row', { hasText: 'get_weather' }).click();
    await pick(mock(1).getByRole('combobox', { name: /^Answers/ }), 'When arguments match');
    await mock(1)
      .getByRole('textbox', { name: /[Aa]rguments/ })
      .fill('{ "city": "Bergen" }');
    await panel.button('Add mock').click();
    await pick(mock(2).getByRole('combobox', { name: /^Answers/ }), 'Call number');
    await mock(2).getByRole('textbox', { name: /^Call/ }).fill('2');
    await pick(mock(2).getByRole('combobox', { name: /^With/ }), 'Error');
    await mock(2)
      .getByRole('textbox', { name: /^Error/ })
      .fill('station is offline');
    await panel.button('Add mock').click();
    await pick(mock(3).getByRole('combobox', { name: /^Answers/ }), 'Always');
    await pick(mock(3).getByRole('combobox', { name: /^With/ }), 'Ask me');
    await screenshot(workbench.page, 'tools-4-mocks');
  });
});

describe('an agent run in step mode', () => {
  it('asks the person for a result, pauses after the step, and then runs on to the answer', async () => {
    await view('Chat');
    await panel.useModel('parallel-calls');
    await panel.message.fill('How is the weather in Oslo and in Bergen?');
    await panel.message.press('Tab');
    await panel.inMenu('Run step by step');
    const result = panel.frame.getByRole('textbox', { name: /Result of get_weather/ });
    await result.first().waitFor();
    await result.first().fill('{"temp_c": 7, "sky": "rain"}');
    await panel.button('Send result').first().click();
    await panel.says(panel.lane(), 'Paused');
    await screenshot(workbench.page, 'tools-5-paused');
    await panel.button('Run on').click();
    await panel.says(panel.lane(), 'Answer');
    await screenshot(workbench.page, 'tools-6-answer');
  });
});
