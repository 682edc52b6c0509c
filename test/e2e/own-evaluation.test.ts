// A person's own evaluation in a real VS Code: rows as CSV beside the file, an expectation made from a reply and loosened, stop,
// reload and continue, and what the history says of it. A server counts the requests. The tests depend on their order.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findAxeViolations,
  Keyboard,
  Panel,
  runCommand,
  screenshotInThemes,
  setPanelWidth,
  startCountedDemo,
  stopAtFailure,
  Workbench,
} from './support';
import type { CountedDemo } from './support';

const NAME = 'own.playground.json';
const CSV = 'cities.csv';
const TEXT = `{
  "messages": [{ "role": "user", "content": "What is the weather in {{city}}?" }],
  "tools": [
    {
      "name": "get_weather",
      "parameters": { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }
    }
  ],
  "lanes": [
    { "id": "a", "connection": "own", "model": "native-call", "sampling": { "seed": 7 } },
    { "id": "b", "connection": "own", "model": "flaky", "sampling": { "seed": 7 } }
  ],
  "evaluate": { "rows": "./${CSV}", "repeat": 5, "varySeed": true }
}
`;
const ROWS = '$id,city\noslo,Oslo\nbergen,Bergen\n"são paulo",São Paulo\n';
/** Lanes × rows × repeats. */
const SAMPLES = 30;

let demo: CountedDemo;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const frame = () => panel.frame;
const tab = (name: string): Locator => frame().getByRole('tab', { name, exact: true });
const says = (text: string | RegExp): Promise<void> => frame().getByText(text).first().waitFor();
const onDisk = (): string => readFileSync(join(workbench.folder, NAME), 'utf8');
/** Waits for what the line says that tells of the plan, or of what came of it. */
const plan = (text: RegExp): Promise<void> => frame().locator('.plan').filter({ hasText: text }).waitFor();

/** Pictures in all themes, as wide as the window and as narrow as a side by side. */
async function picture(name: string): Promise<void> {
  const viewport = page().viewportSize();
  await screenshotInThemes(page(), workbench.folder, name);
  await setPanelWidth(page(), 400);
  await screenshotInThemes(page(), workbench.folder, `${name} 400`);
  if (viewport) await page().setViewportSize(viewport);
}

async function choose(
  box: string | RegExp,
  option: string,
  where: Panel['frame'] | Locator = frame(),
): Promise<void> {
  await where.getByRole('combobox', { name: box }).click();
  await frame().getByRole('option', { name: option, exact: true }).click();
}

beforeAll(async () => {
  demo = await startCountedDemo();
  const own = { label: 'Own', provider: 'hosted-api', host: demo.host, model: 'native-call', auth: 'none' };
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    settings: { 'providerPlayground.connections': { own } },
  });
  writeFileSync(join(workbench.folder, CSV), ROWS);
  writeFileSync(join(workbench.folder, NAME), TEXT);
  panel = new Panel(page());
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await demo?.[Symbol.asyncDispose]();
});

describe('an evaluation of one’s own', () => {
  it('has the rows of the CSV file, one of which fills an ordinary run', async () => {
    await panel.replace(() => new Keyboard(page()).openFile(NAME));
    await choose(/^Row/, 'são paulo');
    await picture('own 1 row');
    await panel.button('Run').click();
    await panel.says(panel.lane(), 'What is the weather in São Paulo?');
    await frame().getByRole('button', { name: 'More actions for get_weather' }).first().waitFor();
    expect(demo.asked().at(-1)).toContain('What is the weather in São Paulo?');
  });

  it('expects a call that came, with what the row filled as a variable', async () => {
    await frame().getByRole('button', { name: 'More actions for get_weather' }).first().click();
    const expectIt = frame().getByRole('menuitem', { name: 'Expect this call' }).first();
    await expectIt.waitFor();
    await screenshotInThemes(page(), workbench.folder, 'own 2 menu');
    await expectIt.click();
    await says('the reply must make these');
    expect(await findAxeViolations(frame().locator('html'))).toEqual([]);
    await picture('own 3 editor');
    // São Paulo, in the row that filled what was sent.
    await expect.poll(onDisk).toContain('"city": "{{city}}"');
    await panel.button('Done').click();
  });

  it('sends each sample once, and judges it', async () => {
    await plan(/2 lanes × 3 rows × 5 = 30 requests/);
    await picture('own 4 before');
    const before = demo.asked().length;
    await panel.button('Evaluate').click();
    await plan(/^\s*30 samples/);
    expect(demo.asked()).toHaveLength(before + SAMPLES);
    expect(new Set(demo.asked().slice(before))).toHaveProperty('size', SAMPLES);
    await picture('own 5 done');
  });

  it('judges again what is loosened, with no request', async () => {
    const before = demo.asked().length;
    await panel.button('Expectations').click();
    await choose('Matcher of city', 'contains');
    await expect.poll(onDisk).toContain('"$contains": "{{city}}"');
    await says('0 requests');
    await picture('own 6 loosened');
    expect(demo.asked()).toHaveLength(before);
    await panel.button('Done').click();
  });

  it('is stopped, goes on after a reload of the window in the middle, and sends nothing twice', async () => {
    const before = demo.answered.length;
    demo.allow(7);
    await panel.button('5 more repeats').click();
    await plan(/^\s*37 of 60/);
    await picture('own 7 running');
    await panel.button('Stop').click();
    await plan(/^\s*Stopped: 37 of 60/);
    await picture('own 8 stopped');
    demo.allow(9);
    await panel.button('Continue').click();
    await plan(/^\s*46 of 60/);
    await page().reload();
    panel = new Panel(page());
    await tab('Evaluate').click();
    await plan(/^\s*Stopped: 46 of 60/);
    await picture('own 9 reloaded');
    demo.allow();
    await panel.button('Continue').click();
    await plan(/^\s*60 samples/);
    const sent = demo.answered.slice(before);
    expect(sent).toHaveLength(SAMPLES);
    expect(new Set(sent)).toHaveProperty('size', SAMPLES);
  });
});

describe('the history of evaluations', () => {
  const row = (name: RegExp): Locator => page().getByRole('treeitem', { name });
  const press = (key: string): Promise<void> => page().keyboard.press(key);
  const input = (): Locator => page().locator('.quick-input-widget');

  /** Selects the row in the tree by keyboard, and leaves the focus there. */
  async function select(name: RegExp): Promise<void> {
    await runCommand(page(), 'Provider Playground: Focus on History View');
    await page().waitForFunction("document.activeElement?.closest('.customview-tree') != null");
    await row(name).first().waitFor();
    await press('Home');
    for (let step = 0; step < 40; step++) {
      if (/\bfocused\b/.test((await row(name).first().getAttribute('class')) ?? '')) return;
      await press('ArrowDown');
    }
    throw new Error(`the keyboard does not come to ${name.source}`);
  }

  /** Does something with the selected row. What the space bar opens with it may take the focus at any moment. */
  async function act(name: RegExp, work: () => Promise<void>, shown: Locator): Promise<void> {
    await select(name);
    await press('Space');
    const isDone = async (): Promise<boolean> => {
      await select(name);
      await work();
      return shown.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
  }

  async function expand(name: RegExp): Promise<void> {
    await select(name);
    const open = async (): Promise<string | null> => {
      if ((await row(name).first().getAttribute('aria-expanded')) !== 'true') await press('ArrowRight');
      return row(name).first().getAttribute('aria-expanded');
    };
    await expect.poll(open).toBe('true');
  }

  it('has a row for each', async () => {
    writeFileSync(
      join(workbench.folder, NAME),
      onDisk().replace('What is the weather', 'How is the weather'),
    );
    await plan(/2 lanes × 3 rows × 5 = 30 requests/);
    await panel.button('Evaluate').click();
    await plan(/^\s*30 samples/);
    await expand(/^own/);
    await expand(/^Evaluations/);
    await row(/2 lanes × 3 rows × 10/).waitFor();
    await row(/2 lanes × 3 rows × 5/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'own a history');
  });

  it('names and pins one', async () => {
    await act(/2 lanes × 3 rows × 10/, () => press('F2'), input().getByText('Name Evaluation'));
    await input().locator('input[type=text]').fill('With what');
    await press('Enter');
    await row(/2 lanes × 3 rows × 10.*With what/).waitFor();
    const pin = (): Promise<void> => runCommand(page(), 'Provider Playground: Pin in History');
    await act(/With what/, pin, row(/pinned.*With what/));
  });

  it('opens one, and compares the later of two with the earlier', async () => {
    await select(/With what/);
    await press('Enter');
    await plan(/playground has changed since/);
    await says('24/30');
    const compare = (): Promise<void> => runCommand(page(), 'Provider Playground: Compare with Baseline…');
    await act(/2 lanes × 3 rows × 5/, compare, input().getByText('Compare with: the Baseline'));
    await screenshotInThemes(page(), workbench.folder, 'own b choose baseline');
    await press('Enter');
    await plan(/against/);
    await panel.button('Remove baseline').waitFor();
    expect(await findAxeViolations(frame().locator('html'))).toEqual([]);
    await picture('own c baseline');
  });

  it('deletes one with its samples', async () => {
    // Only the second evaluation asked so.
    const left = (): string[] => workbench.filesWith('How is the weather in Oslo?');
    expect(left()).not.toEqual([]);
    await runCommand(page(), 'View: Toggle Primary Side Bar Visibility');
    await act(/2 lanes × 3 rows × 5/, () => press('Delete'), page().locator('.monaco-dialog-box'));
    await screenshotInThemes(page(), workbench.folder, 'own d delete');
    await page().locator('.monaco-dialog-box').getByRole('button', { name: 'Delete', exact: true }).click();
    await row(/2 lanes × 3 rows × 5/).waitFor({ state: 'hidden' });
    await expect.poll(left).toEqual([]);
    await plan(/playground has changed since/);
  });
});
