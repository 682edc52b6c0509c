// Requests from elsewhere in a real VS Code: a cURL command with a key is pasted into the first playground, one entry of a HAR file is
// chosen, and the span of a reply that failed is explained at once. The key is hunted everywhere.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/servers/model-server';
import {
  chooseFile,
  focusEditor,
  Keyboard,
  Panel,
  readEveryFrame,
  runCommand,
  screenshot,
  screenshotInThemes,
  setPanelWidth,
  stopAtFailure,
  Workbench,
} from './support';

const VIEWPORT = { width: 1440, height: 900 };
const KEY = 'canary-pasted-0123456789';

let server: ModelServer;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const quickInput = (): Locator => page().locator('.quick-input-widget');
const toast = (text: string): Locator => page().locator('.notification-toast').filter({ hasText: text });

/** As it is copied from a terminal. */
const curl = (): string =>
  [
    `curl ${server.host}/v1/chat/completions \\`,
    `  -H 'content-type: application/json' -H 'authorization: Bearer ${KEY}' \\`,
    `  -d '{"model": "tiny:latest", "temperature": 0, "messages": [{"role": "system", "content": "Be brief."},`,
    `       {"role": "user", "content": "Is all well?"}], "safety_identifier": "abc"}'`,
  ].join('\n');

const chat = (question: string, answer: string): object => ({
  startedDateTime: '2026-02-01T10:00:01.500Z',
  time: 812.5,
  request: {
    method: 'POST',
    url: 'https://chat.example/v1/chat/completions',
    headers: [{ name: 'content-type', value: 'application/json' }],
    postData: {
      mimeType: 'application/json',
      text: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: question }] }),
    },
  },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'application/json' }],
    content: {
      mimeType: 'application/json',
      text: JSON.stringify({
        choices: [{ message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
      }),
    },
  },
});

const HAR = {
  log: {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    entries: [
      {
        startedDateTime: '2026-02-01T10:00:00.000Z',
        time: 12,
        request: { method: 'GET', url: 'https://chat.example/', headers: [] },
        response: { status: 200, headers: [], content: { text: '<html>' } },
      },
      chat('Who are you?', 'A model.'),
      chat('Where is Oslo?', 'In Norway.'),
    ],
  },
};

const attribute = (key: string, value: unknown): object => ({
  key,
  value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
});

/** Of a reply whose call came as text, so that the program saw none. */
const SPAN = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              name: 'chat m',
              startTimeUnixNano: '1700000000000000000',
              endTimeUnixNano: '1700000001500000000',
              attributes: [
                attribute('gen_ai.operation.name', 'chat'),
                attribute('gen_ai.request.model', 'm'),
                attribute('gen_ai.input.messages', [
                  { role: 'user', parts: [{ type: 'text', content: 'What is the weather in Oslo?' }] },
                ]),
                attribute('gen_ai.output.messages', [
                  {
                    role: 'assistant',
                    parts: [
                      {
                        type: 'text',
                        content:
                          '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}\n</tool_call>',
                      },
                    ],
                    finish_reason: 'stop',
                  },
                ]),
                attribute('gen_ai.tool.definitions', [
                  {
                    type: 'function',
                    name: 'get_weather',
                    description: 'Get the current weather of a city.',
                    parameters: { type: 'object', properties: { city: { type: 'string' } } },
                  },
                ]),
              ],
            },
          ],
        },
      ],
    },
  ],
};

beforeAll(async () => {
  server = new ModelServer();
  await server.start();
  server.key = KEY;
  workbench = await Workbench.open({
    viewport: VIEWPORT,
    settings: {
      'providerPlayground.connections': {
        mine: { label: 'My API', provider: 'hosted-api', host: `${server.host}/v1`, model: 'other' },
      },
    },
  });
  await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  writeFileSync(join(workbench.folder, 'browser.har'), JSON.stringify(HAR));
  writeFileSync(join(workbench.folder, 'span.json'), JSON.stringify(SPAN, null, 2));
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.stop();
});

describe('a cURL command with a key', () => {
  it('is offered to be opened when it is pasted into the first playground', async () => {
    panel = await Panel.open(page());
    await page().evaluate(`navigator.clipboard.writeText(${JSON.stringify(curl())})`);
    await panel.message.click();
    await page().keyboard.press('Control+v');
    await panel.button('Open request').waitFor();
    expect(await panel.message.inputValue()).toBe('What is the weather in Oslo?');
    await screenshot(page(), 'open request 1 pasted');
  });

  it('opens on the connection with its address, and says that it has a key', async () => {
    await panel.replace(() => panel.button('Open request').click());
    await panel.says(panel.lane(), 'tiny:latest');
    expect(await panel.message.inputValue()).toBe('Is all well?');
    await panel.says(panel.lane(), 'My API');
    await toast('The request has a key for').waitFor();
    await setPanelWidth(page(), 1440);
    await screenshotInThemes(page(), workbench.folder, 'open request 2 key found');
    expect(workbench.filesWith(KEY)).toEqual([]);
  });

  it('is sent with the key once the person stores it', async () => {
    await toast('The request has a key for').getByRole('button', { name: 'Store Key' }).click();
    await page().locator('.statusbar-item').getByText('The key of My API is stored.').waitFor();
    await panel.button('Run').click();
    await panel.says(panel.lane(), 'All is well.');
    expect(server.headers.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
    expect(server.chats).toBe(1);
  });
});

describe('a HAR file', () => {
  it('lists its chats, of which one is chosen', async () => {
    await runCommand(page(), 'Provider Playground: Open Request…');
    await quickInput().locator('.monaco-list-row', { hasText: 'File…' }).first().click();
    await chooseFile(page(), join(workbench.folder, 'browser.har'));
    await quickInput().locator('.monaco-list-row', { hasText: 'Who are you?' }).waitFor();
    await screenshot(page(), 'open request 3 choice');
    await quickInput().locator('.monaco-list-row', { hasText: 'Where is Oslo?' }).click();
  });

  it('opens with its reply, on a connection that is added for its address', async () => {
    const add = quickInput().locator('.monaco-list-row', {
      hasText: 'Add a connection to https://chat.example',
    });
    await add.waitFor();
    await screenshot(page(), 'open request 4 connection');
    await panel.replace(() => add.click());
    await panel.says(panel.lane(), 'In Norway.');
    await screenshot(page(), 'open request 5 with reply');
  });
});

describe('the span of a reply that failed', () => {
  it('is explained at once: the call, what was repaired of it, and why the program saw none', async () => {
    await new Keyboard(page()).openFile('span.json');
    await focusEditor(page(), 'resourceSpans');
    await page().keyboard.press('Control+a');
    await runCommand(page(), 'Provider Playground: Open Request…');
    await quickInput().locator('.monaco-list-row', { hasText: 'Selection' }).first().click();
    panel = new Panel(page());
    await panel.says(panel.lane(), 'What is the weather in Oslo?');
    await panel.says(panel.lane(), 'Rescued');
    await panel.says(panel.inspector, /came as text/);
    await screenshotInThemes(page(), workbench.folder, 'open request 6 span');
    await panel.openTab('Rescue');
    await panel.says(panel.inspector, /a comma too many/);
    await screenshot(page(), 'open request 7 rescue');
    await setPanelWidth(page(), 400);
    await screenshot(page(), 'open request 8 narrow');
  });
});

describe('the key of a pasted request', () => {
  it('is in no file, no log, no document of a page', async () => {
    expect(workbench.filesWith(KEY)).toEqual([]);
    expect(workbench.server.log()).not.toMatch(/canary/i);
    await page().evaluate(`navigator.clipboard.writeText('')`);
    const held = await readEveryFrame(page(), async (frame) => {
      const stored = await frame.evaluate(() => JSON.stringify(Object.entries(localStorage)));
      return `${await frame.content()}\n${stored}`;
    });
    expect([...held].filter((text) => text.includes(KEY))).toEqual([]);
  });
});
