// The models of a connection in the real extension host, as the editor's chat and other extensions use them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { until } from './until';

const SETTING = 'providerPlayground';
const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const BROKEN = [{ id: 'c9', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Os' } }];

const SIGNED = {
  content: '',
  reasoning_details: [{ type: 'reasoning.encrypted', id: 'r1', data: 'c2lnbmVk' }],
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Oslo"}' } },
  ],
};

const writeOwn = (value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration(SETTING).update('connections', value, vscode.ConfigurationTarget.Global);

const models = (): Thenable<vscode.LanguageModelChat[]> =>
  vscode.lm.selectChatModels({ vendor: 'provider-playground' });

interface Asked {
  messages: { role: string; content: string; tool_call_id?: string; reasoning_details?: unknown }[];
  tools?: unknown[];
  model?: unknown;
  temperature?: unknown;
  format?: unknown;
}

/** What the model answers, by a word of the last message. */
function answerTo({ messages }: Asked): object {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: `It is ${last.content}.` };
  if (last?.content.includes('signed')) return SIGNED;
  if (last?.content.includes('broken')) return { content: '', tool_calls: BROKEN };
  return { content: `I look that up.\n${CALL}` };
}

describe('the models of a connection in the chat of the editor', () => {
  const asked: Asked[] = [];
  let waiting = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/models')
        return void response.end(JSON.stringify({ data: [{ id: 'tiny', meta: { n_ctx: 8192 } }] }));
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Asked;
      if (!body.messages) return void response.writeHead(404).end('{}');
      asked.push(body);
      if (body.messages.at(-1)?.content.includes('hang')) {
        waiting++;
        response.on('close', () => waiting--);
        return;
      }
      if (body.messages.at(-1)?.content.includes('refuse'))
        return void response.writeHead(400).end('{"error": {"message": "no such thing"}}');
      const delta = { role: 'assistant', ...answerTo(body) };
      const choice = { index: 0, delta, finish_reason: 'stop' };
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ choices: [choice], usage })}\n\ndata: [DONE]\n\n`);
    });
  });
  const tool: vscode.LanguageModelChatTool = {
    name: 'get_weather',
    description: 'The weather in a city.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  };

  async function ask(
    text: string,
    more: vscode.LanguageModelChatMessage[] = [],
    token = new vscode.CancellationTokenSource().token,
    modelOptions: Record<string, unknown> = {},
  ): Promise<unknown[]> {
    const [model] = await models();
    assert.ok(model);
    const messages = [vscode.LanguageModelChatMessage.User(text), ...more];
    const { stream } = await model.sendRequest(messages, { tools: [tool], modelOptions }, token);
    const parts: unknown[] = [];
    for await (const part of stream) parts.push(part);
    return parts;
  }

  const resultOf = (call: vscode.LanguageModelToolCallPart): vscode.LanguageModelChatMessage[] => [
    vscode.LanguageModelChatMessage.Assistant([call]),
    vscode.LanguageModelChatMessage.User([
      new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('4 °C')]),
    ]),
  ];

  let mine: object = {};

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    mine = { provider: 'hosted-api', host, auth: 'none', model: 'tiny', retry: false };
    await writeOwn({ mine, offered: { ...mine, offerToChat: true } });
  });
  after(async () => {
    await writeOwn(undefined);
    server.closeAllConnections();
    server.close();
  });

  it('are listed if their connection is offered, with the context that the server reports', async () => {
    let listed: vscode.LanguageModelChat[] = [];
    await until('no model is listed', async () => (listed = await models()).length > 0);
    assert.deepEqual(
      listed.map(({ id, name, maxInputTokens }) => ({ id, name, maxInputTokens })),
      [{ id: 'offered/tiny', name: 'tiny', maxInputTokens: 6144 }],
    );
  });

  it('give a call that came as text as a call, and its text without it', async () => {
    const parts = await ask('Weather in Oslo?');
    const texts = parts.filter((part) => part instanceof vscode.LanguageModelTextPart);
    assert.equal(
      texts
        .map(({ value }) => value)
        .join('')
        .trim(),
      'I look that up.',
    );
    const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual(
      calls.map(({ name, input }) => ({ name, input })),
      [{ name: 'get_weather', input: { city: 'Oslo' } }],
    );
    const [call] = calls;
    assert.ok(call);
    const answered = await ask('Weather in Oslo?', resultOf(call));
    const said = answered.filter((part) => part instanceof vscode.LanguageModelTextPart);
    assert.equal(said.map(({ value }) => value).join(''), 'It is 4 °C.');
    assert.equal(asked.at(-1)?.messages.at(-1)?.tool_call_id, call.callId);
  });

  it('give the server back the signed reasoning of a call, which the editor does not carry', async () => {
    const parts = await ask('A signed one');
    const call = parts.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.ok(call);
    await ask('A signed one', resultOf(call));
    const [, calling] = asked.at(-1)?.messages ?? [];
    assert.deepEqual(calling?.reasoning_details, SIGNED.reasoning_details);
  });

  it('fail with our words instead of calling a tool with {} for broken arguments', async () => {
    await assert.rejects(ask('Send broken arguments.'), /get_weather with arguments that are no JSON object/);
  });

  it('tell what the server refused', async () => {
    await assert.rejects(ask('Please refuse.'), /no such thing/);
  });

  it('send options that are no sampling parameters only where the connection allows them', async () => {
    const options = { temperature: 0.5, format: 'json', model: 'dearer' };
    const sent = async (): Promise<unknown[]> => {
      await ask('With options', [], undefined, options);
      const { temperature, format, model } = asked.at(-1) ?? {};
      return [temperature, format, model];
    };
    assert.deepEqual(await sent(), [0.5, undefined, 'tiny']);
    await writeOwn({ mine, offered: { ...mine, offerToChat: true, chatRawOptions: true } });
    assert.deepEqual(await sent(), [0.5, 'json', 'tiny']);
  });

  it('stop when the request is cancelled', async () => {
    const source = new vscode.CancellationTokenSource();
    const asking = ask('Please hang.', [], source.token).catch(() => undefined);
    await until('the server was not asked', () => waiting === 1);
    source.cancel();
    await until('the request goes on', () => waiting === 0);
    await asking;
  });

  it('answer a hundred requests at once', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => ask('Weather in Oslo?')));
    const calls = all.map(
      (parts) => parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart).length,
    );
    assert.deepEqual(
      calls,
      Array.from({ length: 100 }, () => 1),
    );
  });
});
