// Four lanes of one playground in a real VS Code, one a protocol, on the demo: the loop over tools with the reasoning that goes back,
// what went over the wire and what is copied of it, a lane that goes from one protocol to another, and the diagnosis of a server
// that does one of them wrong. The tests depend on their order.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/servers/http-server';
import { sendJson, startServer } from '../support/servers/http-server';
import {
  Keyboard,
  Panel,
  renderedMarkdown,
  root,
  runCommand,
  screenshot,
  screenshotInThemes,
  setPanelWidth,
  stopAtFailure,
  Workbench,
} from './support';

const VIEWPORT = { width: 1440, height: 900 };
const NAME = 'protocols.playground.json';
const LANES = [
  { id: 'a', connection: 'demo' },
  { id: 'b', connection: 'demo-hosted' },
  { id: 'c', connection: 'demo-messages', raw: { thinking: { type: 'enabled', budget_tokens: 1024 } } },
  {
    id: 'd',
    connection: 'demo-responses',
    raw: { reasoning: { effort: 'low', summary: 'auto' } },
    sampling: { maxTokens: 400, seed: 7 },
  },
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

/** A server of the Messages API alone that replaces the arguments of every call by an empty object. */
const startEmptyCalls = (): Promise<TestServer> =>
  startServer(({ url, body }, response) => {
    if (url.startsWith('/v1/models')) return sendJson(response, 200, { data: [{ id: 'm', type: 'model' }] });
    if (url !== '/v1/messages') return sendJson(response, 404, { error: { message: 'no such path' } });
    if (body === '{}') return sendJson(response, 400, { error: { message: 'model: Field required' } });
    return sendJson(response, 200, {
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'text', text: 'ready' },
        { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 9, output_tokens: 9 },
    });
  });

const run = promisify(execFile);
let server: TestServer;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name });
/** The visible text of the editor, which draws spaces as no-break spaces. */
const shown = async (): Promise<string> =>
  (await page().locator('.editor-instance .view-line').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
const copied = (): Promise<string> => page().evaluate<string>('navigator.clipboard.readText()');

/** Shows the wire of the last run of a lane. */
async function openWire(number: number): Promise<void> {
  await panel.frame
    .getByRole('navigation', { name: 'Lanes' })
    .getByRole('button')
    .nth(number - 1)
    .click();
  await panel.says(panel.inspector, `Lane ${number}`);
  await panel.openTab('Wire');
}

/** What the panel copies as this client, run with the client that is installed. */
async function runCopy(client: string, name: string): Promise<string> {
  await panel.button('Copy request as', panel.inspector).click();
  await panel.frame.getByRole('menuitem', { name: `${client} client (TypeScript)`, exact: true }).click();
  await expect.poll(copied).toContain(`new ${name}(`);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', await copied()], {
    cwd: root,
  });
  return stdout;
}

/** Scrolls to a heading of the rendered Markdown. */
async function scrollTo(heading: string): Promise<void> {
  const script = `[...document.querySelectorAll('h2')].find((one) => one.innerText.includes('${heading}'))?.scrollIntoView()`;
  for (const frame of page().frames()) await frame.evaluate(script).catch(() => undefined);
}

beforeAll(async () => {
  server = await startEmptyCalls();
  workbench = await Workbench.open({
    viewport: VIEWPORT,
    settings: {
      'providerPlayground.connections': {
        empty: {
          provider: 'messages-api',
          label: 'Empty calls',
          auth: 'none',
          host: server.url,
          model: 'm',
          retry: { maxAttempts: 1 },
        },
      },
    },
  });
  panel = new Panel(page());
  writeFileSync(join(workbench.folder, NAME), JSON.stringify(PLAYGROUND, null, 2));
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.[Symbol.asyncDispose]();
});

describe('four lanes, one a protocol', () => {
  it('run the loop over tools to the same answer', async () => {
    await panel.replace(() => new Keyboard(page()).openFile(NAME));
    await setPanelWidth(page(), 1440);
    await panel.message.fill('What is the weather in Oslo?');
    await panel.button('Run agent').click();
    for (const number of LANES.keys()) await panel.says(panel.lane(number + 1), ANSWER);
    await screenshotInThemes(page(), workbench.folder, 'protocols answered');
  });

  it.each([
    { protocol: 'Messages', number: 3, events: ['message_start', 'content_block_start', 'thinking_delta'] },
    { protocol: 'Responses', number: 4, events: ['response.created', 'response.output_item.added'] },
  ])('show the events of the $protocol protocol by their names', async ({ protocol, number, events }) => {
    await openWire(number);
    await screenshot(page(), `protocols wire ${protocol}`);
    const all = panel.inspector.getByRole('button', { name: /^Events of attempt/ });
    await all.first().click();
    await tab('response.events').waitFor();
    for (const event of events) await expect.poll(shown).toContain(event);
    await screenshot(page(), `protocols events ${protocol}`);
    await tab('response.events').locator('.tab-actions .action-label').click();
  });

  it('offer the request as code of the clients of its protocol', async () => {
    await openWire(3);
    await panel.button('Copy request as', panel.inspector).click();
    const items = panel.frame.getByRole('menuitem');
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('anthropic client (TypeScript)')]),
    );
    await screenshotInThemes(page(), workbench.folder, 'protocols copy menu');
    await page().keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
  });

  it.each([
    { client: 'ollama', number: 1, name: 'Ollama' },
    { client: 'openai', number: 2, name: 'OpenAI' },
    { client: 'anthropic', number: 3, name: 'Anthropic' },
    { client: 'openai', number: 4, name: 'OpenAI' },
  ])('copy the request of lane $number as code for the $client client that works', async (copy) => {
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openWire(copy.number);
    expect(await runCopy(copy.client, copy.name)).toContain('temp_c');
  });

  it.each([
    { number: 3, limit: /input-tokens\s*[\d,\u202f]+\s*/ },
    { number: 4, limit: /requests\s*[\d,\u202f]+\s*/ },
  ])('show the rate limits that the service of lane $number names', async ({ number, limit }) => {
    await openWire(number);
    await panel.openTab('Attempts');
    await panel.says(panel.inspector, 'Rate limits of the service');
    await panel.says(panel.inspector, limit);
    await screenshot(page(), `protocols rate limits ${number}`);
  });

  it('tell what became of the sampling, and count the tokens of a prompt that cannot be shown', async () => {
    await openWire(4);
    await panel.says(panel.inspector, /maxTokens\s*400\s*lane\s*max_output_tokens\s*400/);
    await panel.says(panel.inspector, 'dropped, not supported by this connection');
    for (const number of [3, 4]) {
      await openWire(number);
      await panel.button('Show rendered prompt', panel.inspector).click();
      await panel.says(
        panel.inspector,
        'The server counts the tokens of a prompt, but does not show its text.',
      );
    }
    await screenshotInThemes(page(), workbench.folder, 'protocols counted');
  });

  it('go on with a lane that changes from Responses to the hosted protocol, and say what is left out', async () => {
    await panel.inSettings(() => panel.chooseConnection('Demo (hosted protocol)', 4), 4);
    await panel.ask('And in Bergen?');
    // The other connection has the same model.
    await panel.says(panel.lane(4), 'uses-result');
    await panel.openTab('Reply');
    await panel.says(panel.inspector, /Not sent back: the reasoning with/);
    await screenshot(page(), 'protocols switched');
  });

  it('fit a narrow panel', async () => {
    await setPanelWidth(page(), 400);
    await screenshotInThemes(page(), workbench.folder, 'protocols narrow');
  });
});

describe('a server that does the Messages protocol wrong', () => {
  it('is told by its diagnosis what it does', async () => {
    await page().setViewportSize(VIEWPORT);
    await runCommand(page(), 'Provider Playground: Diagnose Connection');
    const step = page().locator('.quick-input-widget');
    await step.locator('.monaco-list-row', { hasText: 'Empty calls' }).first().waitFor();
    await step.locator('input[type=text]').first().fill('Empty calls');
    await step.locator('.monaco-list-row.focused', { hasText: 'Empty calls' }).waitFor();
    await page().keyboard.press('Enter');
    const rendered = (): Promise<string> => renderedMarkdown(page());
    await expect.poll(rendered).toContain('The arguments of the call came as {}');
    await expect.poll(rendered).toContain('The server does not speak it (404).');
    await screenshot(page(), 'protocols diagnosis');
    await scrollTo('Protocols of the server');
    await screenshotInThemes(page(), workbench.folder, 'protocols diagnosis of protocols');
  });
});
