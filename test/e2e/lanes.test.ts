// Several models side by side in a real VS Code, asked at once; one fails and one slow lane is stopped. The tests depend on
// their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, screenshot, screenshotFailures, Workbench } from './support';

let workbench: Workbench;
let panel: Panel;

const regions = (): Locator => panel.frame.getByRole('region', { name: /^Lane \d$/ });

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1800, height: 1000 } });
  panel = await Panel.open(workbench.page);
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('lanes', () => {
  it('are added side by side, each with its own model', async () => {
    await panel.button('Add lane').click();
    await panel.lane(2).waitFor();
    await panel.button('Add lane').click();
    await panel.lane(3).waitFor();
    for (const [index, model] of ['native-call', 'unavailable', 'slow'].entries()) {
      await panel.useModel(model, index + 1);
    }
    const boxes = await Promise.all([1, 2, 3].map((number) => panel.lane(number).boundingBox()));
    const lefts = boxes.map((box) => box?.x ?? 0);
    expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
    expect(boxes.every((box) => box && box.width >= 280)).toBe(true);
  });

  it('are asked at once; a failing lane and a slow lane do not affect the others', async () => {
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(1), 'Native');
    await panel.says(panel.lane(2), /Failed/);
    await panel.says(panel.lane(2), /503 after 3 attempts/);
    await panel.says(panel.lane(3), /Waiting for headers/);
    await screenshot(workbench.page, 'lanes-1-running');
  });

  it('are stopped one by one', async () => {
    await panel.button('Stop lane', panel.lane(3)).click();
    await panel.says(panel.lane(3), 'Stopped');
    await panel.says(panel.lane(1), 'Native');
    await screenshot(workbench.page, 'lanes-2-stopped');
  });

  it('compare a model with itself without rescue, by one item of the lane menu', async () => {
    await panel.button('Remove lane', panel.lane(3)).or(panel.lane(3)).first().waitFor();
    await panel.inMenu('Remove lane', 3);
    await expect.poll(() => regions().count()).toBe(2);
    await panel.useModel('hermes-text', 1);
    await panel.inMenu('Remove lane', 2);
    await panel.button('Clear conversation', panel.lane(1)).click();
    await panel.button('More actions', panel.lane(1)).click();
    await panel.frame
      .getByRole('menuitem', { name: /rescue off/i })
      .first()
      .click();
    await expect.poll(() => regions().count()).toBe(2);
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(1), 'Rescued');
    await panel.says(panel.lane(2), 'None');
    await screenshot(workbench.page, 'lanes-3-compared');
  });
});
