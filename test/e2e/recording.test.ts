// Another program and the demo, with a recording between them in a real VS Code: the program is given the address that the page
// shows, its loop over tools ends because the call came as text, and goes on once calls are repaired. Then a second recording, of a
// server that needs a key, the keys of both hunted everywhere, and a window that is reloaded in the middle. The tests depend on
// their order.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/servers/model-server';
import {
  chooseQuickPick,
  findAxeViolations,
  Panel,
  readEveryFrame,
  RecordingPage,
  root,
  runCommand,
  screenshot,
  screenshotInThemes,
  setPanelWidth,
  stopAtFailure,
  waitUntilKept,
  Workbench,
} from './support';

const VIEWPORT = { width: 1440, height: 900 };
const QUESTION = 'What is the weather in Oslo?';
/** The key that the program sends, and the one that is stored for the connection. */
const KEYS = { program: 'canary-program-0123456789', stored: 'canary-stored-0123456789' };
const EVERY_KEY = Object.values(KEYS);

const run = promisify(execFile);
let server: ModelServer;
let workbench: Workbench;
let recording: RecordingPage;
/** Variables of the program, as the page gives them to be copied. */
let variables: Record<string, string> = {};

const page = () => workbench.page;
const quickInput = (): Locator => page().locator('.quick-input-widget');
const statusItem = (): Locator =>
  page()
    .locator('.statusbar-item')
    .filter({ hasText: /recording/i });
const copied = (): Promise<string> => page().evaluate<string>('navigator.clipboard.readText()');
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name });

/** Copies the variables that the page shows, as a person does. */
async function readVariables(): Promise<Record<string, string>> {
  await page().evaluate(`navigator.clipboard.writeText('')`);
  await recording.frame.getByRole('button', { name: 'Copy the variables for the OpenAI protocol' }).click();
  await expect.poll(copied).toContain('OPENAI_BASE_URL');
  return Object.fromEntries(
    [...(await copied()).matchAll(/export (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

interface Told {
  cities: string[];
  text: string;
}

async function runProgram(
  model: string,
  questions: readonly string[] = [QUESTION],
  env: Record<string, string> = variables,
): Promise<Told> {
  const { stdout } = await run(process.execPath, [join(root, 'test/e2e/support/agent.mjs')], {
    cwd: root,
    env: { ...process.env, ...env, AGENT_MODEL: model, AGENT_QUESTIONS: JSON.stringify(questions) },
  });
  return JSON.parse(stdout) as Told;
}

beforeAll(async () => {
  server = new ModelServer();
  await server.start();
  server.key = KEYS.stored;
  workbench = await Workbench.open({
    viewport: VIEWPORT,
    settings: {
      'providerPlayground.connections': {
        mine: { label: 'My API', provider: 'hosted-api', host: `${server.host}/v1`, model: 'tiny:latest' },
      },
    },
  });
  recording = new RecordingPage(workbench.page);
  await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.stop();
});

describe('a program that is recorded', () => {
  it('is given an address', async () => {
    await runCommand(page(), 'Provider Playground: Record Another Program…');
    await quickInput().getByText('Demo (hosted protocol)').first().waitFor();
    await screenshot(page(), 'recording 1 connection');
    await chooseQuickPick(page(), 'Demo (hosted protocol)');
    await recording.frame.getByText('Waiting for the first request').first().waitFor();
    await setPanelWidth(page(), 1440);
    variables = await readVariables();
    expect(variables).toMatchObject({
      OPENAI_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/r\/[\w-]{20,}\/v1$/) as string,
    });
    await statusItem().getByText('Recording: Demo (hosted protocol)').waitFor();
    await screenshotInThemes(page(), workbench.folder, 'recording 2 waiting');
    expect(await findAxeViolations(recording.frame.locator('html'))).toEqual([]);
  });

  it('ends its loop when a call comes as text, and the page says why', async () => {
    const { cities, text } = await runProgram('hermes-text', [QUESTION], {
      ...variables,
      OPENAI_API_KEY: KEYS.program,
    });
    expect(cities).toEqual([]);
    expect(text).toContain('<tool_call>');
    await expect.poll(() => recording.rows.count()).toBe(1);
    await recording.says(
      recording.rows.first(),
      /OpenAI\/JS[^]*hermes-text[^]*\/v1\/chat\/completions[^]*rescued[^]*200/,
    );
    await recording.select(0, 'Reply');
    await recording.says(
      recording.inspector,
      'The call came as text, so the program saw no call and its loop ended.',
    );
    expect((await recording.inspector.innerText()).match(/came as text/g)).toHaveLength(1);
    await recording.says(recording.inspector, 'system 1, user 1');
    await screenshotInThemes(page(), workbench.folder, 'recording 3 call as text');
    expect(await findAxeViolations(recording.frame.locator('html'))).toEqual([]);
  });

  it('goes on to its answer once calls are repaired, and both sides are on the wire', async () => {
    await recording.frame.getByRole('switch', { name: 'Repair calls' }).click();
    await expect
      .poll(() => recording.frame.getByRole('switch', { name: 'Repair calls' }).getAttribute('aria-checked'))
      .toBe('true');
    const { cities, text } = await runProgram('hermes-text', [QUESTION, 'And in Bergen?']);
    expect(cities).toEqual(['Oslo', 'Bergen']);
    expect(text).not.toContain('<tool_call>');
    await expect.poll(() => recording.rows.count()).toBe(5);
    await recording.says(recording.rows.nth(1), /rescued\s+, returned as native/);
    await recording.select(1, 'Reply');
    await recording.says(
      recording.inspector,
      'The call came as text. The program received it as a native call.',
    );
    await screenshotInThemes(page(), workbench.folder, 'recording 4 repaired reply');
    await recording.inspector.getByRole('button', { name: 'Show the wire' }).first().click();
    await recording.says(recording.inspector, /finish_reason[^]*stop[^]*tool_calls/);
    await recording.says(recording.inspector, /held back for/);
    await screenshotInThemes(page(), workbench.folder, 'recording 5 both sides');
    expect(await findAxeViolations(recording.frame.locator('html'))).toEqual([]);
    await recording.inspector.getByRole('button', { name: 'Compare the two responses' }).click();
    await page().locator('.monaco-diff-editor :is(.line-insert, .line-delete)').first().waitFor();
    await screenshot(page(), 'recording 6 compared sides');
    await page().keyboard.press('Control+w');
    await recording.rows.first().waitFor();
  });

  it('is filtered by outcome and by words', async () => {
    await recording.frame.getByRole('button', { name: /^Rescued/ }).click();
    await expect.poll(() => recording.rows.count()).toBe(3);
    await recording.frame.getByRole('searchbox', { name: 'Filter requests' }).fill('nobody');
    await recording.frame.getByText('No request is like this.').waitFor();
    await recording.frame.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => recording.rows.count()).toBe(5);
  });

  it('fits a narrow panel', async () => {
    await setPanelWidth(page(), 1044);
    await screenshot(page(), 'recording 7 medium');
    await setPanelWidth(page(), 400);
    await screenshotInThemes(page(), workbench.folder, 'recording 7 narrow');
    await page().setViewportSize(VIEWPORT);
  });
});

describe('a recorded request', () => {
  it('is copied as a command', async () => {
    await recording.select(1, 'Reply');
    await page().evaluate(`navigator.clipboard.writeText('')`);
    await recording.inspector.getByRole('button', { name: 'Copy as' }).click();
    await recording.frame.getByRole('menuitem', { name: 'cURL (bash)' }).click();
    await expect.poll(copied).toMatch(/curl[^]*hermes-text/);
  });

  it('is compared with another one', async () => {
    await recording.select(2, 'Reply');
    await recording.inspector.getByRole('button', { name: 'Compare with' }).click();
    await screenshot(page(), 'recording 8 compare with');
    await recording.frame.getByRole('menuitem', { name: 'Request', exact: true }).first().click();
    await page().locator('.monaco-diff-editor :is(.line-insert, .line-delete)').first().waitFor();
    await screenshot(page(), 'recording 8 compared');
    await page().keyboard.press('Control+w');
    await recording.rows.first().waitFor();
  });

  it('is exported as a file that opens again', async () => {
    await recording.frame.getByRole('button', { name: 'Export' }).click();
    await screenshot(page(), 'recording 9 export');
    await recording.frame.getByRole('menuitem', { name: 'JSON lines (.jsonl)' }).first().click();
    await expect
      .poll(() => quickInput().locator('input').first().inputValue())
      .toContain('requests.recording.jsonl');
    await quickInput().getByRole('button', { name: 'OK' }).click();
    const file = join(workbench.folder, 'requests.recording.jsonl');
    await expect.poll(() => readFileSync(file, 'utf8').trim().split('\n').length).toBe(6);
    expect(readFileSync(file, 'utf8')).toContain('get_weather');
    expect(EVERY_KEY.filter((key) => readFileSync(file, 'utf8').includes(key))).toEqual([]);
  });

  it('is opened as a playground with its messages, tools and reply', async () => {
    await recording.select(1, 'Reply');
    const panel = new Panel(page());
    await panel.replace(() =>
      recording.inspector.getByRole('button', { name: 'Open as Playground' }).click(),
    );
    await panel.says(panel.lane(), QUESTION);
    await panel.says(panel.lane(), 'Rescued');
    await screenshotInThemes(page(), workbench.folder, 'recording 9 playground');
    await page().keyboard.press('Control+w');
    await recording.rows.first().waitFor();
  });
});

describe('a recorded conversation', () => {
  it('is one of several of a program, and can be shown alone', async () => {
    await runProgram('hermes-text', [QUESTION, 'And in Bergen?']);
    await expect.poll(() => recording.rows.count()).toBe(9);
    await recording.frame.getByRole('button', { name: 'Conversations' }).click();
    await recording.frame.getByRole('menuitem', { name: /^Conversation 2 .*4 requests/ }).waitFor();
    await screenshot(page(), 'recording 9 conversations');
    await recording.frame.getByRole('menuitem', { name: /^Conversation 2 / }).click();
    await expect.poll(() => recording.rows.count()).toBe(4);
    await screenshot(page(), 'recording 9 conversation');
  });

  it('is asked again on another lane, turn by turn', async () => {
    await runCommand(page(), 'Provider Playground: Set API Key');
    await chooseQuickPick(page(), 'My API');
    await quickInput().locator('input[type=password]').fill(KEYS.stored);
    await page().keyboard.press('Enter');
    await quickInput().waitFor({ state: 'hidden' });
    await recording.rows.first().click();
    await recording.inspector.getByRole('button', { name: 'Replay on other lanes: conversation 2' }).click();
    const row = quickInput().locator('.monaco-list-row', { hasText: 'My API' });
    await row.click();
    await screenshot(page(), 'recording 9 lanes');
    await page().keyboard.press('Enter');
    await recording.frame.getByText('2 lanes × 4 rows × 1 = 8 requests').first().waitFor();
    await recording.frame.getByText('None for all rows. 4 rows have their own.').first().waitFor();
    await screenshot(page(), 'recording 9 replay');
    await recording.frame.getByRole('button', { name: 'Evaluate', exact: true }).click();
    await recording.says(
      recording.frame.locator('main'),
      'keeps to the recorded way: 4 of 4 turns are as recorded.',
    );
    await recording.says(
      recording.frame.locator('main'),
      /leaves the recorded way at Turn 1: no call[^.]*\. 2 of 4 turns are as recorded; 2 × no call\./,
    );
    await screenshotInThemes(page(), workbench.folder, 'recording 9 replayed');
  });
});

describe('two recordings at once', () => {
  it('the second one adds the key of its connection, once the person agrees', async () => {
    await runCommand(page(), 'Provider Playground: Record Another Program…');
    await chooseQuickPick(page(), 'My API');
    const dialog = page().locator('.monaco-dialog-box');
    await dialog.getByText('May programs that send no key use the key of My API?').waitFor();
    await screenshot(page(), 'recording 10 key');
    await dialog.getByRole('button', { name: 'Add Key' }).click();
    await recording.frame.getByText('Waiting for the first request').first().waitFor();
    const second = await readVariables();
    expect(second['OPENAI_BASE_URL']).not.toBe(variables['OPENAI_BASE_URL']);
    server.headers.length = 0;
    expect(await runProgram('tiny:latest', [QUESTION], second)).toMatchObject({ text: 'All is well.' });
    expect(server.headers.map(({ authorization }) => authorization)).toEqual([`Bearer ${KEYS.stored}`]);
    await expect.poll(() => recording.rows.count()).toBe(1);
    await recording.select(0, 'Wire');
    await recording.says(recording.inspector, /Headers[^]*key added/);
    await statusItem().getByText('2 recordings').waitFor();
    await screenshot(page(), 'recording 10 second');
  });

  it('do not mix: what goes to the first address is in the first one only', async () => {
    await runProgram('native-call');
    expect(await recording.rows.count()).toBe(1);
    await statusItem().click();
    await chooseQuickPick(page(), 'Demo (hosted protocol)');
    // What was chosen in the page is still chosen.
    await expect.poll(() => recording.rows.count()).toBe(4);
    await recording.frame.getByRole('button', { name: 'Conversation 2', exact: true }).click();
    await expect.poll(() => recording.rows.count()).toBe(11);
    expect(server.headers).toHaveLength(1);
  });

  it('are stopped one by one, and the status bar says what still records', async () => {
    await recording.frame.getByRole('button', { name: 'Stop recording' }).click();
    await recording.frame.getByRole('button', { name: 'Record again' }).waitFor();
    await statusItem().getByText('Recording: My API').waitFor();
    await expect(runProgram('native-call')).rejects.toThrow();
    await screenshotInThemes(page(), workbench.folder, 'recording 11 stopped');
    expect(await recording.rows.count()).toBe(11);
  });
});

describe('the keys of a program and of a connection', () => {
  it('are in no file, no log, no document of a page', async () => {
    expect(workbench.filesWith(...EVERY_KEY)).toEqual([]);
    expect(workbench.server.log()).not.toMatch(/canary/i);
    const held = await readEveryFrame(page(), async (frame) => {
      const stored = await frame.evaluate(() => JSON.stringify(Object.entries(localStorage)));
      return `${await frame.content()}\n${stored}`;
    });
    expect(held.size).toBeGreaterThanOrEqual(3);
    expect([...held].filter((text) => EVERY_KEY.some((key) => text.includes(key)))).toEqual([]);
  });
});

describe('a window that is reloaded while it records', () => {
  it('has lost nothing, and says that the recording has ended', async () => {
    await tab('Recording: My API').first().click();
    const key = await recording.frame.locator('meta[name=scratch]').getAttribute('content');
    await waitUntilKept(page(), key ?? 'no key');
    await page().reload();
    await page().locator('.monaco-workbench .part.statusbar').waitFor();
    await tab('Recording: Demo').first().click();
    await recording.says(recording.frame.locator('.plan'), '11 requests');
    await tab('Recording: My API').first().click();
    await recording.says(recording.frame.locator('.plan'), /^1 request\b/);
    await recording.says(
      recording.frame.getByRole('alert'),
      'The window was closed or reloaded while it recorded.',
    );
    await expect.poll(() => statusItem().count()).toBe(0);
    await screenshotInThemes(page(), workbench.folder, 'recording 13 reloaded');
  });
});
