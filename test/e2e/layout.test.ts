// The layout of the panel at several widths, with real scroll bars. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, screenshot, screenshotFailures, setPanelHeight, setPanelWidth, Workbench } from './support';

interface LaneLayout {
  width: number;
  /** Height of the head: title, outcome, numbers, settings. */
  headHeight: number;
  /** Whether the content is wider than the lane. */
  isOverfull: boolean;
  /** Distance from the last button to the edge of the lane, or to its scroll bar. */
  gap: number;
}

let workbench: Workbench;
let panel: Panel;

const lanes = (): Locator => panel.frame.locator('.lanes');
const isScrolledSideways = (): Promise<boolean> =>
  lanes().evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

/** Measures each lane, from left to right. */
const layout = (): Promise<LaneLayout[]> =>
  panel.frame.locator('.lane').evaluateAll((all) =>
    all.map((lane) => {
      const box = lane.getBoundingClientRect();
      const more = lane.querySelector('pg-menu-button')?.getBoundingClientRect();
      return {
        width: box.width,
        headHeight: lane.querySelector('.strip')?.getBoundingClientRect().height ?? 0,
        isOverfull: lane.scrollWidth > lane.clientWidth,
        gap: box.left + lane.clientWidth - (more?.right ?? Number.POSITIVE_INFINITY),
      };
    }),
  );

const fits = (all: readonly LaneLayout[]): boolean =>
  all.length > 0 && all.every(({ width, isOverfull, gap }) => width >= 280 && !isOverfull && gap >= 8);

const inspectorWidth = async (): Promise<number> => (await panel.inspector.boundingBox())?.width ?? 0;

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
  panel = await Panel.open(workbench.page);
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('the layout', () => {
  it('shows three lanes side by side, with heads of the same height, at 900 pixels and wider', async () => {
    const barTop = async (): Promise<number | undefined> =>
      (await panel.frame.locator('.bar').boundingBox())?.y;
    const top = await barTop();
    for (const number of [2, 3]) {
      await panel.button('Add lane').click();
      await panel.lane(number).waitFor();
    }
    // Everything that makes a head wide or high: marks of the best value, a second line, a failure.
    await panel.useModel('parallel-calls', 2);
    await panel.useModel('unavailable', 3);
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(1), 'Rescued');
    await panel.says(panel.lane(2), 'Native');
    await panel.says(panel.lane(3), 'Failed');
    // Opening and closing the lane settings has not moved the bar.
    expect(await barTop()).toBe(top);
    for (const width of [1440, 1200, 900]) {
      await setPanelWidth(workbench.page, width);
      await screenshot(workbench.page, `layout-${width}`);
      await expect.poll(layout).toSatisfy(fits);
      await expect.poll(isScrolledSideways).toBe(false);
      const all = await layout();
      expect(new Set(all.map(({ headHeight }) => headHeight)).size).toBe(1);
    }
  });

  it('shows the menu of a lane above the lanes beside it', async () => {
    await setPanelWidth(workbench.page, 900);
    // A long name makes the menu wider than the space on its left.
    await panel.useModel('somebody/a-model-with-a-long-name-that-no-server-has');
    await panel.button('More actions', panel.lane(1)).click();
    const covered = (): Promise<(string | null)[]> =>
      panel
        .lane(1)
        .getByRole('menuitem')
        .evaluateAll((items) =>
          items.slice(0, 4).flatMap((item) => {
            const { right, top, height } = item.getBoundingClientRect();
            const seen = item.ownerDocument.elementFromPoint(right - 8, top + height / 2);
            return item.contains(seen) ? [] : [item.textContent];
          }),
        );
    await screenshot(workbench.page, 'layout-menu');
    expect(await covered()).toEqual([]);
    await workbench.page.keyboard.press('Escape');
  });

  it('scrolls six lanes sideways and keeps each at its minimum width', async () => {
    await setPanelWidth(workbench.page, 1440);
    for (const number of [4, 5, 6]) {
      await panel.button('Add lane').click();
      await panel.lane(number).waitFor();
    }
    await screenshot(workbench.page, 'layout-six');
    await expect.poll(layout).toSatisfy(fits);
    await expect.poll(isScrolledSideways).toBe(true);
  });

  it('widens the inspector by arrow keys, and restores its width by Enter', async () => {
    const before = await inspectorWidth();
    const edge = panel.frame.getByRole('separator', { name: 'Size of the inspector' });
    await edge.press('ArrowLeft');
    await expect.poll(inspectorWidth).toBe(before + 16);
    await edge.press('Enter');
    await expect.poll(inspectorWidth).toBe(before);
  });

  it('has one column at 400 pixels, without horizontal overflow', async () => {
    await setPanelWidth(workbench.page, 400);
    await screenshot(workbench.page, 'layout-400');
    const parts = panel.frame.locator('.lane, .composer, .side, .bar');
    const wide = (): Promise<string[]> =>
      parts.evaluateAll((all) =>
        all
          .filter(
            (part) => part.getBoundingClientRect().right > part.ownerDocument.documentElement.clientWidth,
          )
          .map(({ className }) => className),
      );
    await expect.poll(() => parts.count()).toBeGreaterThan(6);
    await expect.poll(wide).toEqual([]);
  });

  it('keeps the message box at the bottom of the single column at every scroll position', async () => {
    const gapAt = (share: number): Promise<number> =>
      panel.frame.locator('html').evaluate((page, at) => {
        page.scrollTop = at * page.scrollHeight;
        const box = page.querySelector('.composer')?.getBoundingClientRect();
        return Math.round(page.clientHeight - (box?.bottom ?? 0));
      }, share);
    for (const height of [598, 618, 638]) {
      await setPanelHeight(workbench.page, height);
      for (const share of [0, 0.5, 1]) {
        await expect.poll(() => gapAt(share), { message: `at ${share} of ${height} px` }).toBe(0);
      }
    }
    await screenshot(workbench.page, 'layout-400-end');
  });

  it('has prose in the direction of its language, and without an indent the button for the rest of a long one', async () => {
    await setPanelWidth(workbench.page, 1440);
    await panel.message.fill(`שלום, Oslo!\n${'A line of prose.\n'.repeat(1200)}`);
    await panel.button('Run lane', panel.lane(1)).click();
    const text = panel.lane(1).locator('.turn.is-user .text', { hasText: 'Show all' });
    await text.getByRole('button', { name: 'Show all' }).scrollIntoViewIfNeeded();
    await screenshot(workbench.page, 'layout-prose');
    const indent = (): Promise<number> =>
      text.locator('.rest').evaluate((rest) => {
        const button = rest.querySelector('button')?.getBoundingClientRect();
        const words = rest.ownerDocument.createRange();
        words.selectNodeContents(rest);
        words.setEndBefore(rest.querySelector('button') ?? rest);
        const { left, bottom } = words.getBoundingClientRect();
        return button && button.top > bottom - 4 ? button.left - left : 0;
      });
    expect(await indent()).toBeLessThan(2);
    /** From the left edge of the text to the left edge of the character at the index. */
    const leftOf = (index: number): Promise<number> =>
      text.evaluate((part, at) => {
        const walker = part.ownerDocument.createTreeWalker(part, 4);
        while (walker.nextNode() && !walker.currentNode.nodeValue?.includes('Oslo'));
        const range = part.ownerDocument.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + 1);
        return range.getBoundingClientRect().left - part.getBoundingClientRect().left;
      }, index);
    // The first letter stands at the right of all that follows it in its paragraph, the mark at the end of it included.
    expect(await leftOf(0)).toBeGreaterThan(await leftOf(10));
  });
});
