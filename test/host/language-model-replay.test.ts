// A tool loop of the editor's chat on models that think, in the real extension host: the editor carries calls and results alone, and
// the server gets back unchanged what it wants back with its calls.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { until } from './until';

const CITY = '{"city": "Oslo"}';
const THINKING = { type: 'thinking', thinking: 'Oslo is cold.', signature: 'c2lnbmVk' };
const REDACTED = { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' };
const REASONING = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Oslo is cold.' }],
  encrypted_content: 'ZW5jcnlwdGVk',
};
const CALL = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_weather', arguments: CITY };

type StreamEvent = { type: string } & Record<string, unknown>;

/** The events of content blocks, each from its beginning and its pieces. */
const toBlocks = (...blocks: [begin: object, ...pieces: object[]][]): StreamEvent[] =>
  blocks.flatMap(([begin, ...pieces], index) => [
    { type: 'content_block_start', index, content_block: begin },
    ...pieces.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);

const toMessage = (reason: string, blocks: StreamEvent[]): StreamEvent[] => [
  {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
  },
  ...blocks,
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

const toResponse = (...output: object[]): StreamEvent[] => [
  { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } },
  ...output.flatMap((item, index) => [
    { type: 'response.output_item.added', output_index: index, item },
    { type: 'response.output_item.done', output_index: index, item },
  ]),
  {
    type: 'response.completed',
    response: { id: 'resp_1', model: 'm', status: 'completed', error: null, output },
  },
];

const SAID = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: '4 °C' }],
};

/** By the end of the path: what is answered to the question, and to the result. */
const ANSWERS: Readonly<Record<string, readonly [StreamEvent[], StreamEvent[]]>> = {
  messages: [
    toMessage(
      'tool_use',
      toBlocks(
        [
          { ...THINKING, thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: THINKING.thinking },
          { type: 'signature_delta', signature: THINKING.signature },
        ],
        [REDACTED],
        [
          { type: 'tool_use', id: 'c1', name: 'get_weather', input: {} },
          { type: 'input_json_delta', partial_json: CITY },
        ],
      ),
    ),
    toMessage(
      'end_turn',
      toBlocks([
        { type: 'text', text: '' },
        { type: 'text_delta', text: '4 °C' },
      ]),
    ),
  ],
  responses: [toResponse(REASONING, CALL), toResponse(SAID)],
};

interface Asked {
  messages?: { role: string; content: unknown }[];
  input?: { type: string }[];
}

describe('a tool loop of the chat on a model that thinks', () => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answers = ANSWERS[/\w+$/.exec(request.url ?? '')?.[0] ?? ''];
      if (request.method !== 'POST' || !answers)
        return void response.end(JSON.stringify({ data: [{ id: 'm' }] }));
      asked.push(JSON.parse(Buffer.concat(chunks).toString()) as Asked);
      const events = answers[asked.length - 1] ?? [];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      );
    });
  });

  const offer = (provider: string | undefined): Thenable<void> => {
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const own = { provider, host, auth: 'none', model: 'm', retry: false, offerToChat: true };
    const connections = provider === undefined ? undefined : { [provider]: own };
    return vscode.workspace
      .getConfiguration('providerPlayground')
      .update('connections', connections, vscode.ConfigurationTarget.Global);
  };

  async function find(id: string): Promise<vscode.LanguageModelChat> {
    let found: vscode.LanguageModelChat | undefined;
    await until(`${id} is not listed`, async () => {
      [found] = await vscode.lm.selectChatModels({ vendor: 'provider-playground', id });
      return found !== undefined;
    });
    assert.ok(found);
    return found;
  }

  async function send(
    model: vscode.LanguageModelChat,
    messages: vscode.LanguageModelChatMessage[],
  ): Promise<unknown[]> {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const tools = [{ name: 'get_weather', description: 'The weather in a city.', inputSchema }];
    const { stream } = await model.sendRequest(messages, { tools });
    const parts: unknown[] = [];
    for await (const part of stream) parts.push(part);
    return parts;
  }

  /** Asks, and answers the call. @returns what was said in the end */
  async function loop(provider: string): Promise<string> {
    asked.length = 0;
    await offer(provider);
    const model = await find(`${provider}/m`);
    const { LanguageModelChatMessage: Message } = vscode;
    const question = Message.User('Is it cold in Oslo?');
    const call = (await send(model, [question])).find(
      (part) => part instanceof vscode.LanguageModelToolCallPart,
    );
    assert.ok(call);
    assert.deepEqual(call.input, { city: 'Oslo' });
    const result = new vscode.LanguageModelToolResultPart(call.callId, [
      new vscode.LanguageModelTextPart('4 °C'),
    ]);
    const parts = await send(model, [question, Message.Assistant([call]), Message.User([result])]);
    return parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }

  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(async () => {
    await offer(undefined);
    server.closeAllConnections();
    server.close();
  });

  it('gives the Messages API its signed and redacted thinking back, before the call', async () => {
    assert.equal(await loop('messages-api'), '4 °C');
    assert.equal(asked.length, 2);
    const [, reply] = asked[1]?.messages ?? [];
    const use = { type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } };
    assert.deepEqual(reply, { role: 'assistant', content: [THINKING, REDACTED, use] });
  });

  it('gives the Responses API its encrypted reasoning back, before the call', async () => {
    assert.equal(await loop('responses-api'), '4 °C');
    assert.equal(asked.length, 2);
    const items = asked[1]?.input ?? [];
    const at = items.findIndex(({ type }) => type === 'reasoning');
    assert.deepEqual(items[at], REASONING);
    assert.equal(items[at + 1]?.type, 'function_call');
  });
});
