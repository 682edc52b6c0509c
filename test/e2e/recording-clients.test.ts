// Real clients, each through a recording of the demo in a real VS Code: what they get is what the server sent, and with repair their
// own loops over tools end where they got stuck before.
import Anthropic from '@anthropic-ai/sdk';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAiSdkLoop } from '../support/agents/ai-sdk-loop';
import { runMessagesLoop } from '../support/agents/messages-loop';
import { runOllamaLoop } from '../support/agents/ollama-loop';
import { runResponsesLoop } from '../support/agents/responses-loop';
import type { Told } from '../support/agents/weather-tool';
import { RecordingPage, runCommand, screenshot, stopAtFailure, Workbench } from './support';

const run = promisify(execFile);
const MODEL = 'hermes-text';
const OF_CLIENT = { apiKey: 'unused', maxRetries: 0 };

let workbench: Workbench;
let recording: RecordingPage;

const page = () => workbench.page;

/** @returns the address for programs, without the path of a protocol */
async function record(connection: string): Promise<string> {
  const quickInput = page().locator('.quick-input-widget');
  await runCommand(page(), 'Provider Playground: Record Another Program…');
  const row = quickInput.locator('.monaco-list-row', { hasText: connection });
  await row.click();
  return (await recording.address()).replace(/\/v1$/, '');
}

async function stop(): Promise<void> {
  await recording.frame.getByRole('button', { name: 'Stop recording' }).click();
  await recording.frame.getByRole('button', { name: 'Record again' }).waitFor();
  await page().keyboard.press('Control+w');
  await page().locator('.tab').filter({ hasText: 'Recording' }).waitFor({ state: 'hidden' });
}

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1440, height: 900 } });
  recording = new RecordingPage(workbench.page);
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

const CLIENTS: [client: string, connection: string, loop: (root: string) => Promise<Told>][] = [
  [
    'openai (Responses)',
    'Demo (Responses protocol)',
    (root) => runResponsesLoop(new OpenAI({ baseURL: `${root}/v1`, ...OF_CLIENT }), true, MODEL),
  ],
  [
    '@anthropic-ai/sdk',
    'Demo (Messages protocol)',
    (root) => runMessagesLoop(new Anthropic({ baseURL: root, ...OF_CLIENT }), true, MODEL),
  ],
  ['ollama', 'Demo (local protocol)', (root) => runOllamaLoop(new Ollama({ host: root }), true, MODEL)],
  ['the AI SDK', 'Demo (hosted protocol)', (root) => runAiSdkLoop(`${root}/v1`, true, MODEL)],
];

describe.each(CLIENTS)('%s', (name, connection, loop) => {
  it('gets stuck with what the server sent, and ends its loop once calls are repaired', async () => {
    const root = await record(connection);
    const stuck = await loop(root);
    expect(stuck.cities).toEqual([]);
    expect(stuck.text).toContain('<tool_call>');
    await expect.poll(() => recording.rows.count()).toBe(1);
    await recording.rows.first().click();
    await recording.says(recording.inspector, 'the program saw no call and its loop ended');
    await recording.inspector.getByRole('tab', { name: 'Wire' }).click();
    await recording.says(recording.inspector, 'nothing was changed');
    await recording.frame.getByRole('switch', { name: 'Repair calls' }).click();
    await expect
      .poll(() => recording.frame.getByRole('switch', { name: 'Repair calls' }).getAttribute('aria-checked'))
      .toBe('true');
    const repaired = await loop(root);
    expect(repaired.cities).toEqual(['Oslo']);
    expect(repaired.text).not.toContain('<tool_call>');
    await expect.poll(() => recording.rows.count()).toBe(3);
    await recording.says(recording.rows.nth(1), 'returned as native');
    await recording.rows.nth(1).click();
    await recording.says(recording.inspector, 'the answer was changed');
    await screenshot(page(), `recording client ${name.replaceAll(/\W+/g, ' ').trim()}`);
    await stop();
  });
});

describe('cURL', () => {
  it('gets the bytes of the server', async () => {
    const root = await record('Demo (hosted protocol)');
    const recorded = await run('curl', ['--silent', '--show-error', `${root}/v1/models`]);
    await expect.poll(() => recording.rows.count()).toBe(1);
    await recording.says(recording.rows.first(), /curl\/[\d.]+[^]*GET \/v1\/models[^]*200/);
    await recording.rows.first().click();
    await recording.says(recording.inspector, 'nothing was changed');
    const address = /server\s+(http:\S+\/v1\/models)/.exec(await recording.inspector.innerText())?.[1] ?? '';
    const direct = await run('curl', ['--silent', '--show-error', address]);
    // The demo says of its models that they were made just now.
    const bytes = (text: string): string => text.replaceAll(/"created":\d+/g, '"created":0');
    expect(bytes(recorded.stdout)).toBe(bytes(direct.stdout));
    expect(direct.stdout).toContain('hermes-text');
    await stop();
  });
});
