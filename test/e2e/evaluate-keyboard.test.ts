// The first minute of evaluations in a real VS Code as a newcomer has it, by keyboard alone: from the example to the sentence that
// decides, on to a cell that fails, its samples, one of them, what was expected, and back; then the filters and the editor of
// expectations. No click, no key, no network. The tests depend on their order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findAxeViolations,
  Keyboard,
  Panel,
  screenshot,
  screenshotInThemes,
  stopAtFailure,
  themes,
  Workbench,
} from './support';

let workbench: Workbench;
let panel: Panel;
let keyboard: Keyboard;

const page = () => workbench.page;
const frame = () => panel.frame;
const says = (text: string | RegExp): Promise<void> => frame().getByText(text).first().waitFor();
const press = (...keys: string[]): Promise<void> => keyboard.press(...keys);
/** The cell that the arrow keys are at: its row and its count. */
const activeCell = async (): Promise<string> => {
  const id = (await frame().locator('table.cases').getAttribute('aria-activedescendant')) ?? '';
  const cell = frame().locator(`[id="${id}"]`);
  return `${await cell.locator('xpath=..').locator('th').innerText()} ${await cell.locator('.kn').innerText()}`;
};

/** All rules of axe in the first theme, and those of colours in all of them. */
async function findNothingInThemes(): Promise<void> {
  expect(await findAxeViolations(frame().locator('html'))).toEqual([]);
  for (const theme of themes) {
    await workbench.setTheme(theme);
    expect(await findAxeViolations(frame().locator('html'), 'colours'), theme).toEqual([]);
  }
  await workbench.setTheme(themes[0]);
}

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1440, height: 900 } });
  panel = new Panel(workbench.page);
  keyboard = new Keyboard(workbench.page);
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('by keyboard alone', () => {
  it('a newcomer comes from the example to what is decided', async () => {
    await panel.replace(
      async () => {
        await keyboard.command('Provider Playground: Choose Example…');
        await page().getByText('Choose Example', { exact: true }).waitFor();
        await page().locator('.quick-input-widget input[type="text"]:focus').waitFor();
        await press('ArrowDown');
        await page()
          .locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Which model is more reliable?' })
          .waitFor();
        await press('Enter');
      },
      frame().getByRole('tab', { name: 'Evaluate', selected: true }),
    );
    await screenshot(page(), 'first minute 1 example');
    await keyboard.goTo('tab "Evaluate"');
    await says(/3 lanes × 12 rows × 10 = 360/);
    await press('Control+Enter');
    await keyboard.arrive('button "Start"');
    await screenshot(page(), 'first minute 2 question');
    await press('Enter');
    await says(/: decided\./);
    await screenshot(page(), 'first minute 3 decided');
  });

  it('walks to a cell that fails, its samples, one of them, and back', async () => {
    await keyboard.goTo('button "All 12"');
    await keyboard.goTo('grid "Rows and lanes"');
    await press('End');
    expect(await activeCell()).toBe('oslo 7/10');
    await press('Enter');
    await frame().locator('td[aria-selected=true]').waitFor();
    await screenshot(page(), 'keys 1 cell');
    await press('F6');
    await keyboard.goTo('listbox');
    await press('Enter');
    await says('No call was made; expected get_weather {"city":"Oslo" (any case)}.');
    await screenshotInThemes(page(), workbench.folder, 'keys 2 sample');
    await press('Escape');
    await press('Escape');
    await keyboard.goTo('grid "Rows and lanes"', { by: 'Shift+Tab' });
    expect(await activeCell()).toBe('oslo 7/10');
  });

  it('shows only rows that fail', async () => {
    await keyboard.goTo('button "Flaky', { by: 'Shift+Tab' });
    await press('Space');
    await keyboard.goTo('grid "Rows and lanes"');
    await screenshot(page(), 'keys 3 flaky');
  });

  it('edits what is expected, readable in every theme', async () => {
    await keyboard.goTo('button "Add expectation"', { by: 'Shift+Tab' });
    await press('Enter');
    await says('the reply must make these');
    await screenshotInThemes(page(), workbench.folder, 'keys 4 editor');
    await findNothingInThemes();
  });

  it('has menus of repeats and rows that are readable in every theme', async () => {
    await press('Escape');
    await keyboard.goTo('button "Add expectation"', { by: 'Shift+Tab' });
    await keyboard.goTo('button "Repeat ×10"', { by: 'Shift+Tab' });
    await press('Enter');
    await frame().getByRole('menuitem', { name: '×20' }).waitFor();
    await findNothingInThemes();
    await press('Escape');
    await keyboard.goTo('button "Rows file"');
    await press('Enter');
    await frame().getByRole('menuitem', { name: 'Use a rows file' }).waitFor();
    await findNothingInThemes();
    await press('Escape');
  });
});
