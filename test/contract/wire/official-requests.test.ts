// What the providers of the Messages and the Responses API send, beside what the official clients send for the same conversation:
// equal field by field, except where a difference is intended.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatOptions, Message, Providers } from '../../../src/library';
import { closeConnections, MessagesApiProvider, ResponsesApiProvider } from '../../../src/library';
import type { SeenRequest } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';

afterAll(closeConnections);

const KEY = 'a-key';
const MODEL = 'm';

type Body = Record<string, unknown>;
type Asked = Omit<Anthropic.MessageCreateParamsNonStreaming, 'model' | 'max_tokens'> & {
  max_tokens?: number;
  temperature?: number;
  top_p?: number;
};
/** A service's own blocks and items in a history, which are those that it sent. */
const SEARCHED: Anthropic.ContentBlockParam[] = [
  { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  { type: 'text', text: 'I look.' },
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
];
const REASONED: OpenAI.Responses.ResponseInputItem[] = [
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'QUJD' },
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
  },
];
const HELLO_TURN = { role: 'user', content: 'Hello' } as const;
const I_LOOK_ITEM = { type: 'message', role: 'assistant', content: 'I look.' } as const;
/** A history with what one of the two services wants back. */
const withReplay = (provider: string, data: object): ChatOptions => ({
  messages: [
    HELLO,
    { role: 'assistant', content: 'I look.', replay: { provider, model: MODEL, data } },
    HELLO,
  ],
});

interface Row {
  what: string;
  chat: ChatOptions;
  messages: Asked;
  responses: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model'>;
}

const CITY = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };
const TOOL = { name: 'weather', description: 'The weather of a city.', parameters: CITY };
const MESSAGES_TOOLS: Anthropic.Tool[] = [
  { name: 'weather', description: 'The weather of a city.', input_schema: CITY },
];
const RESPONSES_TOOLS: OpenAI.Responses.FunctionTool[] = [
  {
    type: 'function',
    name: 'weather',
    description: 'The weather of a city.',
    parameters: CITY,
    strict: false,
  },
];
const HELLO: Message = { role: 'user', content: 'Hello' };
const HELLO_ITEM = { type: 'message', role: 'user', content: 'Hello' } as const;

const HISTORY: Message[] = [
  { role: 'user', content: 'Oslo and Rome?' },
  {
    role: 'assistant',
    content: 'I look.',
    toolCalls: [
      { id: 'call_1', name: 'weather', arguments: { city: 'Oslo' }, source: 'native' },
      { id: 'call_2', name: 'weather', arguments: { city: 'Rome' }, source: 'native' },
    ],
  },
  { role: 'tool', toolName: 'weather', toolCallId: 'call_1', content: '-2' },
  { role: 'tool', toolName: 'weather', toolCallId: 'call_2', content: 'no station', isError: true },
  { role: 'user', content: 'Thanks' },
];

const ROWS: readonly Row[] = [
  {
    what: 'a message',
    chat: { messages: [HELLO] },
    messages: { messages: [{ role: 'user', content: 'Hello' }] },
    responses: { input: [HELLO_ITEM] },
  },
  {
    what: 'system text and sampling',
    chat: {
      messages: [{ role: 'system', content: 'Be brief.' }, HELLO],
      sampling: { temperature: 0.2, topP: 0.9, maxTokens: 64 },
    },
    messages: {
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 64,
      temperature: 0.2,
      top_p: 0.9,
    },
    responses: {
      input: [{ type: 'message', role: 'system', content: 'Be brief.' }, HELLO_ITEM],
      temperature: 0.2,
      top_p: 0.9,
      max_output_tokens: 64,
    },
  },
  ...(['auto', 'none', 'required', { tool: 'weather' }] as const).map((toolChoice): Row => {
    const [any, forced] = {
      auto: [{ type: 'auto' } as const, 'auto' as const] as const,
      none: [{ type: 'none' } as const, 'none' as const] as const,
      required: [{ type: 'any' } as const, 'required' as const] as const,
      tool: [
        { type: 'tool', name: 'weather' } as const,
        { type: 'function', name: 'weather' } as const,
      ] as const,
    }[typeof toolChoice === 'string' ? toolChoice : 'tool'];
    return {
      what: `tools with the choice ${JSON.stringify(toolChoice)}`,
      chat: { messages: [HELLO], tools: [TOOL], toolChoice },
      messages: {
        messages: [{ role: 'user', content: 'Hello' }],
        tools: MESSAGES_TOOLS,
        tool_choice: any,
      },
      responses: { input: [HELLO_ITEM], tools: RESPONSES_TOOLS, tool_choice: forced },
    };
  }),
  {
    what: 'calls with their results, one of them failed',
    chat: { messages: HISTORY, tools: [TOOL] },
    messages: {
      messages: [
        { role: 'user', content: 'Oslo and Rome?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
            { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: '-2' },
            { type: 'tool_result', tool_use_id: 'call_2', content: 'no station', is_error: true },
          ],
        },
        { role: 'user', content: 'Thanks' },
      ],
      tools: MESSAGES_TOOLS,
    },
    responses: {
      input: [
        { type: 'message', role: 'user', content: 'Oslo and Rome?' },
        { type: 'message', role: 'assistant', content: 'I look.' },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { type: 'function_call', call_id: 'call_2', name: 'weather', arguments: '{"city":"Rome"}' },
        { type: 'function_call_output', call_id: 'call_1', output: '-2' },
        { type: 'function_call_output', call_id: 'call_2', output: 'no station' },
        { type: 'message', role: 'user', content: 'Thanks' },
      ],
      tools: RESPONSES_TOOLS,
    },
  },
  {
    what: 'a reply in which the service searched',
    chat: withReplay('messages', { content: SEARCHED }),
    messages: { messages: [HELLO_TURN, { role: 'assistant', content: SEARCHED }, HELLO_TURN] },
    responses: { input: [HELLO_ITEM, I_LOOK_ITEM, HELLO_ITEM] },
  },
  {
    what: 'a reply with encrypted reasoning',
    chat: withReplay('responses', { output: REASONED }),
    messages: { messages: [HELLO_TURN, { role: 'assistant', content: 'I look.' }, HELLO_TURN] },
    responses: { input: [HELLO_ITEM, ...REASONED, HELLO_ITEM] },
  },
];

/** A difference that is intended: `ours` turns the body of the official client into what is sent. */
interface Difference {
  why: string;
  ours: (body: Body) => Body;
}

const items = (body: Body, change: (item: Body) => Body): Body => ({
  ...body,
  input: (body['input'] as Body[]).map(change),
});
const resultBlocks = (body: Body, change: (block: Body) => Body): Body => ({
  ...body,
  messages: (body['messages'] as Body[]).map(({ content, ...turn }) => ({
    ...turn,
    content: Array.isArray(content) ? (content as Body[]).map(change) : content,
  })),
});

const DIFFERENCES: Record<'messages' | 'responses', readonly Difference[]> = {
  messages: [
    {
      why: 'a failed result is also told in words: llama-server and Ollama drop its field',
      ours: (body) =>
        resultBlocks(body, (block) =>
          block['is_error'] === true ? { ...block, content: `Error: ${String(block['content'])}` } : block,
        ),
    },
  ],
  responses: [
    {
      why: 'the protocol has no field for a failed result',
      ours: (body) =>
        items(body, (item) =>
          item['output'] === 'no station' ? { ...item, output: 'Error: no station' } : item,
        ),
    },
    {
      why: 'llama-server tells a text of the model by the type of its parts',
      ours: (body) =>
        items(body, (item) =>
          item['role'] === 'assistant' && typeof item['content'] === 'string'
            ? { ...item, content: [{ type: 'output_text', text: item['content'] }] }
            : item,
        ),
    },
    {
      why: 'a tool for debugging leaves no conversation at the service, whose default is to keep it',
      ours: (body) => ({ ...body, store: false }),
    },
  ],
};

/** What of the head of a request a server reads. */
const HEADERS = ['authorization', 'x-api-key', 'anthropic-version', 'content-type'];

interface Protocol {
  name: 'messages' | 'responses';
  make: (host: string) => Providers;
  /** Sends a row with the official client; resolves whatever the answer. */
  send: (url: string, row: Row, isStreamed: boolean) => Promise<unknown>;
  /** Headers in which the client's request differs, with what it sends there and what is sent here instead. */
  headers: Readonly<Record<string, [official: string | undefined, ours: string | undefined]>>;
}

const PROTOCOLS: readonly Protocol[] = [
  {
    name: 'messages',
    make: (host) => new MessagesApiProvider({ host, apiKey: KEY, model: MODEL, retry: false }),
    send: (baseURL, { messages }, isStreamed) => {
      const client = new Anthropic({ baseURL, apiKey: KEY, maxRetries: 0 });
      // The limit is required; without one this is the one that the provider chooses and names.
      const body = { model: MODEL, max_tokens: 4096, ...messages };
      return isStreamed ? client.messages.create({ ...body, stream: true }) : client.messages.create(body);
    },
    headers: {
      // Both ways to send a key are taken; this one every server and gateway knows.
      authorization: [`Bearer ${KEY}`, undefined],
      'x-api-key': [undefined, KEY],
      // The newer version refuses temperature, top_p and top_k of every model; the older one keeps them.
      'anthropic-version': ['2026-10-21', '2023-06-01'],
    },
  },
  {
    name: 'responses',
    make: (host) => new ResponsesApiProvider({ host, apiKey: KEY, model: MODEL, retry: false }),
    send: (url, { responses }, isStreamed) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, maxRetries: 0 });
      const body = { model: MODEL, ...responses };
      return isStreamed ? client.responses.create({ ...body, stream: true }) : client.responses.create(body);
    },
    headers: {},
  },
];

/** The one request that is sent. */
async function capture(send: (url: string) => Promise<unknown>): Promise<SeenRequest> {
  await using server = await startServer((_, response) =>
    sendJson(response, 400, { error: { message: 'taken' } }),
  );
  await send(server.url).catch(() => undefined);
  expect(server.requests).toHaveLength(1);
  return server.requests[0] as SeenRequest;
}

const bodyOf = ({ body }: SeenRequest): Body => JSON.parse(body) as Body;

describe.each(PROTOCOLS)('a request of $name', ({ name, make, send, headers }) => {
  const used = new Set<string>();

  describe.each([false, true])('streamed: %s', (isStreamed) => {
    test.each(ROWS.map((row): [string, Row] => [row.what, row]))(
      'with %s is that of the client',
      async (_, row) => {
        const official = await capture((url) => send(url, row, isStreamed));
        const ours = await capture((url) =>
          make(url).chat({ ...row.chat, ...(isStreamed && { onDelta: () => undefined }) }),
        );
        let expected = bodyOf(official);
        for (const { why, ours: change } of DIFFERENCES[name]) {
          const changed = change(expected);
          if (JSON.stringify(changed) !== JSON.stringify(expected)) used.add(why);
          expected = changed;
        }
        expect(bodyOf(ours)).toEqual(expected);
        expect([ours.method, ours.url]).toEqual([official.method, official.url]);
        for (const header of HEADERS) {
          const [theirs, own] = headers[header] ?? [official.headers[header], official.headers[header]];
          expect([official.headers[header], ours.headers[header]], header).toEqual([theirs, own]);
        }
      },
    );
  });

  test('differs from it nowhere else', () => {
    expect([...used].toSorted()).toEqual(DIFFERENCES[name].map(({ why }) => why).toSorted());
  });
});
