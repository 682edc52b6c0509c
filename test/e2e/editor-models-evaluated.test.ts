// Lanes of the models of VS Code, evaluated in the Test Explorer of a real VS Code: the person is asked for the quota first, each model
// comes out with its message, and export and history say what nobody knows. The tests depend on their order.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  focusEditor,
  Keyboard,
  Panel,
  runCommand,
  screenshot,
  screenshotInThemes,
  stopAtFailure,
  Workbench,
} from './support';

const NAME = 'harbour.playground.json';
/** One that passes, one that fails, one that gives no reply. */
const MODELS = ['pilot', 'counts-tokens', 'closed'];
const REPEATS = 2;
const PLAYGROUND = {
  version: 1,
  tools: [
    {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  lanes: MODELS.map((model) => ({ id: model, connection: 'vscode-lm', model: `harbour/${model}` })),
  messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  expect: [{ calls: [{ tool: 'get_weather' }] }],
  evaluate: { repeat: REPEATS },
};

let workbench: Workbench;

const page = () => workbench.page;
const testRow = (name: RegExp): Locator =>
  page().locator('.test-explorer .monaco-list-row').and(page().getByRole('treeitem', { name }));
const historyRow = (name: RegExp): Locator =>
  page().locator('.part.sidebar').getByRole('treeitem', { name }).first();
const dialog = (): Locator => page().locator('.monaco-dialog-box');

/** How often the models were asked. */
function requests(): number {
  const file = join(workbench.folder, 'received.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('"asked"').length - 1 : 0;
}

async function run(row: Locator): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name: 'Run Test' }).first().click();
}

/** The tree ignores keys while it reads its rows again. */
async function expand(name: RegExp): Promise<void> {
  const row = historyRow(name);
  await row.click();
  const expanded = async (): Promise<string | null> => {
    if ((await row.getAttribute('aria-expanded')) !== 'true') await page().keyboard.press('ArrowRight');
    return row.getAttribute('aria-expanded');
  };
  await expect.poll(expanded).toBe('true');
}

async function exported(item: string, begin: string): Promise<string> {
  const panel = new Panel(page());
  const entry = panel.frame.getByRole('menuitem', { name: item }).first();
  // Its view may be replaced while the editor is shown again, and the menu is gone with it.
  const choose = async (): Promise<boolean> => {
    if (!(await entry.isVisible())) await panel.button('More actions').click({ timeout: 2000 });
    await entry.click({ timeout: 2000 });
    return true;
  };
  await expect.poll(() => choose().catch(() => false)).toBe(true);
  await focusEditor(page(), begin);
  await page().keyboard.press('Control+a');
  await page().keyboard.press('Control+c');
  const copied = (): Promise<string> => page().evaluate('navigator.clipboard.readText()');
  await expect.poll(copied).toContain(begin);
  return copied();
}

beforeAll(async () => {
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    settings: { 'chat.disableAIFeatures': false, 'workbench.hover.delay': 60_000 },
  });
  await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  writeFileSync(join(workbench.folder, NAME), JSON.stringify(PLAYGROUND, null, 2));
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('the models of VS Code in the Test Explorer', () => {
  it('ask for the quota before anything is sent', async () => {
    await runCommand(page(), 'Testing: Focus on Test Explorer View');
    await testRow(/^harbour/).waitFor();
    await run(testRow(/^harbour/).first());
    await dialog()
      .getByText(
        /It sends up to 6 requests\. What they cost is not known\. Up to 6 of them count against your quota/,
      )
      .waitFor();
    await screenshotInThemes(page(), workbench.folder, 'editor-models tests 1 quota');
    expect(requests()).toBe(0);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    expect(requests()).toBe(0);
  });

  it('come out each with its message', async () => {
    await testRow(/^harbour/)
      .first()
      .click();
    await page().keyboard.press('ArrowRight');
    await testRow(/pilot/).waitFor();
    await run(testRow(/^harbour/).first());
    await dialog().getByRole('button', { name: 'Evaluate', exact: true }).click();
    await testRow(/pilot.*Passed/).waitFor();
    await testRow(/counts-tokens.*Failed/).waitFor();
    await testRow(/closed.*Errored/).waitFor();
    expect(requests()).toBe(MODELS.length * REPEATS);
    const messages = page().locator('.test-output-peek-tree .monaco-list-row');
    await messages.filter({ hasText: '2 of 2 samples: No call was made; expected get_weather.' }).waitFor();
    await messages
      .filter({ hasText: /2 of 2 samples have no verdict: .*It said: “The harbour is closed on Sundays\.”/ })
      .waitFor();
    await screenshotInThemes(page(), workbench.folder, 'editor-models tests 2 done');
    await messages.filter({ hasText: 'No call was made' }).click();
    await screenshot(page(), 'editor-models tests 3 message');
  });

  it('are shown by the playground, with what nobody knows', async () => {
    const panel = new Panel(page());
    await new Keyboard(page()).openFile(NAME);
    await panel.frame.getByRole('tab', { name: 'Evaluate', exact: true }).click();
    await panel.says(panel.frame.locator('body'), '2 no verdict');
    const lane = (name: string) => panel.frame.getByRole('row', { name }).first().innerText();
    expect(await lane('harbour/pilot')).toMatch(/gate met[^]*not reported/);
    expect(await lane('harbour/counts-tokens')).toMatch(/gate not met[^]*50/);
    expect(await lane('harbour/closed')).toMatch(/none judged[^]*not known[^]*not reported/);
    await screenshotInThemes(page(), workbench.folder, 'editor-models tests 4 evaluate');
  });

  it('are exported without a figure that nobody knows', async () => {
    const markdown = await exported('Export as Markdown', '# Evaluation of harbour');
    const cells = (lane: string): string[] =>
      (markdown.split('\n').find((line) => line.startsWith(`| \`harbour/${lane}\``)) ?? '').split(' | ');
    expect(cells('pilot').slice(-2)).toEqual(['not reported', "quota of VS Code's models |"]);
    expect(cells('counts-tokens').slice(-2)).toEqual(['50', "quota of VS Code's models |"]);
    // Time, tokens and cost of a model that never replied.
    expect(cells('closed').slice(-3)).toEqual(['–', 'not reported', "quota of VS Code's models |"]);
    expect(markdown).toContain('2 of 2 samples without a verdict: VS Code');
    await screenshot(page(), 'editor-models tests 5 markdown');
    await runCommand(page(), 'View: Revert and Close Editor');
    const { lanes } = JSON.parse(await exported('Export as JSON', '"kind": "evaluation"')) as {
      lanes: { id: string; tokens?: object; costUsd?: object; medianMs?: number }[];
    };
    await runCommand(page(), 'View: Revert and Close Editor');
    const known = lanes.map(({ id, tokens, costUsd, medianMs }) => [id, tokens, costUsd, typeof medianMs]);
    expect(known).toEqual([
      ['pilot', undefined, undefined, 'number'],
      ['counts-tokens', { total: 50, samples: 2 }, undefined, 'number'],
      ['closed', undefined, undefined, 'undefined'],
    ]);
  });

  it('are in the history, from where they open where they are shown', async () => {
    await runCommand(page(), 'Provider Playground: Focus on History View');
    await expand(/^harbour/);
    await expand(/^Evaluations/);
    await historyRow(/^2 of 4 passed · 3 lanes × 1 row × 2/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'editor-models tests 6 history');
    const panel = new Panel(page());
    await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
    await historyRow(/^2 of 4 passed/).click();
    await panel.says(panel.frame.locator('body'), '2 no verdict');
    expect(await page().locator('.tab', { hasText: NAME }).count()).toBe(1);
    await screenshot(page(), 'editor-models tests 7 opened');
  });
});
