// The tools for agents, invoked by another extension in a real VS Code: the person is asked before each, in words that say what it
// sends, and the agent is told what it found. The tests depend on their order.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyboard, Panel, runCommand, screenshotInThemes, stopAtFailure, Workbench } from './support';

const NAME = 'agent.playground.json';
const PLAYGROUND = {
  version: 1,
  tools: [
    {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  lanes: [
    { id: 'native', connection: 'demo', model: 'native-call' },
    { id: 'pilot', connection: 'vscode-lm', model: 'harbour/pilot' },
  ],
  messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  expect: [{ calls: [{ tool: 'get_weather', arguments: { city: 'Bergen' } }] }],
  evaluate: { repeat: 2 },
};
const REPLY = 'I look.\n<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo",}}</tool_call>';

interface Invoked {
  text?: string;
  error?: { name: string; message: string };
}

let workbench: Workbench;

const page = () => workbench.page;
const inFolder = (name: string): string => join(workbench.folder, name);
const dialog = (): Locator => page().locator('.monaco-dialog-box');
const agree = (): Promise<void> => dialog().getByRole('button', { name: 'Yes', exact: true }).click();

/** Lets the other extension invoke a tool. @returns what waits for its end */
async function invoke(tool: string, input: object): Promise<() => Promise<Invoked>> {
  rmSync(inFolder('invoked.json'), { force: true });
  writeFileSync(inFolder('invoke.json'), JSON.stringify([{ name: `provider_playground_${tool}`, input }]));
  await runCommand(page(), 'Harbour: Invoke Tools');
  return async () => {
    await expect.poll(() => existsSync(inFolder('invoked.json'))).toBe(true);
    const [invoked = {}] = JSON.parse(readFileSync(inFolder('invoked.json'), 'utf8')) as Invoked[];
    return invoked;
  };
}

/** How often the models of the other extension were asked. */
const requests = (): number =>
  existsSync(inFolder('received.jsonl'))
    ? readFileSync(inFolder('received.jsonl'), 'utf8').split('"asked"').length - 1
    : 0;

beforeAll(async () => {
  workbench = await Workbench.open({ settings: { 'chat.disableAIFeatures': false } });
  writeFileSync(inFolder(NAME), JSON.stringify(PLAYGROUND, null, 2));
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('the tools for agents', () => {
  it('read the calls in a text once the person has agreed', async () => {
    const invoked = await invoke('read_reply', { text: REPLY });
    await dialog().getByText('Read tool calls in a text?').waitFor();
    expect(await dialog().innerText()).toContain('Nothing is sent, and no tool is called.');
    await screenshotInThemes(page(), workbench.folder, 'agent-tools 1 read');
    await agree();
    const { text } = await invoked();
    expect(text).toContain('✓ get_weather {"city":"Oslo"}');
    expect(text).toContain('repaired: trailing-comma');
  });

  it('say what an evaluation sends before it sends anything', async () => {
    const invoked = await invoke('evaluate_file', { file: NAME });
    await dialog().getByText(`Evaluate ${NAME}?`).waitFor();
    const asked = await dialog().innerText();
    expect(asked).toContain('It sends up to 4 requests. What they cost is not known.');
    expect(asked).toContain("Up to 2 of them count against your quota of VS Code's models.");
    await screenshotInThemes(page(), workbench.folder, 'agent-tools 2 evaluate');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect((await invoked()).error?.name).toBe('Canceled');
    expect(requests()).toBe(0);
  });

  it('evaluate a file of the workspace and tell its summary', async () => {
    const invoked = await invoke('evaluate_file', { file: NAME });
    await dialog().getByText(`Evaluate ${NAME}?`).waitFor();
    await agree();
    const { text } = await invoked();
    expect(text).toContain('# Evaluation of agent');
    expect(text).toContain('2 of 2 samples: get_weather: city is "Oslo"; expected "Bergen".');
    expect(text).toMatch(/harbour\/pilot.*not reported/);
    expect(requests()).toBe(2);
  });

  it('say which file there is not, without a question', async () => {
    const invoked = await invoke('evaluate_file', { file: 'none.playground.json' });
    const { error } = await invoked();
    expect(error?.message).toContain(
      `no playground file none.playground.json in the workspace. It has ${NAME}.`,
    );
    expect(await dialog().count()).toBe(0);
  });

  it('explain a stored run', async () => {
    const panel = new Panel(page());
    await new Keyboard(page()).openFile(NAME);
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(2), 'Rescued');
    const explain = async (run: string): Promise<string> => {
      const invoked = await invoke('explain_run', { run });
      await dialog().getByText('Tell the chat about a stored run?').waitFor();
      expect(await dialog().innerText()).toContain(
        'What was sent in it and what came back goes to the model',
      );
      if (run === 'last') await screenshotInThemes(page(), workbench.folder, 'agent-tools 3 explain');
      await agree();
      return (await invoked()).text ?? '';
    };
    // Both lanes ran at once, so either run may be the last one.
    const last = await explain('last');
    const [, id = ''] = /^- (\S+) · \S+ · harbour\/pilot · rescued/m.exec(last) ?? [];
    const text = await explain(id);
    expect(text).toContain('- Model: `harbour/pilot`');
    expect(text).toContain('The call came as text. There was no native call.');
    expect(text).toContain('✓ get_weather {"city":"Oslo"}');
  });
});
