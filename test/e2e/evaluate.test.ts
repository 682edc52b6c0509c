// An evaluation in a real VS Code, from the example to the sentence that decides: started, stopped, and continued after a reload of
// the window in the middle. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, runCommand, screenshotInThemes, stopAtFailure, waitUntilKept, Workbench } from './support';

let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const frame = () => panel.frame;
const tab = (name: string): Locator => frame().getByRole('tab', { name, exact: true });
const says = (text: string | RegExp): Promise<void> => frame().getByText(text).first().waitFor();

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

const isUnderWay = (): Promise<void> =>
  frame()
    .getByText(/left|under way/)
    .first()
    .waitFor();

/** What was confirmed at the start goes on without a question. */
async function goOn(): Promise<void> {
  await panel.button('Continue').click();
  await isUnderWay();
}

beforeAll(async () => {
  // One request at a time: the demo is so fast that the whole would end before it can be stopped.
  const settings = { 'providerPlayground.maxConcurrentRequests': 1 };
  workbench = await Workbench.open({ viewport: { width: 1440, height: 900 }, settings });
  panel = await Panel.open(page());
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('an evaluation', () => {
  it('opens from the example, and says what it will send', async () => {
    await openExample();
    await says(/3 lanes × 12 rows × 10 = 360/);
    await screenshotInThemes(page(), workbench.folder, 'evaluate before');
  });

  it('asks before it sends, runs, and can be stopped', async () => {
    await panel.button('Evaluate').click();
    await frame().getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
    await isUnderWay();
    await panel.button('Stop').click();
    await panel.button('Continue').waitFor();
    const [, done = '0'] = /Stopped: (\d+) of 360/.exec(await frame().locator('body').innerText()) ?? [];
    expect(Number(done)).toBeLessThan(360);
  });

  it('goes on after a reload of the window in the middle', async () => {
    await waitUntilKept(page(), 'Which model is more reliable?');
    await goOn();
    await page().reload();
    panel = new Panel(page());
    await tab('Evaluate').click();
    await goOn();
    await panel.button('Continue').waitFor({ state: 'hidden' });
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
