// The doctor in a real VS Code, on the demo: findings about replies that went wrong, and the buttons that fix the cause and
// send again. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findAxeViolations,
  Keyboard,
  Panel,
  screenshot,
  screenshotFailures,
  setPanelWidth,
  themes,
  type Theme,
  Workbench,
} from './support';

const QUESTION = 'What is the weather in Oslo?';

let workbench: Workbench;
let panel: Panel;
let keyboard: Keyboard;

const findings = (): Locator => panel.inspector.locator('.findings').first();
const remedy = (name: string): Locator => panel.button(name, panel.inspector);

/** Waits for the outcome of the lane. A search of the whole lane could match a model name with the same word. */
const verdict = (word: string): Promise<void> =>
  panel.lane().locator('.outcome b').getByText(word, { exact: true }).waitFor();

async function setText(name: string, value: string): Promise<void> {
  await panel.lane().getByRole('textbox', { name, exact: true }).fill(value);
  await panel.page.keyboard.press('Tab');
}

const axe = (theme: Theme): Promise<string[]> =>
  findAxeViolations(panel.frame.locator('pg-app'), theme === themes[0] ? 'all' : 'colours');

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
  panel = await Panel.open(workbench.page);
  keyboard = new Keyboard(workbench.page);
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('a finding', () => {
  it('about a call that stayed text turns rescue on and sends again, by keyboard alone', async () => {
    await panel.inSettings(async () => {
      await panel.chooseModel('hermes-text');
      await panel.lane().getByRole('checkbox', { name: 'Rescue tool calls' }).click();
    });
    await panel.ask(QUESTION);
    await verdict('None');
    await panel.says(panel.inspector, 'why there is no tool call');
    await panel.says(findings(), /reply, characters \d+ to \d+/);
    await panel.inspector.locator('.pane').focus();
    await keyboard.goTo('button "Send again with rescue on"', { region: 'Inspector' });
    await screenshot(panel.page, 'doctor-1-rescue-off');
    await keyboard.press('Enter');
    await verdict('Rescued');
    await panel.says(findings(), 'The call came as text.');
    // The focus stays in the inspector, where the new findings are.
    expect((await keyboard.where()).region).toBe('Inspector');
    expect(await remedy('Send again with rescue on').count()).toBe(0);
  });

  it('about a context that is too small enlarges it, and the model sees its tools again', async () => {
    await panel.inSettings(async () => {
      await panel.chooseModel('native-call');
      await setText('Context size', '32');
    });
    await panel.ask(QUESTION);
    await verdict('None');
    await panel.says(findings(), 'The context has room for 32 tokens');
    await panel.says(findings(), /request, \/options\/num_ctx/);
    await panel.says(panel.inspector, 'why there is no tool call');
    await screenshot(panel.page, 'doctor-2-context');
    await remedy('Send again with context size 4096').click();
    await verdict('Native');
    await panel.says(panel.inspector, /tokens per second/);
    await screenshot(panel.page, 'doctor-3-context-raised');
  });

  it('about a misspelled tool name renames the tool to the name that the model used', async () => {
    await panel.useModel('wrong-name');
    await panel.ask(QUESTION);
    await verdict('Malformed');
    await panel.says(findings(), 'The nearest tool is');
    await remedy('Rename get_weather to get_wether and send again').click();
    await verdict('Native');
    await panel.frame.getByRole('tab', { name: 'Tools' }).click();
    await panel.frame.getByText('get_wether').first().waitFor();
    await panel.frame.getByRole('tab', { name: 'Chat' }).click();
  });

  it('about a model that answers in prose sets the tool choice to required, and the model calls the tool', async () => {
    await panel.inSettings(async () => {
      await panel.chooseConnection('Demo (hosted protocol)');
      await panel.chooseModel('only-required');
    });
    await panel.ask(QUESTION);
    await verdict('None');
    await panel.says(findings(), /in prose and made no call/);
    await remedy('Ask the server about the model').click();
    await panel.says(panel.inspector, /The server (says|does not report)/);
    await remedy('Send again with tool choice required').click();
    await verdict('Native');
  });

  it('about arguments that were cut off says where, and raises the token limit', async () => {
    await panel.inSettings(async () => {
      await panel.chooseModel('native-call');
      await setText('Max tokens', '5');
    });
    await panel.ask(QUESTION);
    await verdict('Malformed');
    await panel.says(findings(), /cannot be read/);
    await panel.says(findings(), /arguments of call 1, character \d+/);
    await screenshot(panel.page, 'doctor-4-cut');
    await remedy('Send again with max tokens 1024').click();
    await verdict('Native');
  });
});

describe.each(themes)('in the theme %s', (theme) => {
  beforeAll(() => workbench.setTheme(theme));

  it('findings, evidence and buttons have no accessibility violation, in a wide and in a narrow panel', async () => {
    if (theme === themes[0]) {
      await panel.inSettings(async () => setText('Max tokens', '5'));
      await panel.ask(QUESTION);
      await verdict('Malformed');
      await remedy('Ask the server about the model').click();
      await panel.says(panel.inspector, 'The server was asked about the model.');
    }
    expect(await axe(theme)).toEqual([]);
    await screenshot(panel.page, `doctor wide ${theme}`);
    await setPanelWidth(panel.page, 400);
    await findings().scrollIntoViewIfNeeded();
    const isOverfull = (): Promise<boolean> =>
      panel.inspector.locator('.pane').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    expect(await isOverfull()).toBe(false);
    expect(await axe(theme)).toEqual([]);
    await screenshot(panel.page, `doctor narrow ${theme}`);
    await setPanelWidth(panel.page, 1500);
  });
});
