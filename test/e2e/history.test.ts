// The History view in a real VS Code, by keyboard: stored runs are listed, filtered, pinned, named, compared, replayed, opened
// without their server, exported and deleted. The server repeats the key in its replies; no file may contain it. The tests
// depend on their order.
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/servers/http-server';
import { startServer } from '../support/servers/http-server';
import {
  chooseQuickPick,
  focusEditor,
  Panel,
  renderedMarkdown,
  runCommand,
  screenshot,
  screenshotInThemes,
  stopAtFailure,
  Workbench,
} from './support';

const KEY = 'canary-key-0123456789';

let server: TestServer;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const press = (key: string): Promise<void> => page().keyboard.press(key);
const quickInput = (): Locator => page().locator('.quick-input-widget');
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name }).first();
const row = (name: RegExp): Locator => page().getByRole('treeitem', { name });
const view = (): Locator => page().locator('.pane', { hasText: 'History' }).last();
/** The visible document of a run. */
const shown = (): Promise<string> => renderedMarkdown(page());
const chats = (): string[] =>
  server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

interface ChatBody {
  model: string;
  messages: { content: string }[];
}

/** Starts a server that calls a tool when it is asked for the weather, and otherwise repeats the key that it received. */
const startModelServer = (): Promise<TestServer> =>
  startServer(({ url, body, headers }, response) => {
    if (url.endsWith('/models')) return response.end('{"data":[{"id":"own-model"}]}');
    const asked = (JSON.parse(body) as ChatBody).messages.at(-1)?.content ?? '';
    const call = { index: 0, id: 'c1', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } };
    const delta = asked.includes('weather')
      ? { tool_calls: [call] }
      : { content: `You said ${asked} with ${String(headers.authorization)}` };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = { choices: [{ index: 0, delta, finish_reason: 'stop' }] };
    return response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });

async function focusTree(): Promise<void> {
  await runCommand(page(), 'Provider Playground: Focus on History View');
  await page().waitForFunction("document.activeElement?.closest('.customview-tree') != null");
  await press('Home');
}

/** Moves the focus down the tree to the row with this name. */
async function goTo(name: RegExp): Promise<void> {
  await focusTree();
  const target = row(name).first();
  await target.waitFor();
  for (let step = 0; step < 40; step++) {
    if (/\bfocused\b/.test((await target.getAttribute('class')) ?? '')) return;
    await press('ArrowDown');
  }
  throw new Error(`the keyboard does not come to ${name.source}`);
}

/** Selects the row, which previews the run beside the tree; the focus stays in the tree. */
async function select(name: RegExp): Promise<void> {
  await goTo(name);
  await press('Space');
  await page().locator('.monaco-list-row.selected').and(row(name)).first().waitFor();
  await tab('own-model').waitFor();
}

beforeAll(async () => {
  server = await startModelServer();
  const own = { label: 'Own', provider: 'hosted-api', host: `${server.url}/v1`, model: 'own-model' };
  workbench = await Workbench.open({
    viewport: { width: 1500, height: 900 },
    settings: { 'providerPlayground.connections': { own } },
  });
  await runCommand(page(), 'Provider Playground: Set API Key');
  await chooseQuickPick(page(), 'Own');
  await quickInput().locator('input[type=password]').waitFor();
  await quickInput().getByText(server.url).first().waitFor();
  await page().keyboard.type(KEY);
  await press('Enter');
  await quickInput().waitFor({ state: 'hidden' });
  panel = await Panel.open(page());
  await panel.inSettings(() => panel.chooseConnection('Own'));
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.[Symbol.asyncDispose]();
});

describe('the history', () => {
  it('lists the runs of a playground', async () => {
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(), 'Native');
    await panel.ask('Hello Bergen');
    await panel.says(panel.lane(), 'You said Hello Bergen');
    await panel.ask('Hello Narvik');
    await panel.says(panel.lane(), 'You said Hello Narvik');
    await runCommand(page(), 'Provider Playground: Focus on History View');
    const playground = row(/^What is the weather in Oslo/).first();
    await playground.waitFor();
    await focusTree();
    // The tree ignores keys while it reads its rows again.
    const expand = async (): Promise<string | null> => {
      if ((await playground.getAttribute('aria-expanded')) !== 'true') await press('ArrowRight');
      return playground.getAttribute('aria-expanded');
    };
    await expect.poll(expand).toBe('true');
    await row(/^Today 3 runs/).waitFor();
    await row(/^[\w ]+ · own-model Hello Narvik · /).waitFor();
    await row(/^native call · own-model What is the weather in Oslo\?/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'history-1-tree');
  });

  it('shows only runs that match the filter, names the filter, and shows all when it is cleared', async () => {
    await runCommand(page(), 'Provider Playground: Filter History…');
    await quickInput().getByText('Filter History: model, outcome, tool').waitFor();
    await screenshot(page(), 'history-2-filter');
    await page().keyboard.type('get_weather');
    await quickInput().locator('.monaco-list-row', { hasText: 'get_weather' }).first().waitFor();
    await press('ArrowDown');
    await press('Space');
    await press('Enter');
    await quickInput().getByText('Filter History: text').waitFor();
    await press('Enter');
    await view().getByText('Filter: tool get_weather. 1 of 3 runs.').waitFor();
    await row(/own-model Hello Narvik/).waitFor({ state: 'hidden' });
    await row(/^native call · own-model What is the weather in Oslo\?/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'history-3-filtered');
    await runCommand(page(), 'Provider Playground: Clear History Filter');
    await row(/own-model Hello Narvik/).waitFor();
    await view().getByText('Filter:').waitFor({ state: 'hidden' });
  });

  it('pins and names a run', async () => {
    await select(/own-model Hello Bergen/);
    await runCommand(page(), 'Provider Playground: Pin in History');
    await row(/^Pinned 1 run/).waitFor();
    await select(/own-model Hello Bergen/);
    await press('F2');
    await quickInput().getByText('Name Run: Hello Bergen').waitFor();
    await page().keyboard.type('The good one');
    await press('Enter');
    await row(/own-model The good one/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'history-4-pinned');
  });

  it('shows a run in its playground', async () => {
    // Not the last run, which the inspector shows anyway.
    await select(/own-model The good one/);
    await runCommand(page(), 'Provider Playground: Go to Playground or Recording');
    const { inspector } = new Panel(page());
    await inspector.getByText('You said Hello Bergen').first().waitFor();
    await screenshot(page(), 'history-5-in-playground');
  });

  it('compares two runs', async () => {
    await select(/own-model Hello Narvik/);
    await press('Shift+ArrowDown');
    await runCommand(page(), 'Provider Playground: Compare Runs…');
    await chooseQuickPick(page(), 'Request');
    await tab('request').waitFor();
    await page().locator('.monaco-diff-editor .line-insert').first().waitFor();
    await screenshot(page(), 'history-5-compared');
    await press('Control+w');
  });

  it('sends the same bytes again, and stores the reply as a run of its own', async () => {
    const first = chats().find((body) => body.includes('Hello Narvik')) ?? '';
    const before = chats().length;
    await select(/own-model Hello Narvik/);
    await runCommand(page(), 'Provider Playground: Replay Run Exactly');
    await tab('own-model').waitFor();
    await row(/own-model Hello Narvik · replay · /).waitFor();
    expect(chats().slice(before)).toEqual([first]);
    expect(JSON.parse(first)).toMatchObject({ model: 'own-model', stream: true });
    await screenshot(page(), 'history-6-replayed');
    await press('Control+w');
  });

  it('opens a run while its server is down, without a request', async () => {
    const before = chats().length;
    await server[Symbol.asyncDispose]();
    await goTo(/own-model Hello Narvik (?!.*replay)/);
    await press('Enter');
    await tab('own-model').waitFor();
    await expect.poll(shown).toContain('You said Hello Narvik');
    await expect.poll(shown).toMatch(/Outcome: .*\n/);
    expect(await shown()).not.toContain(KEY);
    await screenshot(page(), 'history-6-opened');
    await press('Control+w');
    expect(chats()).toHaveLength(before);
  });

  it('exports the selected runs with the key masked', async () => {
    await select(/own-model Hello Narvik (?!.*replay)/);
    await press('Shift+ArrowDown');
    await runCommand(page(), 'Provider Playground: Export Runs as…');
    await chooseQuickPick(page(), 'JSON');
    await tab('Untitled').waitFor();
    await focusEditor(page(), 'provider-playground-runs');
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await press('Control+a');
    await press('Control+c');
    const copied = (): Promise<string> => page().evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toMatch(/provider-playground-runs[^]*You said Hello Narvik with Bearer \*{6}/);
    expect(await copied()).not.toContain(KEY);
    await runCommand(page(), 'View: Revert and Close Editor');
  });

  it('deletes a run after a confirmation', async () => {
    const stored = (): string =>
      workbench
        .files()
        .filter((file) => file.endsWith('.jsonl'))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
    expect(stored()).toContain('You said Hello Narvik');
    await select(/own-model Hello Narvik (?!.*replay)/);
    await press('Delete');
    await page().getByText('Delete “Hello Narvik” from the history?').waitFor();
    await screenshot(page(), 'history-7-delete');
    await page().getByRole('button', { name: 'Delete', exact: true }).click();
    await row(/own-model Hello Narvik (?!.*replay)/).waitFor({ state: 'hidden' });
    await row(/own-model Hello Narvik · replay/).waitFor();
    await row(/own-model The good one/).waitFor();
  });

  it('stores the key in none of its files', () => {
    const names = workbench.files().filter((file) => readFileSync(file, 'latin1').includes(KEY));
    expect(names.filter((name) => name.includes('provider-playground'))).toEqual([]);
  });

  it('is cleared after a confirmation', async () => {
    const runFiles = (): string[] => workbench.files().filter((file) => file.includes('/runs/'));
    expect(runFiles()).not.toEqual([]);
    await runCommand(page(), 'Provider Playground: Clear History…');
    await page().locator('.monaco-dialog-box').getByRole('button', { name: 'Clear History' }).click();
    await expect.poll(runFiles).toEqual([]);
    await expect.poll(() => row(/(?:own-model|What is)/).count()).toBe(0);
  });
});
