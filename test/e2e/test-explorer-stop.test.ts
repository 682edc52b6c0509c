// A run of many samples in the Test Explorer that is stopped there, by its button and by the command: what came is kept, nothing more
// is sent, and the rest is sent once. A server counts and holds the requests. The tests depend on their order.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Keyboard,
  Panel,
  runCommand,
  screenshotInThemes,
  startCountedDemo,
  stopAtFailure,
  Workbench,
} from './support';
import type { CountedDemo } from './support';

const NAME = 'many.playground.json';
const PLAYGROUND = {
  messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
  tools: [
    {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
  lanes: [
    { id: 'a', connection: 'own', model: 'native-call', sampling: { seed: 7 } },
    { id: 'b', connection: 'own', model: 'parallel-calls', sampling: { seed: 7 } },
  ],
  evaluate: {
    rows: [
      { id: 'oslo', city: 'Oslo' },
      { id: 'rome', city: 'Rome' },
    ],
    repeat: 30,
    varySeed: true,
  },
};
/** Lanes × rows × repeats. */
const SAMPLES = 120;

let demo: CountedDemo;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const row = (name: RegExp): Locator =>
  page().locator('.test-explorer .monaco-list-row').and(page().getByRole('treeitem', { name })).first();
/** Waits for what the panel says of the evaluation. */
const plan = (text: RegExp): Promise<void> =>
  panel.frame.locator('.plan').filter({ hasText: text }).waitFor();

async function expand(name: RegExp): Promise<void> {
  await row(name).click();
  await page().keyboard.press('ArrowRight');
}

/** Starts a run, which asks because it is large, and waits until so many samples are there in all. */
async function runUntil(count: number, answers: number): Promise<void> {
  demo.allow(0);
  await row(/^many/).hover();
  await row(/^many/).getByRole('button', { name: 'Run Test' }).click();
  await page().locator('.monaco-dialog-box').getByRole('button', { name: 'Evaluate', exact: true }).click();
  demo.allow(answers);
  await plan(new RegExp(`^\\s*${count} of ${SAMPLES}`));
  // Others are under way, and wait.
  await expect.poll(demo.waiting).toBeGreaterThan(0);
}

beforeAll(async () => {
  demo = await startCountedDemo();
  const own = { label: 'Own', provider: 'hosted-api', host: demo.host, model: 'native-call', auth: 'none' };
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    // The hover of a row would lie over the next one.
    settings: { 'providerPlayground.connections': { own }, 'workbench.hover.delay': 60_000 },
  });
  writeFileSync(join(workbench.folder, NAME), JSON.stringify(PLAYGROUND, null, 2));
  panel = new Panel(page());
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await demo?.[Symbol.asyncDispose]();
});

describe('a run in the Test Explorer', () => {
  it('is stopped by its button: what came is kept, the rest is skipped, and nothing waits any more', async () => {
    await panel.replace(() => new Keyboard(page()).openFile(NAME));
    await panel.frame.getByRole('tab', { name: 'Evaluate', exact: true }).click();
    await runCommand(page(), 'Testing: Focus on Test Explorer View');
    await row(/^many/).waitFor();
    await expand(/^many/);
    await expand(/^parallel-calls/);
    await expand(/^native-call/);
    await runUntil(10, 10);
    await page()
      .locator('.part.sidebar')
      .getByRole('button', { name: /Cancel Test Run/ })
      .first()
      .click();
    await plan(/^\s*Stopped: 10 of 120/);
    await row(/^oslo.*Passed/)
      .getByText(/\d+ of 30 samples/)
      .waitFor();
    await row(/^parallel-calls.*Skipped/).waitFor();
    await expect.poll(demo.waiting).toBe(0);
    await page()
      .locator('.part.panel')
      .getByText(/10 of 120 samples ran/)
      .waitFor();
    await screenshotInThemes(page(), workbench.folder, 'tests stopped');
  });

  it('goes on when it is started again, and is stopped by the command', async () => {
    await runUntil(20, 10);
    await runCommand(page(), 'Test: Cancel Test Run');
    await plan(/^\s*Stopped: 20 of 120/);
    await expect.poll(demo.waiting).toBe(0);
  });

  it('is continued in the panel, which sends nothing twice', async () => {
    demo.allow();
    await panel.button('Continue').click();
    await plan(/^\s*120 samples/);
    expect(demo.answered).toHaveLength(SAMPLES);
    expect(new Set(demo.answered)).toHaveProperty('size', SAMPLES);
    // The Test Explorer has no other results than the panel.
    await expect.poll(() => row(/^oslo/).innerText()).not.toContain('of 30 samples');
    await screenshotInThemes(page(), workbench.folder, 'tests continued elsewhere');
  });

  it('has nothing left to send then, and says of each row how it came out', async () => {
    await row(/^many/).hover();
    await row(/^many/).getByRole('button', { name: 'Run Test' }).click();
    await row(/^parallel-calls.*Failed/).waitFor();
    await row(/^native-call.*Passed/).waitFor();
    expect(await row(/^oslo/).innerText()).not.toContain('of 30 samples');
    expect(demo.answered).toHaveLength(SAMPLES);
    await screenshotInThemes(page(), workbench.folder, 'tests continued');
  });
});
