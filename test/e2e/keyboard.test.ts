// Uses the walkthrough and then the panel in a real VS Code by keyboard alone: no click, no text set by script; in the panel no
// focus moved by script. What a person does in the panel after that, the tests in a plain browser do. The tests depend on
// their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyboard, Panel, runCommand, stopAtFailure, Workbench } from './support';

let workbench: Workbench;
let panel: Panel;
let keyboard: Keyboard;

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
  panel = new Panel(workbench.page);
  keyboard = new Keyboard(workbench.page);
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('the walkthrough', () => {
  /** Title of each step, its button, and what the button opens. */
  const STEPS: readonly [title: string, button: string, appears: () => Locator][] = [
    ['See a first tool call', 'Open Playground', () => new Panel(page()).lane()],
    ['Connect your own model', 'Add Connection', () => quickInput('Add Connection (1/')],
    ['Find out what is wrong', 'Diagnose Connection', () => quickInput('Connection to diagnose')],
    ['Compare models', 'Choose Example', () => quickInput('Choose Example')],
    ['Keep it as a file', 'Save As Playground File', () => quickInput('Save')],
  ];

  const page = () => workbench.page;
  const press = (key: string): Promise<void> => page().keyboard.press(key);
  const quickInput = (title: string): Locator =>
    page().locator('.quick-input-widget', { hasText: title }).or(page().locator('.notification-list-item'));
  const step = (title: string): Locator => page().locator('.getting-started-step', { hasText: title });
  const checkbox = (title: string): Locator => step(title).getByRole('checkbox');

  /** Time limit of one try, in milliseconds; a try that fails is repeated. */
  const TRY_MS = 5000;
  const waitFor = (place: Locator): Promise<boolean> =>
    place.waitFor({ timeout: TRY_MS }).then(
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
        await step(title).focus({ timeout: TRY_MS });
        await press('Enter');
      }
      return waitFor(opened);
    };
    await expect.poll(open).toBe(true);
  }

  it('opens from the Connections view, with five open steps', async () => {
    await openWalkthrough();
    for (const [title] of STEPS) {
      expect(await checkbox(title).getAttribute('aria-checked'), title).toBe('false');
    }
  });

  it.each(STEPS)('completes “%s” by its button', async (title, button, appears) => {
    await openWalkthrough();
    // The walkthrough may expand another step just before the key is pressed.
    const act = async (): Promise<boolean> => {
      // The playground covers the walkthrough, on a busy machine long before it has contents.
      if (await step(title).isVisible()) {
        await select(title);
        await step(title).getByRole('button', { name: button }).focus({ timeout: TRY_MS });
        await press('Enter');
      }
      return waitFor(appears().first());
    };
    await expect.poll(act, { timeout: 100_000 }).toBe(true);
    await press('Escape');
    await openWalkthrough();
    await expect.poll(() => checkbox(title).getAttribute('aria-checked')).toBe('true');
  });
});

describe('by keyboard alone', () => {
  it('a person opens the playground, types a message and runs it', async () => {
    // With a second tab open: VS Code would switch to it if it handled the panel's own keys (Alt+1).
    await keyboard.command('File: New Untitled Text File');
    await keyboard.command('Provider Playground: Open Playground');
    await panel.lane().waitFor();
    await keyboard.goTo('tab "Chat"');
    await keyboard.press('Alt+0');
    await keyboard.arrive('textbox "Message"');
    await keyboard.replace('How is the weather in Oslo?');
    await keyboard.press('Control+Enter');
    await panel.says(panel.lane(), 'Rescued');
    await panel.says(panel.lane(), 'How is the weather in Oslo?');
  });
});
