// What the panel needs VS Code for, in one window: custom providers, tools, undo, colours, and a crash of the extension host. Each `describe` opens a playground of its own; the tests in it depend on their order.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acmeModule } from '../support/connections/custom-modules';
import { sendJson, startServer, type TestServer } from '../support/servers/http-server';
import {
  focusEditor,
  Panel,
  readHostLog,
  root,
  runCommand,
  screenshot,
  stopAtFailure,
  themes,
  Workbench,
} from './support';

let workbench: Workbench;
let panel: Panel;

const lane = (): Locator => panel.lane();
const button = (name: string): Locator => panel.button(name);
const says = (where: Locator, text: string | RegExp): Promise<void> => panel.says(where, text);
const openPanel = async (): Promise<void> => {
  panel = await Panel.open(workbench.page);
};

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('a module of custom providers', () => {
  let server: TestServer;
  let path: string;

  const row = (name: RegExp): Locator => workbench.page.getByRole('treeitem', { name }).first();
  const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');
  const connectionBox = (): Locator => lane().getByRole('combobox', { name: 'Connection' });

  async function answer(name: string): Promise<void> {
    await dialog().getByRole('button', { name }).click();
    await dialog().waitFor({ state: 'hidden' });
  }

  async function connectionNames(): Promise<string[]> {
    await connectionBox().click();
    await panel.frame.getByRole('option').first().waitFor();
    const names = await panel.frame.getByRole('option').allInnerTexts();
    await connectionBox().press('Escape');
    return names.map((name) => name.trim());
  }

  async function chooseConnection(name: string): Promise<void> {
    await connectionBox().click();
    await panel.frame.getByRole('option', { name, exact: true }).first().click();
  }

  beforeAll(async () => {
    server = await startServer((_, response, count) =>
      sendJson(
        response,
        count === 1 ? 503 : 200,
        { text: 'Greetings from Acme.' },
        { 'retry-after-ms': '5' },
      ),
    );
    path = join(workbench.folder, 'acme.mjs');
    const described = `static playground = { host: '${server.url}', model: 'anvil' };`;
    writeFileSync(path, acmeModule(server.url, described));
    workbench.updateSettings({ 'providerPlayground.customProviders': 'acme.mjs' });
  });
  afterAll(async () => {
    workbench.updateSettings({ 'providerPlayground.customProviders': undefined });
    await server?.[Symbol.asyncDispose]();
  });

  it('needs a confirmation that names its full path, and does not run when it is declined', async () => {
    // The view lists it by itself, although no playground is open.
    await runCommand(workbench.page, 'Provider Playground: Focus on Connections View');
    await dialog().waitFor();
    const text = await dialog().innerText();
    expect(text).toContain(path);
    expect(text).toContain('all the rights of the editor');
    await screenshot(workbench.page, 'custom-1-question');
    await answer('Cancel');
    await row(/^acme\.mjs.*module/).waitFor();
    await openPanel();
    await panel.button('Lane settings', lane()).click();
    expect(await connectionNames()).toEqual([
      'Demo (local protocol)',
      'Demo (hosted protocol)',
      'Demo (Messages protocol)',
      'Demo (Responses protocol)',
      'acme.mjs',
    ]);
    await chooseConnection('acme.mjs');
    await says(lane(), 'because you declined it');
    await screenshot(workbench.page, 'custom-2-declined');
  });

  it('adds a connection when it is allowed later by command', async () => {
    await runCommand(workbench.page, 'Provider Playground: Load Custom Providers');
    await dialog().waitFor();
    await answer('Run Module');
    await row(/^Acme.*module/).waitFor();
    await expect.poll(connectionNames).toContain('Acme');
    await chooseConnection('Acme');
    await says(lane(), 'from a module of custom providers');
  });

  it('sends a chat, with a retry after a 503', async () => {
    await button('Run').click();
    await says(lane(), 'Greetings from Acme.');
    await says(lane(), '2 attempts');
    await screenshot(workbench.page, 'custom-3-run');
    expect(JSON.parse(server.requests[1]?.body ?? '')).toMatchObject({ model: 'anvil' });
  });

  it('needs a new confirmation when its file has changed', async () => {
    writeFileSync(path, acmeModule(server.url).replace('AcmeProvider', 'BetterProvider'));
    await dialog().waitFor();
    expect(await dialog().innerText()).toContain('has changed');
    await answer('Run Module');
    await expect.poll(connectionNames).toContain('Better');
    expect(await connectionNames()).not.toContain('Acme');
  });
});

describe('a tool', () => {
  beforeAll(openPanel);

  it('is imported from the clipboard', async () => {
    const parameters = { type: 'object', properties: { q: { type: 'string', minLength: 2 } } };
    const tools = [
      { type: 'function', function: { name: 'search_web', description: 'Search.', parameters } },
    ];
    await panel.frame.getByRole('tab', { name: 'Tools', exact: true }).click();
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(JSON.stringify(tools))})`);
    await button('Import tools').first().click();
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await rows
      .filter({ hasText: /clipboard/i })
      .first()
      .click();
    await says(panel.frame.locator('.tool-list'), 'search_web');
    await screenshot(workbench.page, 'tools-1-imported');
  });

  it('opens as JSON in a text editor, with its whole schema', async () => {
    await panel.frame.locator('.tool-row', { hasText: 'search_web' }).click();
    await button('Edit as JSON search_web').click();
    const lines = await focusEditor(workbench.page, 'minLength');
    await screenshot(workbench.page, 'tools-2-json');
    await workbench.page.keyboard.press('Control+w');
    await lines.waitFor({ state: 'hidden' });
  });
});

describe('a change of a scratch', () => {
  beforeAll(openPanel);

  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);

  it('is undone by the command of the editor: a removed tool comes back', async () => {
    const row = panel.frame.locator('.tool-row', { hasText: 'get_weather' });
    await panel.frame.getByRole('tab', { name: 'Tools', exact: true }).click();
    const remove = async (): Promise<void> => {
      await button('Remove tool get_weather').click();
      await row.waitFor({ state: 'hidden' });
      // The editor passes Undo to what has the focus, which goes to the tool beside once the host has answered.
      await expect.poll(() => panel.focused()).toBe('BUTTON');
    };
    await remove();
    await press('Control+z');
    await row.click();
    await remove();
    await runCommand(workbench.page, 'Undo');
    await row.waitFor();
    await screenshot(workbench.page, 'scratch-undone');
  });

  it('is not undone in a text box in which something was typed', async () => {
    const row = panel.frame.locator('.tool-row', { hasText: 'get_weather' });
    await row.click();
    await button('Remove tool get_weather').click();
    await row.waitFor({ state: 'hidden' });
    await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
    await panel.message.pressSequentially('Soon.');
    await press('Control+z');
    await expect.poll(() => panel.message.inputValue()).not.toContain('Soon.');
    await panel.frame.getByRole('tab', { name: 'Tools', exact: true }).click();
    expect(await row.count()).toBe(0);
    await press('Control+z');
    await row.waitFor();
  });
});

describe('each theme', () => {
  beforeAll(openPanel);

  /** The custom properties that the built pages, or the style sheet that VS Code adds to them, refer to. */
  function usedIn(style: string): ReadonlySet<string> {
    const dist = join(root, 'dist');
    const files = readdirSync(dist).filter((name) => /^webview.*\.(js|css)$/.test(name));
    const texts = [style, ...files.map((name) => readFileSync(join(dist, name), 'utf8'))];
    return new Set(texts.flatMap((text) => text.match(/--(?:vscode|monaco|text)-[\w-]+/g) ?? []));
  }

  it('has the colours with which the tests in a plain browser show the pages', async () => {
    const page = panel.frame.locator('html');
    const style = await page.evaluate((html) => html.querySelector('#_defaultStyles')?.textContent ?? '');
    const used = usedIn(style);
    const read = async (): Promise<object> =>
      page.evaluate(
        (html, names) => {
          const { body, documentElement } = html.ownerDocument;
          const variables = names
            .map((name) => [name, documentElement.style.getPropertyValue(name)] as const)
            .filter(([, value]) => value !== '');
          return {
            bodyClass: body.className,
            kind: body.dataset['vscodeThemeKind'],
            variables: Object.fromEntries(variables),
          };
        },
        [...used].toSorted(),
      );
    const looks: Record<string, object> = {};
    for (const theme of themes) {
      await workbench.setTheme(theme);
      looks[theme] = await read();
    }
    const text = `${JSON.stringify({ style, themes: looks }, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../fixtures/editor-look.json');
  });
});

/** The page stays open and gets no notice of it. The last tests of the window, which has no extension host after them. */
describe('a crash of the extension host', () => {
  beforeAll(openPanel);

  /** Process id of the extension host that the server started last, read from the server's log. */
  function hostProcessId(): number | undefined {
    const [, id] =
      [...readHostLog(workbench.dataDir).matchAll(/<(\d+)> Launched Extension Host Process/g)].at(-1) ?? [];
    return id === undefined ? undefined : Number(id);
  }

  it('is reported with the next step, and the unsent message returns to the message box', async () => {
    await expect.poll(hostProcessId).toBeDefined();
    process.kill(hostProcessId() ?? Number.NaN, 'SIGKILL');
    await panel.message.fill('Is it cold in Oslo?');
    await panel.message.press('Control+Enter');
    const alert = panel.frame.getByRole('alert').filter({ hasText: 'Reload the window' });
    await alert.waitFor({ timeout: 60_000 });
    await expect.poll(() => panel.message.inputValue()).toBe('Is it cold in Oslo?');
    await screenshot(workbench.page, 'crash');
  });
});
