// Four lanes of one playground in a real VS Code, one a protocol, on the demo: the loop over tools with the reasoning that goes back,
// what went over the wire, and a lane that goes from one protocol to another. The tests depend on their order.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Keyboard,
  Panel,
  screenshot,
  screenshotInThemes,
  setPanelWidth,
  stopAtFailure,
  Workbench,
} from './support';

const NAME = 'protocols.playground.json';
const LANES = [
  { id: 'a', connection: 'demo' },
  { id: 'b', connection: 'demo-hosted' },
  { id: 'c', connection: 'demo-messages', raw: { thinking: { type: 'enabled', budget_tokens: 1024 } } },
  { id: 'd', connection: 'demo-responses', raw: { reasoning: { effort: 'low', summary: 'auto' } } },
];
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
  lanes: LANES.map((lane) => ({ ...lane, model: 'uses-result' })),
};
const ANSWER = /The tool get_weather answered: temp_c is -2/;

let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name });

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1440, height: 900 } });
  panel = new Panel(page());
  writeFileSync(join(workbench.folder, NAME), JSON.stringify(PLAYGROUND, null, 2));
  await panel.replace(() => new Keyboard(page()).openFile(NAME));
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('four lanes, one a protocol', () => {
  it('run the loop over tools to the same answer', async () => {
    await panel.message.fill('What is the weather in Oslo?');
    await panel.button('Run agent').click();
    for (const number of LANES.keys()) await panel.says(panel.lane(number + 1), ANSWER);
    await screenshotInThemes(page(), workbench.folder, 'protocols answered');
  });

  it('show the events of the Messages protocol by their names', async () => {
    await panel.lane(3).getByText(ANSWER).first().click();
    await panel.openTab('Wire');
    await screenshot(page(), 'protocols wire');
    await panel.inspector
      .getByRole('button', { name: /^Events of attempt/ })
      .last()
      .click();
    await tab('response.events').waitFor();
    const shown = async (): Promise<string> =>
      (await page().locator('.editor-instance .view-line').allInnerTexts()).join('\n');
    await expect.poll(shown).toContain('message_start');
    await screenshot(page(), 'protocols events');
    await tab('response.events').locator('.tab-actions .action-label').click();
  });

  it('go on with a lane that changes from Responses to the hosted protocol, and say what is left out', async () => {
    await panel.inSettings(() => panel.chooseConnection('Demo (hosted protocol)', 4), 4);
    await panel.ask('And in Bergen?');
    await panel.says(panel.lane(4), /Not sent back: the reasoning with/);
    await screenshot(page(), 'protocols switched');
  });

  it('fit a narrow panel', async () => {
    await setPanelWidth(page(), 400);
    await screenshotInThemes(page(), workbench.folder, 'protocols narrow');
  });
});
