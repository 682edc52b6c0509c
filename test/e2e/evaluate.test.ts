// An evaluation in a real VS Code, from the example to the sentence that decides: started, stopped, and continued after a reload of
// the window in the middle. A server counts and holds the requests. The tests depend on their order.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Keyboard,
  Panel,
  root,
  runCommand,
  screenshotInThemes,
  startCountedDemo,
  stopAtFailure,
  waitUntilKept,
  Workbench,
} from './support';
import type { CountedDemo } from './support';

/** The example on a server that waits: the built-in demo is so fast that the whole may end before it is stopped. */
const NAME = 'held.playground.json';
const TITLE = 'On a server that waits';
/** Lanes × rows × repeats. */
const SAMPLES = 360;

let demo: CountedDemo;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const frame = () => panel.frame;
const tab = (name: string): Locator => frame().getByRole('tab', { name, exact: true });
const says = (text: string | RegExp): Promise<void> => frame().getByText(text).first().waitFor();
/** Waits for what the panel says of the evaluation. */
const plan = (text: RegExp): Promise<void> => frame().locator('.plan').filter({ hasText: text }).waitFor();

const openExample = (): Promise<void> =>
  panel.replace(
    async () => {
      await runCommand(page(), 'Provider Playground: Choose Example…');
      await page()
        .locator('.quick-input-list .monaco-list-row', { hasText: 'Which model is more reliable?' })
        .click();
    },
    frame().getByRole('tab', { name: 'Evaluate', selected: true }),
  );

function writeHeldExample(): void {
  const example = readFileSync(join(root, 'media', 'examples', 'reliability.playground.json'), 'utf8');
  const text = example
    .replaceAll('"connection": "demo"', '"connection": "own"')
    .replace('Which model is more reliable?"', `${TITLE}"`);
  writeFileSync(join(workbench.folder, NAME), text);
}

beforeAll(async () => {
  demo = await startCountedDemo();
  const own = { label: 'Own', provider: 'hosted-api', host: demo.host, model: 'native-call', auth: 'none' };
  const settings = {
    'providerPlayground.connections': { own },
    'providerPlayground.maxConcurrentRequests': 1,
  };
  workbench = await Workbench.open({ viewport: { width: 1440, height: 900 }, settings });
  writeHeldExample();
  panel = await Panel.open(page());
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await demo?.[Symbol.asyncDispose]();
});

describe('an evaluation', () => {
  it('opens from the example, and says what it will send', async () => {
    await openExample();
    await says(/3 lanes × 12 rows × 10 = 360/);
    await screenshotInThemes(page(), workbench.folder, 'evaluate before');
  });

  it('asks before it sends, runs, and can be stopped', async () => {
    await panel.replace(() => new Keyboard(page()).openFile(NAME));
    // As no file, like the example: after a reload its page has to find it again.
    await panel.replace(() => runCommand(page(), 'Provider Playground: Duplicate Playground'));
    await tab('Evaluate').click();
    demo.allow(20);
    await panel.button('Evaluate').click();
    expect(demo.asked()).toEqual([]);
    await frame().getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
    await plan(/^\s*20 of 360/);
    await panel.button('Stop').click();
    await plan(/^\s*Stopped: 20 of 360/);
  });

  it('goes on after a reload of the window in the middle, and sends nothing twice', async () => {
    await waitUntilKept(page(), TITLE);
    demo.allow(30);
    // What was confirmed at the start goes on without a question.
    await panel.button('Continue').click();
    await plan(/^\s*50 of 360/);
    await page().reload();
    panel = new Panel(page());
    await tab('Evaluate').click();
    demo.allow();
    await panel.button('Continue').click();
    await panel.button('Continue').waitFor({ state: 'hidden' });
    await plan(/^\s*360 samples/);
    expect(demo.answered.length).toBe(SAMPLES);
  });

  it('decides one comparison and not the other', async () => {
    await says(/flaky is \d+ points worse than native-call \(12 rows, p [<=] 0\.00\d+\): decided\./);
    await says(/hermes-text is 25 points worse than native-call \(12 rows, p = 0\.25\): not decided/);
    await screenshotInThemes(page(), workbench.folder, 'evaluate done');
  });

  it('shows the samples of a cell, failing first, and why one failed', async () => {
    await frame().getByText('7/10', { exact: true }).first().click();
    await frame()
      .getByText(/expected get_weather \{"city":"Oslo"/)
      .first()
      .click();
    await says('No call was made; expected get_weather {"city":"Oslo" (any case)}.');
    await screenshotInThemes(page(), workbench.folder, 'evaluate sample');
  });
});
