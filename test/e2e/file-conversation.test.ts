// What a conversation changes in a playground file and in the stored history, in a real VS Code. The tests depend on their
// order.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/http-server';
import { startServer } from '../support/http-server';
import { Panel, runCommand, screenshot, screenshotFailures, Workbench } from './support';

const NAME = 'weather.playground.json';
const TEXT = `{
  // asked each morning
  "system": "Answer in one sentence.",
  "tools": [
    {
      "name": "get_weather",
      "parameters": {
        "type": "object",
        "properties": {
          "city": { "type": "string" /* no country */ },
          "unit": { "type": "string" } // celsius
        }
      },
      "mocks": [
        { "when": { "city": "Bergen" /* the wet one */ }, "result": "Rain." },
        { "when": { "city": "Oslo" }, "result": "Snow." } // in winter
      ]
    }
  ],
  "lanes": [
    // the one to beat
    { "id": "a", "connection": "demo", "model": "native-call" },
    { "id": "b", "connection": "own" /* ours */ }
  ]
}
`;
const COMMENTS = TEXT.match(/\/\/ .*|\/\* .*? \*\//g) ?? [];

interface Written {
  messages: { content: string; lanes?: string[] }[];
  tools: { mocks: object[]; parameters: { properties: object } }[];
  lanes: { id: string; connection: string }[];
}

let server: TestServer;
/** How the server answers: with a sentence, with an empty body, or not at all. */
let mode: 'answer' | 'empty' | 'silent' = 'answer';
let sentence = 'Snow is all I see.';
let workbench: Workbench;
let panel: Panel;
let path: string;

const onDisk = (): string => readFileSync(path, 'utf8');
/** Polled, because the file is empty for a moment while the editor saves it. */
const lostComments = (): string[] => COMMENTS.filter((comment) => !onDisk().includes(comment));
const written = (): Written => JSON.parse(onDisk().replaceAll(/\/\/ .*|\/\* .*? \*\//g, '')) as Written;
const lanes = (name: string): Locator => panel.frame.locator('.lane', { hasText: name });
const own = (): Locator => lanes('Own');
const sent = (): { tool_choice?: unknown; messages: { content: string }[] }[] =>
  server.requests.filter(({ url }) => url.endsWith('/chat/completions')).map(({ body }) => JSON.parse(body));

async function openFile(): Promise<void> {
  const { page } = workbench;
  await runCommand(page, 'Go to File...');
  await page.locator('.quick-input-widget input[type="text"]').first().fill(NAME);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: NAME }).first().click();
  await panel.lane().waitFor();
}

/** Polls a value of the file, and saves the editor before each attempt. */
const saved = (what: () => unknown) =>
  expect.poll(async () => {
    await workbench.page.keyboard.press('Control+s');
    return what();
  });

beforeAll(async () => {
  server = await startServer(({ url }, response) => {
    if (url.endsWith('/models')) return response.end('{"data":[{"id":"own-model"}]}');
    if (mode === 'silent') return undefined;
    if (mode === 'empty') return response.writeHead(200, { 'content-type': 'application/json' }).end();
    const chunk = { choices: [{ index: 0, delta: { content: sentence }, finish_reason: 'stop' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  const connection = { label: 'Own', provider: 'hosted-api', host: `${server.url}/v1`, auth: 'none' };
  workbench = await Workbench.open({
    settings: {
      'files.autoSave': 'off',
      'providerPlayground.connections': {
        own: { ...connection, model: 'own-model', embedModel: 'own-embed' },
      },
      'providerPlayground.maxConcurrentRequests': 1,
    },
  });
  panel = new Panel(workbench.page);
  path = join(workbench.folder, NAME);
  writeFileSync(path, TEXT);
  await openFile();
});
screenshotFailures(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.[Symbol.asyncDispose]();
});

describe('a playground file', () => {
  it('keeps its comments when a lane, a parameter and a mock are moved', async () => {
    await panel.inMenu('Move right');
    await panel.frame.getByRole('tab', { name: 'Tools', exact: true }).click();
    await panel.button('Move parameter 1 of get_weather down').click();
    await panel.button('Move mock 1 of get_weather down').click();
    await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
    await saved(() => written().lanes.map(({ id }) => id)).toEqual(['b', 'a']);
    const parameters = (): string[] => Object.keys(written().tools[0]?.parameters.properties ?? {});
    await saved(parameters).toEqual(['unit', 'city']);
    await saved(() => written().tools[0]?.mocks).toMatchObject([{ result: 'Snow.' }, { result: 'Rain.' }]);
    await expect.poll(lostComments).toEqual([]);
  });

  it('stores the message of a paused agent run after the question, for that lane only', async () => {
    await panel.message.fill('What is the weather in Oslo?');
    await panel.message.press('Tab');
    await panel.inMenu('Run step by step', 2);
    await panel.says(panel.lane(2), 'Paused');
    await panel.frame.getByRole('textbox', { name: 'Message before the next step' }).fill('Hurry.');
    await panel.button('Run on').click();
    await panel.says(panel.lane(2), 'after 2 calls');
    await saved(() => written().messages).toMatchObject([
      { content: 'What is the weather in Oslo?' },
      { content: 'Hurry.', lanes: ['a'] },
    ]);
    await screenshot(workbench.page, 'file-conversation-2-step');
  });

  it('gets its messages and its conversation back when Clear conversation is undone', async () => {
    await panel.button('Clear conversation', panel.lane(2)).click();
    await lanes('after 2 calls').waitFor({ state: 'hidden' });
    await saved(() => written().messages.length).toBe(1);
    await expect.poll(lostComments).toEqual([]);
    await screenshot(workbench.page, 'file-conversation-3-cleared');
    await panel.button('Undo clear').click();
    await lanes('after 2 calls').waitFor();
    await saved(() => written().messages.length).toBe(2);
    await expect.poll(lostComments).toEqual([]);
  });
});

describe('a lane', () => {
  it('sends its tool choice where the protocol supports it, and says where it does not', async () => {
    for (const number of [1, 2]) {
      await panel.inSettings(async () => {
        const choice = panel.lane(number).locator('pg-select-box', { hasText: 'Tool choice' });
        await choice.getByRole('combobox').click();
        await panel.frame.getByRole('option', { name: 'required', exact: true }).first().click();
        const hint = choice.locator('xpath=..').getByText('not supported by this server');
        await expect.poll(() => hint.isVisible()).toBe(number === 2);
        await screenshot(workbench.page, `file-conversation-4-tool-choice-${number}`);
      }, number);
    }
    await panel.ask('And tomorrow?');
    await expect.poll(() => sent().at(-1)?.tool_choice).toBe('required');
    await panel.says(own(), 'Snow is all I see.');
  });

  it('reports an answer with an empty body', async () => {
    mode = 'empty';
    await panel.ask('And on Friday?');
    await panel.says(own(), 'Own answered 200 with an empty body');
    await screenshot(workbench.page, 'file-conversation-5-empty-answer');
  });

  it('with an answer is not asked again when Run is pressed with an empty message box; a lane without one is', async () => {
    [mode, sentence] = ['answer', 'It snows.'];
    await panel.button('Stop').and(panel.frame.locator('[disabled]')).waitFor();
    await expect.poll(() => panel.message.inputValue()).toBe('');
    const turns = panel.lane(2).locator('.turn');
    const [before, asked] = [await turns.count(), sent().length];
    await panel.button('Run').click();
    await panel.says(own(), 'It snows.');
    expect(
      sent()
        .slice(asked)
        .map(({ messages }) => messages.at(-1)?.content),
    ).toEqual(['And on Friday?']);
    expect(await turns.count()).toBe(before);
    await screenshot(workbench.page, 'file-conversation-6-empty-box');
  });
});

describe('an embedding', () => {
  it('says that it waits for its turn, and can be stopped', async () => {
    mode = 'silent';
    await panel.ask('And on Saturday?');
    await panel.says(own(), /Waiting for headers/);
    await panel.frame.getByRole('tab', { name: 'Embeddings' }).click();
    await panel.frame.getByRole('combobox', { name: 'Connection' }).click();
    await panel.frame.getByRole('option', { name: 'Own' }).first().click();
    await panel.button('Embed').click();
    const result = panel.frame.getByRole('region', { name: 'Vectors and similarity' });
    await panel.says(result, 'Waiting for its turn');
    await screenshot(workbench.page, 'file-conversation-7-waiting');
    await panel.button('Stop').click();
    await panel.says(result, 'Stopped');
    await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
    await panel.button('Stop').click();
  });
});

describe('Clear History', () => {
  const runFiles = (): string[] => workbench.files().filter((file) => file.includes('/runs/'));

  it('deletes the runs that were stored before the history was switched off', async () => {
    const { page } = workbench;
    await page.keyboard.press('Control+s');
    expect(runFiles()).not.toEqual([]);
    workbench.updateSettings({ 'providerPlayground.history.enabled': false });
    await page.reload();
    // VS Code may not have saved yet which view was open.
    await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
    await panel.lane().waitFor();
    await runCommand(page, 'Provider Playground: Clear History…');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Clear History' }).click();
    await expect.poll(runFiles).toEqual([]);
    await expect.poll(() => lanes('after 2 calls').count()).toBe(0);
  });
});
