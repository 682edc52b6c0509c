// Uses the walkthrough by keyboard: opens it from the Connections view, and completes each step by its own button.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, runCommand, screenshot, screenshotFailures, screenshotInThemes, Workbench } from './support';

/** Title of each step, its button, and what the button opens. */
const STEPS: readonly [title: string, button: string, appears: () => Locator][] = [
  ['See a first tool call', 'Open Playground', () => new Panel(page()).lane()],
  ['Connect your own model', 'Add Connection', () => quickInput('Add Connection (1/')],
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

/** Waits at most five seconds. @returns whether the element appeared */
const waitFor = (place: Locator): Promise<boolean> =>
  place.waitFor({ timeout: 5000 }).then(
    () => true,
    () => false,
  );

/** Opens the walkthrough by the link in the Connections view, unless it is open. */
async function openWalkthrough(): Promise<void> {
  const [[first] = ['']] = STEPS;
  if (await step(first).isVisible()) return;
  await runCommand(page(), 'Provider Playground: Focus on Connections View');
  await page().locator('a', { hasText: 'five first steps' }).focus();
  await press('Enter');
  await step(first).waitFor();
}

/** Expands a step. VS Code expands the step after a completed one by itself, and Enter would then collapse it. */
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
  it('opens from the Connections view, with five open steps', async () => {
    await openWalkthrough();
    for (const [title] of STEPS) {
      expect(await checkbox(title).getAttribute('aria-checked'), title).toBe('false');
    }
  });

  it('expands each step, with its picture', async () => {
    for (const [index, [title]] of STEPS.entries()) {
      await select(title);
      await screenshot(page(), `walkthrough-${index + 1}`);
    }
    await select('Find out what is wrong');
    await screenshotInThemes(page(), workbench.folder, 'walkthrough-3');
  });

  it.each(STEPS)('completes “%s” by its button', async (title, button, appears) => {
    await openWalkthrough();
    // The walkthrough may expand another step just before the key is pressed.
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
