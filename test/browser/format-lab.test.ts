// The format lab as a person uses it: typed text, a very long one; and checks with axe-core in four themes. The tests depend on
// their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeViolations } from '../support/panel/find-axe-violations';
import { Keyboard } from '../support/panel/keyboard';
import { screenshot, stopAtFailure } from '../support/panel/pictures';
import { Extension, firstTheme, themeNames } from './support/extension';
import { showText } from './support/vscode';

let extension: Extension;
let keyboard: Keyboard;

const page = () => extension.page;
const box = (): Locator => page().getByRole('textbox', { name: 'Text to read' });
const outcomeSays = (text: string | RegExp): Promise<void> =>
  expect.poll(() => page().locator('.outcome').innerText()).toMatch(text);
const findings = (theme: string): Promise<string[]> =>
  findAxeViolations(page().locator('html'), theme === firstTheme ? 'all' : 'colours');

async function openLab(): Promise<void> {
  await extension.open('openFormatLab');
  await box().waitFor();
}

beforeAll(async () => {
  extension = await Extension.start({ width: 1600, height: 1000 });
  keyboard = new Keyboard(page(), page());
});
stopAtFailure(() => [page()]);
afterAll(() => extension?.close());

describe('a text in the format lab', () => {
  beforeAll(openLab);

  it('is read while it is typed', async () => {
    await screenshot(page(), 'lab-1-empty');
    await keyboard.goTo('textbox "Text to read"');
    await keyboard.type('Sure. <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}');
    await outcomeSays('Rescued · 1 call, hermes-json');
    await keyboard.type('</tool_call>');
    await page().locator('.lab-tools').getByText('get_weather(city)').first().waitFor();
    await page().locator('.spans').getByText('Rescued: get_weather').first().waitFor();
    await screenshot(page(), 'lab-2-typed');
    expect(await findings(firstTheme)).toEqual([]);
  });

  it('of one megabyte is read, and the lab still accepts typing', async () => {
    showText('A line of prose that says nothing, {"and": "some data"}.\n'.repeat(17_500));
    await extension.open('diagnoseText');
    await outcomeSays('No call · nothing in it looks like a call');
    // Reading its role and name would read its text, too.
    await box().focus();
    await keyboard.press('Control+Home');
    await page().keyboard.insertText('<tool_call>{"name": "a_tool", "arguments": {"b": 1}}</tool_call');
    await keyboard.type('>');
    await outcomeSays(/Rescued · 1 call|Left as text/);
    expect((await box().inputValue()).startsWith('<tool_call>{"name": "a_tool"')).toBe(true);
    await screenshot(page(), 'lab-7-megabyte');
  });
});

describe('the look of the lab', () => {
  beforeAll(openLab);

  it.each(themeNames)(
    'has no accessibility violation in the theme %s, without a text and with one',
    async (theme) => {
      await extension.setTheme(theme);
      await box().fill('');
      await page().getByRole('button', { name: 'Show an example' }).waitFor();
      await screenshot(page(), `lab-8 empty ${theme}`);
      expect(await findings(theme)).toEqual([]);
      await keyboard.goTo('button "Show an example"');
      await keyboard.press('Enter');
      await outcomeSays('Rescued · 1 call, hermes-json');
      await keyboard.goTo('button "Write as the next format"');
      await keyboard.press('Enter');
      await page().getByLabel('The calls, written').waitFor();
      await page().getByRole('table').waitFor();
      await screenshot(page(), `lab-8 example ${theme}`);
      expect(await findings(theme)).toEqual([]);
    },
  );

  it('has one column without horizontal overflow in a narrow panel', async () => {
    await extension.setTheme(firstTheme);
    await extension.resize({ width: 400 });
    const overfull = await page()
      .locator('body')
      .evaluate((body) => [body.ownerDocument.documentElement.scrollWidth, body.clientWidth]);
    expect(overfull[0]).toBeLessThanOrEqual(overfull[1] ?? 0);
    await screenshot(page(), 'lab-9-narrow');
    await page().getByRole('table').scrollIntoViewIfNeeded();
    await screenshot(page(), 'lab-9-narrow-table');
    expect(await findings(firstTheme)).toEqual([]);
  });
});
