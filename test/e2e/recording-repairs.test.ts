// A program with the AI SDK, a server without a parser for calls, and a recording between them in a real VS Code: whatever way the
// calls are written in, and in a stream of single characters, the loop of the program ends once calls are repaired.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAiSdkLoop } from '../support/agents/ai-sdk-loop';
import { ANSWER, modelServer, piecesOf, TEXTS } from '../support/agents/calls-as-text';
import { WRITER } from '../support/agents/chat-completions-writer';
import type { Told } from '../support/agents/weather-tool';
import type { Answer, TestServer } from '../support/servers/http-server';
import { startServer } from '../support/servers/http-server';
import {
  findAxeViolations,
  RecordingPage,
  runCommand,
  screenshotInThemes,
  stopAtFailure,
  Workbench,
} from './support';

/** A native call whose arguments are no JSON, in single characters. */
const damagedCall = (args: string): string[] => {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-2', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const start = { index: 0, id: 'call_7', type: 'function' };
  return [
    chunk({
      role: 'assistant',
      tool_calls: [{ ...start, function: { name: 'get_weather', arguments: '' } }],
    }),
    ...piecesOf(args, 1).map((piece) =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
    ),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
};

const DAMAGED: [name: string, args: string][] = [
  ['arguments in single quotes', "{'city': 'Oslo'}"],
  ['arguments with a trailing comma', '{"city":"Oslo",}'],
];

/** The name of the model says what it replies: `text-2`, or `damaged-0`. */
const answer: Answer = (request, response, count) => {
  const [, kind, index = '0'] = /"model":\s?"(text|damaged)-(\d)"/.exec(request.body) ?? [];
  const args = kind === 'damaged' ? DAMAGED[Number(index)]?.[1] : undefined;
  if (args === undefined || request.body.includes('"role":"tool"'))
    return modelServer(WRITER, TEXTS[Number(index)]?.[1] ?? '', 1)(request, response, count);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of damagedCall(args)) response.write(part);
  return response.end();
};

let server: TestServer;
let workbench: Workbench;
let recording: RecordingPage;
let address = '';

const page = () => workbench.page;

async function repair(isOn: boolean): Promise<void> {
  const button = recording.frame.getByRole('switch', { name: 'Repair calls' });
  if ((await button.getAttribute('aria-checked')) !== String(isOn)) await button.click();
  await expect.poll(() => button.getAttribute('aria-checked')).toBe(String(isOn));
}

/** Runs the program without and with repair. @returns what it got, and the row of the repaired reply */
async function runTwice(model: string): Promise<{ stuck: Told; repaired: Told; row: Locator }> {
  await repair(false);
  const stuck = await runAiSdkLoop(address, true, model);
  await repair(true);
  await expect.poll(() => recording.rows.last().innerText()).toMatch(/\b200\b/);
  const before = await recording.rows.count();
  const repaired = await runAiSdkLoop(address, true, model);
  await expect.poll(() => recording.rows.count()).toBe(before + 2);
  return { stuck, repaired, row: recording.rows.nth(before) };
}

beforeAll(async () => {
  server = await startServer(answer);
  const mine = { label: 'No parser', provider: 'hosted-api', host: `${server.url}/v1`, model: 'text-0' };
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    settings: { 'providerPlayground.connections': { mine } },
  });
  recording = new RecordingPage(workbench.page);
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.[Symbol.asyncDispose]();
});

describe('calls that come as text', () => {
  it('are recorded at an address of their own', async () => {
    await runCommand(page(), 'Provider Playground: Record Another Program…');
    await page().locator('.quick-input-widget .monaco-list-row', { hasText: 'No parser' }).click();
    address = await recording.address();
  });

  it.each(TEXTS.map(([name, text, cities], index) => ({ name, text, cities, index })))(
    'are native calls for the program: $name',
    async ({ text, cities, index }) => {
      const { stuck, repaired, row } = await runTwice(`text-${index}`);
      expect(stuck).toEqual({ text, cities: [] });
      expect(repaired).toEqual({ text: ANSWER, cities });
      await recording.says(row, 'returned as native');
      await row.click();
      await recording.inspector.getByRole('tab', { name: 'Reply' }).click();
      await recording.says(
        recording.inspector,
        cities.length === 1
          ? 'The call came as text. The program received it as a native call.'
          : `${cities.length} calls came as text. The program received them as native calls.`,
      );
    },
  );
});

describe('damaged arguments of a native call', () => {
  it.each(DAMAGED.map(([name], index) => ({ name, index })))(
    'can be read by the program: $name',
    async ({ index }) => {
      const { stuck, repaired, row } = await runTwice(`damaged-${index}`);
      expect(stuck.cities).toEqual([]);
      expect(repaired).toEqual({ text: ANSWER, cities: ['Oslo'] });
      await row.click();
      await recording.inspector.getByRole('tab', { name: 'Reply' }).click();
      await recording.says(
        recording.inspector,
        'The arguments of get_weather were no valid JSON. The program received them repaired',
      );
      await recording.inspector.getByRole('tab', { name: 'Wire' }).click();
      await recording.says(recording.inspector, 'the answer was changed');
    },
  );

  it('are shown beside what the program received', async () => {
    await screenshotInThemes(page(), workbench.folder, 'recording repairs');
    expect(await findAxeViolations(recording.frame.locator('html'))).toEqual([]);
  });
});
