// Counts the clicks and keys that a person needs between a new window and the first answer of a running Ollama.
import type { Server } from 'node:http';
import type { Disposable, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Panel, screenshot, screenshotFailures, Workbench } from './support';
import { holdPort, PORT_TIMEOUT_MS, startOllama, stop } from './support/recorded-ollama';

const MOST_CLICKS = 4;

let releasePort: () => void;
let ollama: Server;
let workbench: Workbench;
const watching: Disposable[] = [];
/** Every click and key press of the person, in all frames. */
const inputs: string[] = [];

beforeAll(async () => {
  releasePort = await holdPort();
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
  releasePort?.();
});

/** Records the input events of every document that the page loads from now on. */
async function watchInput(page: Page): Promise<void> {
  const note = (_source: unknown, input: string): void => void inputs.push(input);
  watching.push(await page.exposeBinding('noteInput', note));
  const script = await page.addInitScript(`
    const watch = () => {
      addEventListener('pointerdown', (event) => event.isTrusted && noteInput('click'), true);
      addEventListener('keydown', (event) => event.isTrusted && noteInput('key ' + event.key), true);
    };
    watch();
    // VS Code writes a webview's document with document.open(), which removes all listeners.
    const { open } = Document.prototype;
    Document.prototype.open = function (...given) {
      const result = open.apply(this, given);
      watch();
      return result;
    };
  `);
  watching.push(script);
}

it('the first answer of a running Ollama takes at most four clicks and no key', async () => {
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
  // Every click was recorded, in all frames, and no other input.
  expect(inputs).toEqual(clicked.map(() => 'click'));
  expect(inputs.length).toBeLessThanOrEqual(MOST_CLICKS);
});
