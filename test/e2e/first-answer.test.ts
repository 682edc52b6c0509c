// How much a person does between a new window and the first answer of an Ollama that runs: clicks, and no key.
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { Panel, screenshot, Workbench } from './support';
import { startOllama, stop } from './support/recorded-ollama';

const MOST_CLICKS = 4;

let ollama: Server;
let workbench: Workbench;

beforeAll(async () => {
  ollama = await startOllama();
  workbench = await Workbench.open();
});
afterAll(async () => {
  await workbench?.close();
  if (ollama?.listening) await stop(ollama);
});

/** What a person does with mouse and keyboard from now on, in whichever frame. */
async function watchInput(): Promise<string[]> {
  const inputs: string[] = [];
  await workbench.context.exposeBinding('noteInput', (_source, input: string) => void inputs.push(input));
  await workbench.context.addInitScript(`
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
  await workbench.goto();
  return inputs;
}

it('leads from a new window to the first answer in four clicks at most, and without a key', async () => {
  onTestFailed(async () => void (await screenshot(workbench.page, 'failed first answer')));
  const inputs = await watchInput();
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
