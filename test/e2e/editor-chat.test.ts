// The models of a connection in the chat of a real VS Code, asked by another extension: the person offers them and is asked once,
// calls in text arrive as calls, and every request can be looked at. The tests depend on their order.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/servers/http-server';
import { sendJson, startServer } from '../support/servers/http-server';
import {
  renderedMarkdown,
  runCommand,
  screenshot,
  screenshotInThemes,
  stopAtFailure,
  Workbench,
} from './support';

const QUESTION = 'What is the weather in Oslo?';
const CALLED = { name: 'get_weather', arguments: '{"city":"Oslo"}' };
/** What each model answers, as the delta of its only chunk. */
const DELTAS: Readonly<Record<string, object>> = {
  native: { tool_calls: [{ index: 0, id: 'c1', function: CALLED }] },
  hermes: {
    content: 'I look.\n<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
  },
  'qwen-xml': {
    content:
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>',
  },
  harmony: {
    content:
      '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>',
  },
  'damaged-text': {
    content: `<tool_call>{"name": "get_weather", "arguments": {city: 'Oslo',}}</tool_call>`,
  },
  'damaged-native': {
    tool_calls: [{ index: 0, id: 'c1', function: { ...CALLED, arguments: '{"city":"Oslo",}' } }],
  },
  lost: {
    tool_calls: [{ index: 0, id: 'c1', function: { ...CALLED, arguments: '{"city":"Os' } }],
  },
  thinks: { reasoning_content: 'Oslo is cold.', content: 'Ask me about Bergen.' },
};
const MODELS = [...Object.keys(DELTAS), 'refuses', 'hangs'];

interface SeenPart {
  text?: string;
  callId?: string;
  call?: string;
  input?: unknown;
  thinking?: string | string[];
  mimeType?: string;
  data?: string;
}
interface Answer {
  parts: SeenPart[];
  error?: { code?: string; message: string };
  last?: SeenPart[];
}
interface Answered {
  models: { id: string; maxInputTokens: number }[];
  answers: Answer[];
}

let server: TestServer;
/** Requests that the server has not answered, and that nobody has ended. */
let hanging = 0;
let workbench: Workbench;

const page = () => workbench.page;
const inFolder = (name: string): string => join(workbench.folder, name);
const row = (name: RegExp): Locator => page().getByRole('treeitem', { name }).first();
const dialog = (): Locator => page().locator('.monaco-dialog-box');
const quickRow = (text: string): Locator =>
  page().locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
const textOf = (parts: readonly SeenPart[]): string => parts.map(({ text = '' }) => text).join('');
const callsOf = (parts: readonly SeenPart[]) =>
  parts.flatMap(({ call, input }) => (call === undefined ? [] : [{ name: call, input }]));

interface Asked {
  model: string;
  messages: { role: string; content: string; tool_call_id?: string }[];
}

const startModels = (): Promise<TestServer> =>
  startServer(({ url, body }, response) => {
    if (url === '/v1/models') {
      const data = MODELS.map((id) => ({ id, meta: { n_ctx: 8192 } }));
      return sendJson(response, 200, { data });
    }
    const { model, messages = [] } = JSON.parse(body || '{}') as Partial<Asked>;
    if (model === undefined) return sendJson(response, 404, {});
    if (model === 'refuses')
      return sendJson(response, 400, { error: { message: 'the harbour is frozen over' } });
    if (model === 'hangs') {
      hanging++;
      response.on('close', () => hanging--);
      return undefined;
    }
    const last = messages.at(-1);
    const delta = last?.role === 'tool' ? { content: `It is ${last.content}.` } : DELTAS[model];
    const choices = [{ index: 0, delta, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(`data: ${JSON.stringify({ choices, usage })}\n\ndata: [DONE]\n\n`);
  });

interface Request {
  model: string;
  text?: string;
  modelOptions?: object;
  result?: string;
  isWithoutTools?: boolean;
  isCancelledSoon?: boolean;
}

/** Lets the other extension begin to ask. @returns what waits for its answers */
async function beginToAsk(...requests: readonly Request[]): Promise<() => Promise<Answered>> {
  rmSync(inFolder('answered.json'), { force: true });
  const asked = requests.map(({ model, ...more }) => ({ model: `own/${model}`, text: QUESTION, ...more }));
  writeFileSync(inFolder('asked.json'), JSON.stringify(asked));
  await runCommand(page(), 'Harbour: Ask Models');
  return async () => {
    await expect.poll(() => existsSync(inFolder('answered.json'))).toBe(true);
    return JSON.parse(readFileSync(inFolder('answered.json'), 'utf8')) as Answered;
  };
}

async function ask(...requests: readonly Request[]): Promise<Answer[]> {
  const answered = await (await beginToAsk(...requests))();
  return answered.answers;
}

/** Takes pictures in the usual window, and in a smaller one with the side bar open. */
async function picture(name: string): Promise<void> {
  for (const width of [1440, 1044]) {
    await page().setViewportSize({ width, height: 900 });
    await screenshotInThemes(page(), workbench.folder, `editor-chat ${name} ${width}`);
  }
  await page().setViewportSize({ width: 1440, height: 900 });
}

/** Takes a picture of what is beside the side bar in a window that has no room for both. */
async function pictureNarrow(name: string): Promise<void> {
  await runCommand(page(), 'View: Toggle Primary Side Bar Visibility');
  await page().setViewportSize({ width: 400, height: 900 });
  await screenshotInThemes(page(), workbench.folder, `editor-chat ${name} 400`);
  await page().setViewportSize({ width: 1440, height: 900 });
  await runCommand(page(), 'View: Toggle Primary Side Bar Visibility');
}

beforeAll(async () => {
  server = await startModels();
  const own = { label: 'Own', provider: 'hosted-api', host: `${server.url}/v1`, auth: 'none', retry: false };
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    settings: { 'chat.disableAIFeatures': false, 'providerPlayground.connections': { own } },
  });
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.[Symbol.asyncDispose]();
});

describe('the models of a connection, for other extensions', () => {
  it('are not there until the person offers them', async () => {
    const { models } = await (await beginToAsk())();
    expect(models).toEqual([]);
    await runCommand(page(), 'Provider Playground: Offer to VS Code Chat…');
    await quickRow('Own').click();
    await dialog().getByText('Offer the models of Own to the chat of VS Code?').waitFor();
    await screenshotInThemes(page(), workbench.folder, 'editor-chat 1 offer');
    await dialog().getByRole('button', { name: 'Offer', exact: true }).click();
    await dialog().waitFor({ state: 'hidden' });
    const list = async () => (await (await beginToAsk())()).models;
    await expect.poll(list).toHaveLength(MODELS.length);
    expect(await list()).toContainEqual({ id: 'own/hermes', maxInputTokens: 6144 });
  });

  it('are used after the person was asked, once for all requests', async () => {
    const answers = await beginToAsk({ model: 'native' }, { model: 'hermes' });
    await dialog().getByText('Harbour Models (test.harbour-models) wants to use a model').waitFor();
    expect(server.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    await screenshotInThemes(page(), workbench.folder, 'editor-chat 2 consent');
    await dialog().getByRole('button', { name: 'Allow', exact: true }).click();
    const both = (await answers()).answers;
    expect(both.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(await dialog().count()).toBe(0);
    expect((await ask({ model: 'native' }))[0]?.error).toBeUndefined();
  });

  it('give calls as calls, in whatever form the model wrote them', async () => {
    const forms = ['native', 'hermes', 'qwen-xml', 'harmony', 'damaged-text', 'damaged-native'];
    const answers = await ask(...forms.map((model) => ({ model })));
    const calls = answers.map(({ parts }) => callsOf(parts));
    expect(calls).toEqual(forms.map(() => [{ name: 'get_weather', input: { city: 'Oslo' } }]));
    const texts = answers.map(({ parts }) => textOf(parts).trim());
    expect(texts).toEqual(['', 'I look.', '', '', '', '']);
  });

  it('fail in words, and never with {}, for arguments that cannot be read', async () => {
    const [lost] = await ask({ model: 'lost' });
    expect(callsOf(lost?.parts ?? [])).toEqual([]);
    expect(lost?.error?.message).toContain('get_weather with arguments that are no JSON object');
    expect(lost?.error?.message).toContain('under VS Code chat');
  });

  it('take the results of calls', async () => {
    const [answer] = await ask({ model: 'hermes', result: '4 °C' });
    expect(textOf(answer?.last ?? [])).toBe('It is 4 °C.');
    const { messages = [] } = JSON.parse(server.requests.at(-1)?.body ?? '{}') as Partial<Asked>;
    expect(messages.at(-1)?.tool_call_id).toBe(answer?.parts.find(({ callId }) => callId)?.callId);
  });

  it('give thinking and usage as the parts that this editor has for them', async () => {
    const [answer] = await ask({ model: 'thinks' });
    const parts = answer?.parts ?? [];
    expect(parts.flatMap(({ thinking = [] }) => thinking).join('')).toBe('Oslo is cold.');
    expect(textOf(parts)).toBe('Ask me about Bergen.');
    const usage = parts.find(({ mimeType }) => mimeType === 'usage');
    expect(JSON.parse(usage?.data ?? '{}')).toEqual({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
    });
  });

  it('tell what the server refused', async () => {
    const [answer] = await ask({ model: 'refuses' });
    expect(answer?.error?.message).toContain('the harbour is frozen over');
  });

  it('are sent no options that the connection does not allow', async () => {
    const modelOptions = { temperature: 0.5, format: 'json', keep_alive: '5m' };
    await ask({ model: 'hermes', text: 'With options', modelOptions });
    const sent = JSON.parse(server.requests.at(-1)?.body ?? '{}') as object;
    expect(sent).toMatchObject({ temperature: 0.5 });
    expect(Object.keys(sent)).not.toContain('format');
  });

  it('stop when the request is cancelled', async () => {
    const answers = await beginToAsk({ model: 'hangs', isCancelledSoon: true });
    await answers();
    await expect.poll(() => hanging).toBe(0);
    expect(server.requests.at(-1)?.body).toContain('"hangs"');
  });
});

describe('what the person sees of it', () => {
  it('is the switch and the extensions that were allowed, in the Connections view', async () => {
    await runCommand(page(), 'Provider Playground: Focus on Connections View');
    await row(/^Own in VS Code chat/).waitFor();
    await picture('3 switch');
    await row(/^Own in VS Code chat/).click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Stop Offering to VS Code Chat' }).waitFor();
    await screenshot(page(), 'editor-chat 3 menu');
    await page().keyboard.press('Escape');
    await runCommand(page(), 'Provider Playground: Choose Extensions That May Use Connections…');
    await quickRow('Harbour Models (test.harbour-models)').waitFor();
    await screenshot(page(), 'editor-chat 4 callers');
    await page().keyboard.press('Escape');
  });

  it('is every request in the history', async () => {
    await runCommand(page(), 'Provider Playground: Show Requests of VS Code Chat');
    const all = row(/^VS Code chat/);
    const expand = async (): Promise<string | null> => {
      if ((await all.getAttribute('aria-expanded')) !== 'true') await page().keyboard.press('ArrowRight');
      return all.getAttribute('aria-expanded');
    };
    await expect.poll(expand).toBe('true');
    await row(/^Today \d+ runs/).waitFor();
    await row(/^rescued call · qwen-xml What is the weather/).waitFor();
    await row(/^stopped · hangs /).waitFor();
    await picture('5 recording');
  });

  it('is why a call failed, with what was sent and what came back', async () => {
    await row(/^malformed call · lost /).click();
    const shown = (): Promise<string> => renderedMarkdown(page());
    await expect.poll(shown).toContain('The arguments of the native call get_weather are cut off');
    await picture('6 run');
    await pictureNarrow('6 run');
    expect(await shown()).toContain('{"city":"Os');
    expect(await shown()).toContain('Asked by: Harbour Models (test.harbour-models)');
  });

  it('is what VS Code received in place of a damaged call', async () => {
    await row(/^malformed call · damaged-native /).click();
    const told =
      'The arguments of get_weather were no valid JSON. VS Code received them repaired: trailing-comma.';
    await expect.poll(() => renderedMarkdown(page())).toContain(told);
    expect(await renderedMarkdown(page())).toContain('cannot be read; repaired for VS Code');
    await screenshot(page(), 'editor-chat 7 repaired');
  });

  it('is which options were not sent, and how to allow them', async () => {
    await row(/^rescued call · hermes With options/).click();
    const told = 'The options format, keep_alive of whoever asked were not sent';
    await expect.poll(() => renderedMarkdown(page())).toContain(told);
    expect(await renderedMarkdown(page())).toContain('set chatRawOptions of the connection');
    await screenshot(page(), 'editor-chat 8 options');
  });

  it('is a count of the requests of this window', async () => {
    const before = server.requests.filter(({ method }) => method === 'POST').length;
    const answers = await ask(...Array.from({ length: 100 }, () => ({ model: 'qwen-xml' })));
    const calls = answers.flatMap(({ parts }) => callsOf(parts));
    expect(calls.map(({ input }) => input)).toEqual(Array.from({ length: 100 }, () => ({ city: 'Oslo' })));
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(before + 100);
    await page()
      .getByRole('button', { name: new RegExp(`${before + 100} chat requests`) })
      .waitFor();
  });
});
