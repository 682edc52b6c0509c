// The layout of the panel at several widths, with real scroll bars; and checks with axe-core that its views are accessible: all
// rules in the default theme, and the rules that depend on colours in the other three. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeViolations } from '../support/panel/find-axe-violations';
import type { Panel } from '../support/panel/panel';
import { screenshot, stopAtFailure } from '../support/panel/pictures';
import { Extension, firstTheme, themeNames } from './support/extension';

interface LaneLayout {
  width: number;
  /** Height of the head: title, outcome, numbers, settings. */
  headHeight: number;
  /** Whether the content is wider than the lane. */
  isOverfull: boolean;
  /** Distance from the last button to the edge of the lane, or to its scroll bar. */
  gap: number;
}

let extension: Extension;
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
  all.length > 0 &&
  all.every(({ width, isOverfull, gap }) => Math.round(width) >= 280 && !isOverfull && gap >= 8);

const inspectorWidth = async (): Promise<number> => (await panel.inspector.boundingBox())?.width ?? 0;

beforeAll(async () => {
  extension = await Extension.start({ width: 1440, height: 1000 });
});
stopAtFailure(() => [extension.page]);
afterAll(() => extension?.close());

describe('the layout', () => {
  beforeAll(async () => {
    panel = await extension.openPlayground();
  });

  it('shows three lanes side by side, with heads of the same height, where each has 280 pixels', async () => {
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
    for (const width of [1440, 1200, 843]) {
      await extension.resize({ width });
      await screenshot(extension.page, `layout-${width}`);
      await expect.poll(layout).toSatisfy(fits);
      await expect.poll(isScrolledSideways).toBe(false);
      const all = await layout();
      expect(new Set(all.map(({ headHeight }) => headHeight)).size).toBe(1);
    }
  });

  /** The share of the height that the conversations in sight have. */
  const roomOf = (): Promise<number> =>
    lanes().evaluate(({ ownerDocument }) => {
      const height = ownerDocument.querySelector('.lane-body')?.getBoundingClientRect().height ?? 0;
      return height / ownerDocument.documentElement.clientHeight;
    });

  /** Numbers and outcomes of the lanes that are out of sight and not named in the bar of lanes. */
  const unnamed = (): Promise<string[]> =>
    lanes().evaluate((all) => {
      const { right, left } = all.getBoundingClientRect();
      const named = [...all.ownerDocument.querySelectorAll('.lane-bar button')].map(
        ({ textContent }) => textContent,
      );
      return [...all.querySelectorAll('.lane')].flatMap((lane, index) => {
        const box = lane.getBoundingClientRect();
        const word = lane.querySelector('.outcome b')?.textContent ?? '?';
        const isInSight = box.left >= left - 1 && box.right <= right + 1;
        const isNamed = named[index]?.includes(String(index + 1)) && named[index].includes(word);
        return isInSight || isNamed ? [] : [`${index + 1} ${word}`];
      });
    });

  it('is one column where the window is low, in which the conversation of a lane is whole', async () => {
    const isWhole = (): Promise<boolean> =>
      panel.frame
        .locator('.lane.is-current > .lane-body')
        .evaluate(({ clientHeight, scrollHeight }) => clientHeight > 60 && scrollHeight <= clientHeight + 1);
    await extension.resize({ width: 1440, height: 240 });
    await expect.poll(isWhole).toBe(true);
    await screenshot(extension.page, 'layout-1440-low');
    await extension.resize({ width: 1440, height: 1000 });
  });

  it('leaves half of the height to the conversation from 660 to 1050 pixels, and names all lanes', async () => {
    // The height of the panel in a window of 900 pixels.
    await extension.resize({ height: 813 });
    for (const width of [1050, 960, 899, 843, 660]) {
      await extension.resize({ width });
      for (const inspector of ['as it comes', 'the other way']) {
        const message = `at ${width} pixels, with the inspector ${inspector}`;
        await expect.poll(roomOf, { message }).toBeGreaterThanOrEqual(0.5);
        await expect.poll(unnamed, { message }).toEqual([]);
        await extension.page.keyboard.press('Alt+i');
      }
      await screenshot(extension.page, `room-${width}`);
    }
    // The inspector stands right, and the bar leads to a lane that is out of sight.
    await extension.resize({ width: 900 });
    expect(await inspectorWidth()).toBe(360);
    await panel.frame.locator('.lane-bar button').nth(0).click();
    await expect.poll(() => panel.focused()).toBe('Lane 1');
    await expect.poll(() => panel.lane(1).boundingBox()).toMatchObject({ x: 0 });
    await extension.resize({ height: 1000 });
  });

  it('draws the lines of a lane to its edge', async () => {
    const gaps = panel.frame.locator('.lane').evaluateAll((all) =>
      all.map((lane) => {
        const band = lane.querySelector('.outcome')?.getBoundingClientRect().right ?? 0;
        return lane.getBoundingClientRect().right - band;
      }),
    );
    expect(Math.max(...(await gaps))).toBeLessThanOrEqual(1);
  });

  it('shows the menu of a lane above the lanes beside it', async () => {
    await extension.resize({ width: 900 });
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
    await screenshot(extension.page, 'layout-menu');
    expect(await covered()).toEqual([]);
    await extension.page.keyboard.press('Escape');
  });

  it('scrolls six lanes sideways and keeps each at its minimum width', async () => {
    await extension.resize({ width: 1440 });
    for (const number of [4, 5, 6]) {
      await panel.button('Add lane').click();
      await panel.lane(number).waitFor();
    }
    await screenshot(extension.page, 'layout-six');
    await expect.poll(layout).toSatisfy(fits);
    await expect.poll(isScrolledSideways).toBe(true);
  });

  it('keeps the buttons of a lane in place while its settings open', async () => {
    const toggle = panel.button('Lane settings', panel.lane(2));
    await toggle.scrollIntoViewIfNeeded();
    const place = async (): Promise<number | undefined> => (await toggle.boundingBox())?.x;
    const before = await place();
    await toggle.click();
    await panel.lane(2).locator('.settings').waitFor();
    expect(await place()).toBe(before);
    await toggle.click();
    await panel.lane(2).locator('.settings').waitFor({ state: 'hidden' });
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
    await extension.resize({ width: 400 });
    await screenshot(extension.page, 'layout-400');
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

  it('opens the settings of a folded lane by one click, although the lane above it folds', async () => {
    await panel.lane(1).locator('.lane-title .expand').click();
    await panel.button('Lane settings', panel.lane(2)).click();
    await panel.lane(2).locator('.settings').waitFor();
    await panel.button('Lane settings', panel.lane(2)).click();
    await panel.lane(2).locator('.settings').waitFor({ state: 'hidden' });
  });

  it('keeps the message box at the bottom of the single column at every scroll position', async () => {
    const gapAt = (share: number): Promise<number> =>
      panel.frame.locator('html').evaluate((page, at) => {
        page.scrollTop = at * page.scrollHeight;
        const box = page.querySelector('.composer')?.getBoundingClientRect();
        return Math.round(page.clientHeight - (box?.bottom ?? 0));
      }, share);
    for (const height of [598, 618, 638]) {
      await extension.resize({ height });
      for (const share of [0, 0.5, 1]) {
        await expect.poll(() => gapAt(share), { message: `at ${share} of ${height} px` }).toBe(0);
      }
    }
    await screenshot(extension.page, 'layout-400-end');
  });

  it('shows prose in the direction of its language, and the button for the rest of a long text without an indent', async () => {
    await extension.resize({ width: 1440 });
    await panel.message.fill(`שלום, Oslo!\n${'A line of prose.\n'.repeat(1200)}`);
    await panel.button('Run lane', panel.lane(1)).click();
    const text = panel.lane(1).locator('.turn.is-user .text', { hasText: 'Show all' });
    await text.getByRole('button', { name: 'Show all' }).scrollIntoViewIfNeeded();
    await screenshot(extension.page, 'layout-prose');
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

describe('the accessibility', () => {
  /** Opens a playground with a rescued call, a failure, and a finding with its remedies; the settings of a lane are open. */
  async function fillPanel(): Promise<void> {
    panel = await extension.openPlayground();
    for (const number of [2, 3]) {
      await panel.button('Add lane').click();
      await panel.lane(number).waitFor();
    }
    await panel.useModel('unavailable', 2);
    await panel.button('Lane settings', panel.lane(3)).click();
    await panel.chooseConnection('Demo (hosted protocol)', 3);
    await panel.chooseModel('native-call', 3);
    await panel.lane(3).getByRole('textbox', { name: 'Max tokens', exact: true }).fill('5');
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(1), 'Rescued');
    await panel.says(panel.lane(2), 'Failed');
    await panel.says(panel.lane(3), 'Malformed');
    await showFindings();
    await panel.button('Ask the server about the model', panel.inspector).click();
    await panel.says(panel.inspector, 'The server was asked about the model.');
  }

  async function showFindings(): Promise<void> {
    await panel.lane(3).locator('.call .head').first().click();
    await panel.openTab('Reply');
    await panel.says(panel.inspector.locator('.findings'), /arguments of call 1, character \d+/);
  }

  const page = (): Locator => panel.frame.locator('html');
  const openView = (name: string): Promise<void> =>
    panel.frame.getByRole('tab', { name, exact: true }).click();

  beforeAll(fillPanel);

  it.each(themeNames)('of each view has no violation in the theme %s', async (theme) => {
    const found: string[] = [];
    const check = async (what: string, where = page()): Promise<void> => {
      const violations = await findAxeViolations(where, theme === firstTheme ? 'all' : 'colours');
      found.push(...violations.map((violation) => `${what}: ${violation}`));
      await screenshot(extension.page, `axe ${what} ${theme}`);
    };
    await extension.setTheme(theme);
    await showFindings();
    await check('Chat');
    await panel.button('get_weather', panel.lane(1)).or(panel.lane(1).locator('.call .head')).first().click();
    for (const tab of ['Tool calls', 'Rescue', 'Attempts', 'Wire', 'Reply']) {
      await panel.openTab(tab);
      await check(tab, panel.inspector);
    }
    await openView('Embeddings');
    const vectors = panel.frame.getByText(/3 vectors/);
    // Only in the first theme, so that no request is under way when a later theme is checked.
    if ((await vectors.count()) === 0) await panel.button('Embed').click();
    await vectors.waitFor();
    await panel.button('Embed').and(panel.frame.locator(':not([disabled])')).waitFor();
    await check('Embeddings');
    await openView('Tools');
    await panel.frame.getByText('get_weather').first().waitFor();
    await check('Tools');
    await openView('Chat');
    expect(found).toEqual([]);
  });

  it('has no violation and no horizontal overflow at 400 pixels', async () => {
    await extension.setTheme(firstTheme);
    await showFindings();
    await extension.resize({ width: 400 });
    const isOverfull = (): Promise<boolean> =>
      panel.inspector.locator('.pane').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    await panel.inspector.locator('.findings').scrollIntoViewIfNeeded();
    await expect.poll(isOverfull).toBe(false);
    await screenshot(extension.page, 'narrow-findings');
    expect(await findAxeViolations(page())).toEqual([]);
    await panel.openTab('Wire');
    await panel.inspector.locator('.parameters').first().scrollIntoViewIfNeeded();
    await expect.poll(isOverfull).toBe(false);
    await screenshot(extension.page, 'narrow-wire');
  });
});
