// The models that another extension offers to a real VS Code, as lanes: listed when the person asks, rescued and evaluated like any
// lane, and what VS Code does not tell of them is said. The tests depend on their order.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Keyboard,
  Panel,
  runCommand,
  screenshot,
  screenshotInThemes,
  setPanelWidth,
  stopAtFailure,
  Workbench,
} from './support';

const NAME = 'lanes.playground.json';
const MODELS = ['pilot', 'counts-tokens', 'empty-call', 'closed'];
const PLAYGROUND = {
  version: 1,
  tools: [
    {
      name: 'get_weather',
      description: 'Get the current weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      mocks: [{ result: { temp_c: -2, sky: 'snow' } }],
    },
  ],
  lanes: MODELS.map((model, index) => ({
    id: `l${index}`,
    connection: 'vscode-lm',
    model: `harbour/${model}`,
    ...(model === 'pilot' && { sampling: { temperature: 0.5 } }),
  })),
  messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  expect: [{ calls: [{ tool: 'get_weather' }] }],
  evaluate: { repeat: 3 },
};

interface Received {
  asked?: string;
  cancelled?: string;
  tools?: string[];
  modelOptions?: object;
}

let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const quickRow = (text: string): Locator =>
  page().locator('.quick-input-list .monaco-list-row', { hasText: text }).first();

/** What the models were asked. */
function received(): Received[] {
  const file = join(workbench.folder, 'received.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Received);
}

/** Shows the last run of a lane in the inspector. */
async function inspect(number: number, tab: string): Promise<void> {
  const lanes = panel.frame.getByRole('navigation', { name: 'Lanes' });
  await lanes
    .getByRole('button')
    .nth(number - 1)
    .click();
  await panel.says(panel.inspector, `Lane ${number}`);
  await panel.openTab(tab);
}

beforeAll(async () => {
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    settings: { 'chat.disableAIFeatures': false },
  });
  panel = new Panel(page());
  writeFileSync(join(workbench.folder, NAME), JSON.stringify(PLAYGROUND, null, 2));
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('the models of VS Code', () => {
  it('are listed when the person asks for them, and open in a playground', async () => {
    await runCommand(page(), "Provider Playground: Use VS Code's Models");
    await quickRow('harbour/pilot').waitFor();
    await screenshot(page(), 'editor-models 1 list');
    await panel.replace(() => quickRow('harbour/waits').click());
    await panel.says(panel.lane(), "VS Code's models");
    expect(received()).toEqual([]);
  });

  it('are stopped with the run', async () => {
    await panel.ask('Sail!');
    await panel.says(panel.lane(), 'I wait for the tide.');
    await panel.button('Stop').first().click();
    await expect.poll(received).toContainEqual({ cancelled: 'waits' });
    await panel.says(panel.lane(), /stopped/i);
  });

  it('answer in lanes, where calls in text are rescued and an error is told in words', async () => {
    await panel.replace(() => new Keyboard(page()).openFile(NAME));
    await setPanelWidth(page(), 1440);
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(1), 'Rescued');
    await panel.says(panel.lane(2), 'Aye.');
    await panel.says(panel.lane(2), "nothing set, so the model's defaults apply");
    await panel.says(panel.lane(4), /The harbour is closed on Sundays/);
    await panel.says(panel.lane(1), 'no cost told');
    await panel.says(panel.frame.locator('.bar'), 'VS Code sends the requests');
    await screenshotInThemes(page(), workbench.folder, 'editor-models 2 lanes');
  });

  it('say what VS Code does not tell, and what was changed for it', async () => {
    await inspect(3, 'Reply');
    expect(await panel.inspector.getByText('Ask the server').count()).toBe(0);
    await panel.says(panel.inspector, /VS Code may have replaced broken arguments/);
    await inspect(1, 'Wire');
    await panel.says(panel.inspector, /There is no wire, no status and no finish reason/);
    await panel.says(panel.inspector, 'Changed for VS Code');
    await panel.says(panel.inspector, /temperature.*Whether it has an effect is not known/);
    await screenshotInThemes(page(), workbench.folder, 'editor-models 3 evidence');
    await inspect(1, 'Attempts');
    await screenshot(page(), 'editor-models 4 attempts');
    const first = received().find(({ asked }) => asked === 'pilot');
    expect(first).toMatchObject({ tools: ['get_weather'], modelOptions: { temperature: 0.5 } });
  });

  it('ask before repeats use up a quota', async () => {
    const before = received().length;
    await panel.frame.getByRole('tab', { name: 'Evaluate', exact: true }).click();
    await panel.button('Evaluate').click();
    const question = panel.frame.getByRole('dialog');
    await question.getByText(/up to 12 requests of your quota of VS Code's models/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'editor-models 5 quota');
    expect(received()).toHaveLength(before);
    await question.getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(() => received().length).toBe(before + 3 * MODELS.length);
    await panel.says(panel.frame.locator('body'), '12 samples');
    await screenshotInThemes(page(), workbench.folder, 'editor-models 6 evaluated');
  });

  it('fit a panel beside the side bar, and a narrow one', async () => {
    await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
    await inspect(1, 'Reply');
    await runCommand(page(), 'Provider Playground: Focus on Connections View');
    // The first test asked for them.
    await page()
      .getByRole('treeitem', { name: /^VS Code's models reachable · 5 models/ })
      .waitFor();
    await page().setViewportSize({ width: 1044, height: 900 });
    await screenshotInThemes(page(), workbench.folder, 'editor-models 7 beside');
    await setPanelWidth(page(), 400);
    await screenshotInThemes(page(), workbench.folder, 'editor-models 8 narrow');
  });
});
