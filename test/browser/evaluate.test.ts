// The view *Evaluate* of a made-up evaluation: its layout at four widths, its table by keyboard, and checks with axe-core in all
// themes. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeViolations } from '../support/panel/find-axe-violations';
import type { Panel } from '../support/panel/panel';
import { screenshot, stopAtFailure } from '../support/panel/pictures';
import type { Script } from '../support/panel/scripted-evaluation';
import { scriptCase, scriptEvaluation, scriptRows, scriptSample } from '../support/panel/scripted-evaluation';
import { Extension, firstTheme, themeNames } from './support/extension';

let extension: Extension;
let panel: Panel;
let version = 0;
/** Number of times that rows were asked for. */
let asked = 0;

function play(script: Script): void {
  version += 1000;
  extension.play({
    evaluation: { ...scriptEvaluation(script), version },
    answers: {
      'evaluation/rows': (params) => {
        asked++;
        return scriptRows(script, params);
      },
      'evaluation/case': scriptCase,
      'evaluation/sample': (place) => scriptSample(place),
    },
  });
}

const page = (): Locator => panel.frame.locator('html');
const table = (): Locator => panel.frame.getByRole('grid', { name: 'Rows and lanes' });

beforeAll(async () => {
  extension = await Extension.start({ width: 1440, height: 900 });
  panel = await extension.openPlayground();
});
stopAtFailure(() => [extension.page]);
afterAll(() => extension?.close());

describe('the view Evaluate', () => {
  it('says what an evaluation is, before anything is expected', async () => {
    play({ rows: 1, state: 'before' });
    await panel.frame.getByRole('tab', { name: 'Evaluate', exact: true }).click();
    await panel.says(panel.frame.locator('.stage'), /counts how often the reply is the one you expect/);
    expect(await findAxeViolations(page())).toEqual([]);
    await screenshot(extension.page, 'evaluate-empty');
  });

  it('shows lanes, sentences and rows, and a sample below its cell', async () => {
    play({});
    await table().getByText('oslo', { exact: true }).waitFor();
    await screenshot(extension.page, 'evaluate-done');
    await table().locator('#case-2-0').click();
    await panel.says(panel.inspector, '6 of 10 passed');
    await screenshot(extension.page, 'evaluate-case');
    await panel.inspector.getByRole('option').first().click();
    await panel.says(panel.inspector, 'asks for the right call');
    await screenshot(extension.page, 'evaluate-sample');
  });

  it.each(themeNames)('has no violation in the theme %s', async (theme) => {
    await extension.setTheme(theme);
    expect(await findAxeViolations(page(), theme === firstTheme ? 'all' : 'colours')).toEqual([]);
    await screenshot(extension.page, `evaluate axe ${theme}`);
  });

  it('leads back by Escape, from the sample to the cell', async () => {
    await extension.setTheme(firstTheme);
    await panel.inspector.locator('.pane').focus();
    await extension.page.keyboard.press('Alt+ArrowDown');
    await panel.says(panel.inspector, 'Sample 2 of 10');
    await extension.page.keyboard.press('Escape');
    await panel.says(panel.inspector, '6 of 10 passed');
    await expect.poll(() => panel.inspector.getByText('Sample 2 of 10').count()).toBe(0);
    await extension.page.keyboard.press('Escape');
    await panel.says(panel.inspector, /Select a cell/);
    await expect.poll(() => extension.page.evaluate('document.activeElement.className')).toContain('cases');
  });

  it('shows the rows of a part of a bar by keyboard, and all of them again', async () => {
    const part = panel.frame.getByRole('button', { name: /^malformed: \d+ of hermes-text$/ });
    await panel.frame.getByRole('button', { name: /^rescued: \d+ of hermes-text$/ }).focus();
    await extension.page.keyboard.press('ArrowRight');
    await extension.page.keyboard.press('Enter');
    const chip = panel.frame.getByRole('button', { name: 'hermes-text: malformed' });
    await chip.waitFor();
    expect(await part.getAttribute('aria-pressed')).toBe('true');
    expect(await findAxeViolations(page())).toEqual([]);
    await screenshot(extension.page, 'evaluate-part');
    await chip.focus();
    await extension.page.keyboard.press('Space');
    await expect.poll(() => part.getAttribute('aria-pressed')).toBe('false');
    expect(await chip.count()).toBe(0);
  });

  it('moves by cell with the keyboard through 5,000 rows', async () => {
    play({ rows: 5000 });
    await expect.poll(() => table().getAttribute('aria-rowcount')).toBe('5001');
    await table().focus();
    const active = (): Promise<string | null> => table().getAttribute('aria-activedescendant');
    await extension.page.keyboard.press('Control+End');
    await expect.poll(active).toBe('case-4999-2');
    await table().getByText('row-5000', { exact: true }).waitFor();
    await extension.page.keyboard.press('Home');
    await extension.page.keyboard.press('ArrowUp');
    await expect.poll(active).toBe('case-4998-0');
    await extension.page.keyboard.press('Enter');
    await panel.says(panel.inspector, 'row-4999');
    await extension.page.keyboard.press('F6');
    await expect.poll(() => extension.page.evaluate('document.activeElement.className')).toContain('pane');
    await extension.page.keyboard.press('F6');
    await expect.poll(() => extension.page.evaluate('document.activeElement.className')).toContain('cases');
    await extension.page.keyboard.press('Control+Home');
    await table().getByText('oslo', { exact: true }).waitFor();
    expect(await table().getByRole('row').count()).toBeLessThan(100);
  });

  it('draws few rows, whichever it scrolls to, and asks seldom', async () => {
    const before = asked;
    const most = await extension.page.evaluate(`new Promise((resolve) => {
      const pane = document.querySelector('.page');
      let most = 0;
      let steps = 60;
      const step = () => {
        pane.scrollTop += 900;
        steps--;
        most = Math.max(most, document.querySelectorAll('.cases [role=row]').length);
        if (steps > 0) requestAnimationFrame(step);
        else resolve(most);
      };
      step();
    })`);
    expect(most).toBeLessThan(100);
    // A window has 120 rows, of which each step scrolls 36.
    expect(asked - before).toBeLessThanOrEqual(60);
    await table()
      .getByText(/^row-2\d\d\d$/)
      .first()
      .waitFor();
  });

  it.each([
    [1044, 450],
    [400, 900],
  ])(
    'brings what is opened into sight at %i × %i pixels, and leads back to the cell',
    async (width, height) => {
      await extension.resize({ width, height });
      play({ rows: 200 });
      await expect.poll(() => table().getAttribute('aria-rowcount')).toBe('201');
      await table().focus();
      await extension.page.keyboard.press('Control+Home');
      await extension.page.keyboard.press('ArrowDown');
      await extension.page.keyboard.press('Enter');
      const topOf = async (place: Locator): Promise<number> => (await place.boundingBox())?.y ?? Infinity;
      await expect.poll(() => topOf(panel.inspector)).toBeLessThan(height - 120);
      await panel.says(panel.inspector, 'bergen');
      await screenshot(extension.page, `evaluate-sight-${width}`);
      await panel.inspector.locator('.pane').focus();
      await extension.page.keyboard.press('Escape');
      await expect
        .poll(() => topOf(table().locator('#case-1-0')))
        .toSatisfy((top: number) => top > 60 && top < height);
    },
  );

  it.each(['running', 'stopped', 'baseline'] as const)('has no violation while it is %s', async (state) => {
    await extension.resize({ width: 1440, height: 900 });
    play({ state });
    await table().getByText('oslo', { exact: true }).waitFor();
    for (const theme of themeNames) {
      await extension.setTheme(theme);
      expect(await findAxeViolations(page(), theme === firstTheme ? 'all' : 'colours')).toEqual([]);
    }
    await extension.setTheme(firstTheme);
  });

  it.each([1440, 1044, 667, 400])('fits at %i pixels', async (width) => {
    await extension.resize({ width, height: 900 });
    for (const state of ['running', 'stopped', 'baseline', 'done'] as const) {
      play({ state });
      await table().getByText('oslo', { exact: true }).waitFor();
      await screenshot(extension.page, `evaluate-${state}-${width}`);
    }
    await table().locator('#case-2-0').click();
    await panel.says(panel.inspector, '6 of 10 passed');
    await panel.inspector.getByRole('option').first().click();
    await panel.says(panel.inspector, 'asks for the right call');
    await screenshot(extension.page, `evaluate-sample-${width}`);
    const isOverfull = (): Promise<boolean> =>
      page().evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    await expect.poll(isOverfull).toBe(false);
    expect(await findAxeViolations(page())).toEqual([]);
  });
});
