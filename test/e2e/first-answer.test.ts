// How much a person does between a new window and the first answer of an Ollama that runs: clicks, and no key.
import type { Server } from 'node:http';
import type { Disposable, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Panel, screenshot, screenshotFailures, Workbench } from './support';
import { holdPort, PORT_TIMEOUT_MS, startOllama, stop } from './support/recorded-ollama';

const MOST_CLICKS = 4;

let givePort: () => void;
let ollama: Server;
let workbench: Workbench;
const watching: Disposable[] = [];
/** What a person did with mouse and keyboard, in whichever frame. */
const inputs: string[] = [];

beforeAll(async () => {
  givePort = await holdPort();
}, PORT_TIMEOUT_MS);
beforeAll(async () => {
  ollama = await startOllama();
  workbench = await Workbench.open({ beforeLoad: watchInput });
});
screenshotFailures(() => [workbench.page]);
afterAll(async () => {
  await Promise.all(watching.map((each) => each.dispose()));
  await workbench?.close();
  if (ollama?.listening) await stop(ollama);
  givePort?.();
});

/** Notes the input of every document that the page loads from now on. */
async function watchInput(page: Page): Promise<void> {
  const note = (_source: unknown, input: string): void => void inputs.push(input);
  watching.push(await page.exposeBinding('noteInput', note));
  const script = await page.addInitScript(`
    const watch = () => {
      addEventListener('pointerdown', (event) => event.isTrusted && noteInput('click'), true);
      addEventListener('keydown', (event) => event.isTrusted && noteInput('key ' + event.key), true);
    };
    watch();
    // the editor writes the page of a panel into its frame, which takes all listeners away
    const { open } = Document.prototype;
    Document.prototype.open = function (...given) {
      const result = open.apply(this, given);
      watch();
      return result;
    };
  `);
  watching.push(script);
}

it('leads from a new window to the first answer in four clicks at most, and without a key', async () => {
  const { page } = workbench;
  const panel = new Panel(page);
  const clicked = [
    page.getByRole('tab', { name: 'Provider Playground' }),
    page.getByRole('button', { name: 'Use Ollama' }),
    panel.button('Run'),
  ];
  for (const control of clicked) await control.click();
  await panel.says(panel.lane(), 'Hello');
  await screenshot(page, 'first-answer');
  // each of them was seen, in whichever frame, and nothing else
  expect(inputs).toEqual(clicked.map(() => 'click'));
  expect(inputs.length).toBeLessThanOrEqual(MOST_CLICKS);
});
