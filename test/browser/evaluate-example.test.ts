// The example *Which model is more reliable?* in the built panel, from its first click to the sentence that decides: with the
// whole extension and its demo server behind the page. The tests depend on their order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeViolations } from '../support/panel/find-axe-violations';
import { Panel } from '../support/panel/panel';
import { screenshot, stopAtFailure } from '../support/panel/pictures';
import { Extension } from './support/extension';

let extension: Extension;
let panel: Panel;

beforeAll(async () => {
  extension = await Extension.start({ width: 1440, height: 900 });
  await extension.open('openExample', 'reliability');
  panel = new Panel(extension.page);
  await panel.frame.getByRole('tab', { name: 'Evaluate', selected: true }).waitFor();
});
stopAtFailure(() => [extension.page]);
afterAll(() => extension?.close());

describe('the example of an evaluation', () => {
  it('says what it would send, and asks before it does', async () => {
    await panel.says(panel.frame.locator('.plan'), /3 lanes × 12 rows × 10 = 360 requests/);
    await screenshot(extension.page, 'example-before');
    await panel.button('Evaluate').click();
    await panel.frame.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await screenshot(extension.page, 'example-running');
  });

  it('says at its end who is better and whether that is decided', async () => {
    await panel.says(panel.frame.locator('.plan'), /360 samples/);
    await panel.says(panel.frame.locator('.versus'), 'decided');
    await screenshot(extension.page, 'example-done');
    expect(await findAxeViolations(panel.frame.locator('html'))).toEqual([]);
  });

  it('leads from a cell to a failing sample that explains itself', async () => {
    await panel.frame.getByRole('button', { name: /^Failing/ }).click();
    const cell = panel.frame.locator('.cases td:has(.v-failed)').first();
    await cell.click();
    await panel.inspector.getByRole('option').first().click();
    await panel.says(panel.inspector, 'expected');
    await screenshot(extension.page, 'example-sample');
    for (const tab of ['Reply', 'Attempts', 'Wire']) await panel.openTab(tab);
    await screenshot(extension.page, 'example-wire');
  });

  it('judges the stored samples again when an expectation changes, and sends nothing', async () => {
    await panel.inspector.getByRole('tab', { name: /^Expectations/ }).click();
    await panel.inspector
      .getByRole('button', { name: /^Edit expectation/ })
      .first()
      .click();
    await panel.says(panel.inspector, 'Stored samples, judged again');
    await screenshot(extension.page, 'example-editor');
    expect(await findAxeViolations(panel.frame.locator('html'))).toEqual([]);
    await panel.button('Done', panel.inspector).click();
  });
});
