// The walkthrough, by keyboard: from the welcome of the connections view, step by step, each done by its own button.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, runCommand, screenshot, screenshotFailures, screenshotInThemes, Workbench } from './support';

/** Each with its button, and what is there once it was pressed. */
const STEPS: readonly [title: string, button: string, appears: () => Locator][] = [
  ['See a first tool call', 'Open Playground', () => new Panel(page()).lane()],
  ['Connect a model of your own', 'Add Connection', () => quickInput('Add Connection (1/')],
  ['Find out what is wrong', 'Diagnose Connection', () => quickInput('Connection to diagnose')],
  ['Compare models', 'Open Example Playground', () => quickInput('Open Example Playground')],
  ['Keep it as a file', 'Save As Playground File', () => quickInput('Save')],
];

let workbench: Workbench;

const page = () => workbench.page;
const press = (key: string): Promise<void> => page().keyboard.press(key);
const quickInput = (title: string): Locator =>
  page().locator('.quick-input-widget', { hasText: title }).or(page().locator('.notification-list-item'));
const step = (title: string): Locator => page().locator('.getting-started-step', { hasText: title });
const checkbox = (title: string): Locator => step(title).getByRole('checkbox');

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1500, height: 900 } });
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

/** Not for long. @returns whether it was there */
const waitFor = (place: Locator): Promise<boolean> =>
  place.waitFor({ timeout: 5000 }).then(
    () => true,
    () => false,
  );

/** As the welcome of the connections view does it; what is open stays. */
async function openWalkthrough(): Promise<void> {
  const [[first] = ['']] = STEPS;
  if (await step(first).isVisible()) return;
  await runCommand(page(), 'Provider Playground: Focus on Connections View');
  await page().locator('a', { hasText: 'five first steps' }).focus();
  await press('Enter');
  await step(first).waitFor();
}

/** Opens it. The one after a step that was done opens by itself, and the same key would close it. */
async function select(title: string): Promise<void> {
  const opened = step(title).and(page().locator('[aria-expanded=true]'));
  const open = async (): Promise<boolean> => {
    if (!(await opened.isVisible())) {
      await step(title).focus();
      await press('Enter');
    }
    return waitFor(opened);
  };
  await expect.poll(open).toBe(true);
}

describe('the walkthrough', () => {
  it('is led to by the welcome of the connections view, with five steps to be done', async () => {
    await openWalkthrough();
    for (const [title] of STEPS) {
      expect(await checkbox(title).getAttribute('aria-checked'), title).toBe('false');
    }
  });

  it('has a picture for each step, in the colours of each theme', async () => {
    for (const [index, [title]] of STEPS.entries()) {
      await select(title);
      await screenshot(page(), `walkthrough-${index + 1}`);
    }
    await select('Find out what is wrong');
    await screenshotInThemes(page(), workbench.folder, 'walkthrough-3');
  });

  it.each(STEPS)('does “%s” by its button, and counts it as done', async (title, button, appears) => {
    await openWalkthrough();
    // the walkthrough may select another step in the moment of the key
    const act = async (): Promise<boolean> => {
      await select(title);
      await step(title).getByRole('button', { name: button }).focus();
      await press('Enter');
      return waitFor(appears().first());
    };
    await expect.poll(act).toBe(true);
    await press('Escape');
    await openWalkthrough();
    await expect.poll(() => checkbox(title).getAttribute('aria-checked')).toBe('true');
  });
});
