// Checks with axe-core that the panel is accessible in its usual states: all rules in the default theme, and the rules that
// depend on colours in the other three.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeViolations, Panel, screenshot, themes, type Theme, Workbench } from './support';

let workbench: Workbench;
let panel: Panel;

const findings = (theme: Theme): Promise<string[]> =>
  findAxeViolations(panel.frame.locator('pg-app'), theme === themes[0] ? 'all' : 'colours');

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
  panel = await Panel.open(workbench.page);
});
afterAll(() => workbench?.close());

describe.each(themes)('in the theme %s the panel has no accessibility violation', (theme) => {
  beforeAll(() => workbench.setTheme(theme));

  it('after runs in three lanes, with lane settings open', async () => {
    await panel.frame.getByRole('tab', { name: 'Chat' }).click();
    await panel.lane().waitFor();
    if ((await panel.frame.getByRole('region', { name: /^Lane \d$/ }).count()) === 1) {
      await panel.button('Add lane').click();
      await panel.lane(2).waitFor();
      await panel.button('Add lane').click();
      await panel.lane(3).waitFor();
      await panel.useModel('unavailable', 2);
      await panel.useModel('parallel-calls', 3);
      await panel.ask('What is the weather in Oslo?');
      await panel.says(panel.lane(1), 'Rescued');
      await panel.says(panel.lane(2), 'Failed');
      await panel.button('Lane settings', panel.lane(3)).click();
    }
    await screenshot(workbench.page, `axe ${theme}`);
    expect(await findings(theme)).toEqual([]);
  });

  it.each(['Tool calls', 'Rescue', 'Attempts', 'Wire', 'Reply'])('in the inspector tab %s', async (tab) => {
    await panel.button('get_weather', panel.lane(1)).or(panel.lane(1).locator('.call .head')).first().click();
    await panel.openTab(tab);
    expect(await findings(theme)).toEqual([]);
  });

  it('in the Embeddings view', async () => {
    await panel.frame.getByRole('tab', { name: 'Embeddings' }).click();
    const vectors = panel.frame.getByText(/3 vectors/);
    // Only in the first theme, so that no request is under way when a later theme is checked.
    if ((await vectors.count()) === 0) await panel.button('Embed').click();
    await vectors.waitFor();
    await panel.button('Embed').and(panel.frame.locator(':not([disabled])')).waitFor();
    const found = await findings(theme);
    await panel.frame.getByRole('tab', { name: 'Chat' }).click();
    expect(found).toEqual([]);
  });

  it('in the Tools view, with a mock', async () => {
    await panel.frame.getByRole('tab', { name: 'Tools' }).click();
    await panel.frame.getByText('get_weather').first().waitFor();
    const found = await findings(theme);
    await panel.frame.getByRole('tab', { name: 'Chat' }).click();
    expect(found).toEqual([]);
  });
});
