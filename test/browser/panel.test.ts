// What a person does in the panel: agent runs, embeddings, lanes, undo, findings. Each `describe` opens a playground of its own;
// the tests in it depend on their order.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/host/paths.mjs';
import { Keyboard } from '../support/panel/keyboard';
import type { Panel } from '../support/panel/panel';
import { screenshot, stopAtFailure } from '../support/panel/pictures';
import { Extension } from './support/extension';

let extension: Extension;
let panel: Panel;

const lane = (): Locator => panel.lane();
const button = (name: string): Locator => panel.button(name);
const says = (where: Locator, text: string | RegExp): Promise<void> => panel.says(where, text);
const openPanel = async (): Promise<void> => {
  panel = await extension.openPlayground();
};

beforeAll(async () => {
  extension = await Extension.start({ width: 1600, height: 1000 });
});
stopAtFailure(() => [extension.page]);
afterAll(() => extension?.close());

describe('the page', () => {
  beforeAll(openPanel);

  it('asks for every module of its first script at once', async () => {
    const files = (await panel.frame
      .locator('html')
      .evaluate(
        `performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))`,
      )) as string[];
    // What the bundler shares between scripts. Asked for by an import alone, it would come after the script with the import.
    const shared = readdirSync(join(root, 'dist')).filter((name) => /^webview-chunk.*\.js$/.test(name));
    expect(shared).not.toEqual([]);
    for (const file of shared) expect(files.slice(0, files.indexOf('webview.js'))).toContain(file);
  });
});

describe('an agent run', () => {
  beforeAll(openPanel);

  it('answers tool calls with their mocks until the model gives its final answer', async () => {
    await panel.useModel('parallel-calls');
    await panel.ask('How is the weather in Oslo and in Bergen?');
    await lane()
      .getByRole('button', { name: /^Run agent/ })
      .click();
    await says(lane(), 'after 2 calls');
    await says(lane(), /2 calls answered/);
    await says(lane(), /Oslo.*Bergen/);
    expect(await button('Give result').count()).toBe(0);
    await expect.poll(() => panel.focused()).toBe('Run lane');
    await screenshot(extension.page, 'agent-run');
  });

  it('shows the reply of each step in the inspector', async () => {
    await lane().getByRole('button', { name: 'model' }).first().click();
    await says(panel.inspector, /2 native calls/);
    await panel.openTab('Tool calls');
    await says(panel.inspector, 'mock');
  });
});

describe('the Embeddings view', () => {
  beforeAll(openPanel);

  it('shows the vectors of the texts and the similarity of every pair as a number', async () => {
    await panel.frame.getByRole('tab', { name: 'Embeddings' }).click();
    await button('Add text').click();
    await panel.frame.getByRole('textbox', { name: 'Text 4' }).fill('Oslo has snow.');
    await button('Embed').click();
    const result = panel.frame.getByRole('region', { name: 'Vectors and similarity' });
    await says(result, /4 vectors/);
    await says(result, /Most similar: \d and \d \(0\.\d\d\)/);
    const numbers = await panel.frame.locator('.heat tbody td').allTextContents();
    expect(numbers.filter((text) => text === '1.00')).toHaveLength(4);
    expect(numbers).toHaveLength(16);
    await screenshot(extension.page, 'embeddings');
  });
});

describe('a lane', () => {
  beforeAll(openPanel);

  it('is compared with itself without rescue, by one item of its menu', async () => {
    await panel.useModel('hermes-text');
    await panel.inMenu('rescue off');
    await panel.lane(2).waitFor();
    await panel.ask('What is the weather in Oslo?');
    await says(panel.lane(1), 'Rescued');
    await says(panel.lane(2), 'None');
    await screenshot(extension.page, 'lanes-compared');
  });
});

describe('a change of what is sent', () => {
  beforeAll(openPanel);

  const lanes = (): Locator[] => [1, 2, 3].map((number) => panel.lane(number));
  const SINCE = 'Changed since: system prompt.';

  it('is brought to every lane by one press of Run, which is off before', async () => {
    await panel.useModel('native-call');
    for (const [index, model] of ['hermes-text', 'prose-only'].entries()) {
      await button('Add lane').click();
      await panel.useModel(model, index + 2);
    }
    await panel.ask('What is the weather in Oslo?');
    await Promise.all(lanes().map((one) => one.locator('.outcome:not(.o-busy) b').waitFor()));
    await says(panel.frame.locator('.composer'), 'Give a result for');
    expect(await panel.lane(3).locator('.is-best').count()).toBe(0);
    await button('System prompt').click();
    await panel.frame.getByRole('textbox', { name: 'System prompt' }).fill('Answer in French.');
    await Promise.all(lanes().map((one) => says(one, SINCE)));
    await screenshot(extension.page, 'changed-since');
    await says(panel.frame.locator('.composer'), 'asks again in every lane');
    await button('Run').click();
    for (const one of lanes()) await one.getByText(SINCE).waitFor({ state: 'hidden' });
    await Promise.all(lanes().map((one) => one.locator('.outcome:not(.o-busy) b').waitFor()));
    await says(panel.frame.locator('.composer'), 'Give a result for');
  });

  it('in one lane alone marks the lanes that are no longer compared', async () => {
    await panel.frame.getByRole('textbox', { name: 'System prompt' }).fill('Answer in Norwegian.');
    await Promise.all(lanes().map((one) => says(one, SINCE)));
    await panel.button('Run lane', panel.lane(1)).click();
    await says(
      panel.lane(1),
      'Not compared with lanes 2 and 3, because these were different: system prompt.',
    );
    await says(panel.lane(2), 'Not compared with lane 1, because these were different: system prompt.');
    await screenshot(extension.page, 'not-compared');
  });

  it('leaves the settings of the reply above it, also after a reload', async () => {
    await panel.inSettings(async () => {
      const temperature = lane().getByRole('textbox', { name: 'Temperature' });
      await temperature.fill('1.5');
      await temperature.press('Tab');
    });
    await says(lane(), 'Changed since: temperature.');
    expect(await lane().locator('.config').textContent()).not.toContain('1.5');
    await extension.page.reload();
    await says(lane(), 'Changed since: temperature.');
    expect(await lane().locator('.config').textContent()).not.toContain('1.5');
  });
});

describe('a change of a playground', () => {
  beforeAll(openPanel);

  const press = (key: string): Promise<void> => extension.page.keyboard.press(key);

  it('is undone and redone by keyboard: a removed lane comes back with its conversation', async () => {
    await panel.useModel('native-call');
    await button('Add lane').click();
    await panel.lane(2).waitFor();
    await panel.ask('What is the weather in Oslo?');
    await says(panel.lane(2), 'Native');
    await panel.inMenu('Remove lane', 2);
    await panel.lane(2).waitFor({ state: 'hidden' });
    await expect.poll(() => panel.focused()).toBe('Lane 1');
    await press('Control+z');
    await says(panel.lane(2), 'Native');
    await press('Control+y');
    await panel.lane(2).waitFor({ state: 'hidden' });
  });

  it('replaces a text box, whose own steps no longer fit', async () => {
    await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
    await button('System prompt').click();
    const prompt = panel.frame.getByRole('textbox', { name: 'System prompt' });
    await prompt.pressSequentially('Be brief.');
    await panel.lane().focus();
    await press('Control+z');
    await expect.poll(() => prompt.inputValue()).toBe('');
    await prompt.focus();
    await press('Control+y');
    await expect.poll(() => prompt.inputValue()).toBe('Be brief.');
    await press('Control+z');
    await expect.poll(() => prompt.inputValue()).toBe('');
  });

  it('is said to be missing if there is none', async () => {
    for (let left = 10; left > 0; left--) await press('Control+z');
    await says(panel.frame.locator('.composer'), 'There is nothing to undo.');
    await screenshot(extension.page, 'scratch-nothing-to-undo');
  });
});

describe('a finding', () => {
  beforeAll(openPanel);

  it('about a call that stayed text turns rescue on and sends again, by keyboard alone', async () => {
    const keyboard = new Keyboard(extension.page, extension.page);
    /** A search of the whole lane could match a model name with the same word. */
    const verdict = (word: string): Promise<void> =>
      lane().locator('.outcome b').getByText(word, { exact: true }).waitFor();
    const findings = panel.inspector.locator('.findings').first();
    const remedy = 'Send again with rescue on';
    await panel.inSettings(async () => {
      await panel.chooseModel('hermes-text');
      await lane().getByRole('checkbox', { name: 'Rescue tool calls' }).click();
    });
    await panel.ask('What is the weather in Oslo?');
    await verdict('None');
    await says(panel.inspector, 'why there is no tool call');
    await says(findings, /reply, characters \d+ to \d+/);
    await panel.inspector.locator('.pane').focus();
    await keyboard.goTo(`button "${remedy}"`, { region: 'Inspector' });
    await screenshot(extension.page, 'finding-rescue-off');
    await keyboard.press('Enter');
    await verdict('Rescued');
    await says(findings, 'The call came as text.');
    // The focus stays in the inspector, where the new findings are.
    expect((await keyboard.where()).region).toBe('Inspector');
    expect(await panel.button(remedy, panel.inspector).count()).toBe(0);
  });
});

describe('the rendered prompt', () => {
  beforeAll(openPanel);

  it('shows what would be sent before anything is sent, with the special tokens marked', async () => {
    await panel.openTab('Wire');
    await panel.message.fill('What is the weather in Oslo?');
    await button('Show rendered prompt').click();
    await says(panel.inspector, 'Of what would be sent now');
    const text = panel.inspector.locator('.prompt-text');
    await says(text, /get_weather.*What is the weather in Oslo\?/s);
    expect(new Set(await text.locator('mark').allTextContents())).toEqual(
      new Set(['<|im_start|>', '<|im_end|>']),
    );
    await screenshot(extension.page, 'rendered-prompt');
  });

  it('shows the prompt of a request that was sent, and its number of tokens', async () => {
    await panel.inSettings(() => panel.chooseConnection('Demo (hosted'));
    await panel.useModel('native-call');
    await button('Run').click();
    await says(lane(), 'Native');
    await panel.openTab('Wire');
    await button('Show rendered prompt').click();
    await says(panel.inspector, 'Of this request');
    await says(panel.inspector, /\d+ tokens/);
  });
});
