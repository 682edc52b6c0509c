// The jobs of a person's first hour in one VS Code, with every click and key counted: a first call, a local server that needs a key, a
// prompt changed under three replies, and a result changed between two steps. The tests depend on their order.
import { once } from 'node:events';
import { createServer, request as sendOn } from 'node:http';
import type { Server } from 'node:http';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoServer, type DemoServer } from '../../../src/demo';
import { Panel, screenshot, stopAtFailure, Workbench } from '../../e2e/support';
import { InputCounter } from '../../e2e/support/input-counter';

const KEY = 'canary-key-0123456789';
/** Where llama-server listens unless told otherwise. */
const PORT = 8080;
const PROMPT = 'Answer in French.';
const TYPED = '{"temp_c": -31, "sky": "clear"}';

let behind: DemoServer;
let llama: Server;
let workbench: Workbench;
let panel: Panel;
let inputs: InputCounter;
/** Bodies of the chats that the server received. */
const asked: string[] = [];

const page = () => workbench.page;
const lanes = (): Locator[] => [1, 2, 3].map((number) => panel.lane(number));
const settled = (one: Locator): Promise<void> => one.locator('.outcome:not(.o-busy) b').waitFor();

/** Answers like a llama-server that was started with `--api-key`: it says who it is with every answer. */
async function startLlamaServer({ hostedHost }: DemoServer): Promise<Server> {
  const server = createServer((request, response) => {
    const { url = '/', method, headers } = request;
    const path = url.replace(/^\/v1/, '');
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => path === '/chat/completions' && asked.push(Buffer.concat(body).toString()));
    const onward = sendOn(`${hostedHost}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, server: 'llama.cpp' });
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  behind = await startDemoServer({ apiKey: KEY });
  llama = await startLlamaServer(behind);
  inputs = new InputCounter();
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    beforeLoad: (blank) => inputs.watch(blank),
  });
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await inputs?.stop();
  await workbench?.close();
  llama?.closeAllConnections();
  llama?.close();
  await behind?.close();
});

describe('a person in the first hour', () => {
  it('reaches the first answer of a local server with a key in five actions', async () => {
    await page().getByRole('tab', { name: 'Provider Playground' }).click();
    await page().getByText('llama-server answers at 127.0.0.1:8080 and needs a key.').waitFor();
    await screenshot(page(), 'tour-1-offer');
    panel = new Panel(page());
    await page().getByRole('button', { name: 'Use llama-server' }).click();
    const box = page().locator('.quick-input-widget input[type=password]');
    await box.waitFor();
    // Pasted by the person, which is an action too.
    await box.fill(KEY);
    await page().keyboard.press('Enter');
    await panel.button('Run').click();
    await panel.says(panel.lane(), 'Rescued');
    await screenshot(page(), 'tour-2-first-answer');
    expect(inputs.taken).toEqual(['click', 'click', 'key Enter', 'click']);
  });

  it('asks three lanes again after a change of the prompt by one action', async () => {
    for (const [index, model] of ['native-call', 'hermes-text'].entries()) {
      await panel.button('Add lane').click();
      await panel.useModel(model, index + 2);
    }
    await panel.button('Run').click();
    await Promise.all(lanes().map(settled));
    await panel.button('System prompt').click();
    await panel.frame.getByRole('textbox', { name: 'System prompt' }).fill(PROMPT);
    await Promise.all(lanes().map((one) => panel.says(one, 'Changed since: system prompt.')));
    await screenshot(page(), 'tour-3-changed-prompt');
    const before = { asked: asked.length, inputs: inputs.taken.length };
    await panel.button('Run').click();
    await Promise.all(
      lanes().map((one) => one.getByText('Changed since: system prompt.').waitFor({ state: 'hidden' })),
    );
    await Promise.all(lanes().map(settled));
    await screenshot(page(), 'tour-4-asked-again');
    expect(inputs.taken.slice(before.inputs)).toEqual(['click']);
    const models = new Set<string>();
    for (const body of asked.slice(before.asked)) {
      expect(body).toContain(PROMPT);
      models.add((JSON.parse(body) as { model: string }).model);
    }
    expect(models.size).toBe(3);
  });

  it('sends the result that was typed between two steps, also where it is not kept first', async () => {
    await panel.inMenu('Step', 2);
    await panel.says(panel.lane(2), 'Paused');
    await panel.button('Edit result', panel.lane(2)).click();
    await panel
      .lane(2)
      .getByRole('textbox', { name: /^Result of get_/ })
      .fill(TYPED);
    await screenshot(page(), 'tour-5-typed-result');
    await panel.button('Next step', panel.lane(2)).click();
    // Another lane may still be asking.
    const results = (): unknown[] =>
      asked
        .map((body) => (JSON.parse(body) as { messages: { role: string }[] }).messages.at(-1))
        .filter((message) => message?.role === 'tool');
    await expect.poll(results).toMatchObject([{ content: TYPED }]);
    await panel.says(panel.lane(2), 'given by hand, edited');
    await screenshot(page(), 'tour-6-next-step');
  });
});
