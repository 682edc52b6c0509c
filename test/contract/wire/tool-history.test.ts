// A conversation with tools that moves between back ends: what one of them answered is sent to the other, with its ids.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, Message, ProviderToolCall } from '../../../src/library';
import { closeConnections, HostedApiProvider } from '../../../src/library';
import { failure } from '../../support/failure';
import { readRecorded } from '../../support/messages/recorded';
import type { Protocol } from './neutral-input';
import { answerChat } from './replay-chat';

const ASK: Message = { role: 'user', content: 'weather' };
const REPLY: Record<Protocol, object> = {
  local: { message: { role: 'assistant', content: 'ok' }, done: true, done_reason: 'stop' },
  hosted: { choices: [{ message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] },
};

/** The turn of a recorded answer, whose text `edit` may change first. */
async function turnOf(name: string, edit = (body: string) => body): Promise<ChatTurn> {
  const { response } = readRecorded(name);
  const isStreamed = name.endsWith('-stream');
  const protocol = name.startsWith('llamacpp-') || name.includes('-v1-') ? 'hosted' : 'local';
  return (await answerChat(protocol, edit(response.body), { isStreamed })) as ChatTurn;
}

async function sentMessages(protocol: Protocol, messages: Message[]): Promise<unknown[]> {
  const turn = (await answerChat(protocol, REPLY[protocol], { options: { messages } })) as ChatTurn;
  return (JSON.parse(turn.exchange.request.body) as { messages: unknown[] }).messages;
}

/** Every second result is an error. */
const resultsOf = ({ toolCalls = [] }: Message): Message[] =>
  toolCalls.map(({ id, name }, place) => ({
    role: 'tool',
    content: `result ${place}`,
    toolName: name,
    toolCallId: id,
    ...(place % 2 === 1 && { isError: true }),
  }));

/** The expected bodies, written from the two protocols. */
const EXPECTED: Record<Protocol, (calls: ProviderToolCall[]) => unknown[]> = {
  local: (calls) => [
    {
      role: 'assistant',
      content: '',
      tool_calls: calls.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } })),
    },
    ...calls.map(({ id, name }, place) => ({
      role: 'tool',
      content: place % 2 === 1 ? `Error: result ${place}` : `result ${place}`,
      tool_name: name,
      tool_call_id: id,
    })),
  ],
  hosted: (calls) => [
    {
      role: 'assistant',
      content: '',
      tool_calls: calls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    },
    ...calls.map(({ id }, place) => ({
      role: 'tool',
      tool_call_id: id,
      content: place % 2 === 1 ? `Error: result ${place}` : `result ${place}`,
    })),
  ],
};

const withoutIds = (body: string): string =>
  body.replaceAll(/,"id":"(?!chatcmpl)\w+"|"id":"(?!chatcmpl)\w+",/g, '');
const withOneId = (body: string): string => body.replaceAll(/"id":"(?!chatcmpl)\w+"/g, '"id":"same"');

afterAll(closeConnections);

/** The body that would be sent to this host; it goes nowhere, because nothing listens at the address of the proxy. */
async function bodyFor(host: string, messages: Message[]): Promise<{ messages: object[] }> {
  const network = { proxy: 'http://127.0.0.1:9' };
  const provider = new HostedApiProvider({ host, apiKey: 'key-of-the-test', retry: false, network });
  const { exchange } = await failure(provider.chat({ messages }));
  return JSON.parse(exchange?.request.body ?? '') as { messages: object[] };
}

describe('a history for the API of Mistral, whose ids have nine letters and digits', () => {
  const ids = ['call_00_Xf-a very long one', 'aB3dE6gH9', 'call_1'];
  const toolCalls = ids.map((id): ProviderToolCall => ({
    id,
    name: 'look',
    arguments: {},
    source: 'native',
  }));
  const calls: Message = { role: 'assistant', content: '', toolCalls };
  const history = [ASK, calls, ...resultsOf(calls)];
  const idsIn = ([, turn, ...results]: object[]): [string[], string[]] => [
    (turn as { tool_calls: { id: string }[] }).tool_calls.map(({ id }) => id),
    results.map((result) => (result as { tool_call_id: string }).tool_call_id),
  ];

  test('has such ids, the same for a call and its result, and the same each time', async () => {
    const body = await bodyFor('http://api.mistral.ai/v1', history);
    const [sent, answered] = idsIn(body.messages);
    expect(answered).toEqual(sent);
    expect(sent[1]).toBe('aB3dE6gH9');
    expect(new Set(sent).size).toBe(3);
    for (const id of sent) expect(id).toMatch(/^[0-9A-Za-z]{9}$/);
    expect(await bodyFor('http://api.mistral.ai/v1', history)).toEqual(body);
    expect(toolCalls.map(({ id }) => id)).toEqual(ids);
  });

  test.each(['http://mistral.ai.example/v1', 'http://notmistral.ai/v1'])(
    'keeps its ids for any other host, such as %s',
    async (host) => {
      expect(idsIn((await bodyFor(host, history)).messages)).toEqual([ids, ids]);
    },
  );
});

describe('a history of tool calls', () => {
  test.each([
    ['ollama-chat-tools', 1],
    ['ollama-chat-tools-parallel', 2],
    ['ollama-chat-tools-parallel-stream', 2],
    ['ollama-go-tools-parallel', 2],
    ['ollama-go-tools-parallel-stream', 2],
    ['ollama-v1-chat-tools', 1],
    ['ollama-v1-chat-tools-stream', 2],
    ['llamacpp-chat-tools-parallel', 2],
    ['llamacpp-chat-tools-parallel-stream', 2],
  ])(
    'of %s is sent to both back ends, with the ids of the server or with created ones',
    async (name, count) => {
      const idsInBody = readRecorded(name).response.body;
      for (const edit of [undefined, withoutIds, withOneId]) {
        const { assistant } = await turnOf(name, edit);
        const { toolCalls = [] } = assistant;
        const ids = toolCalls.map(({ id }) => id);
        expect(ids).toHaveLength(count);
        expect(new Set(ids).size).toBe(count);
        if (!edit) expect(ids.filter((id) => !idsInBody.includes(`"id":"${id}"`))).toEqual([]);
        for (const protocol of ['hosted', 'local'] as const) {
          const sent = await sentMessages(protocol, [ASK, assistant, ...resultsOf(assistant)]);
          expect(sent).toEqual([ASK, ...EXPECTED[protocol](toolCalls)]);
        }
      }
    },
  );

  test('that was continued with the other back end comes back complete', async () => {
    const first = await turnOf('ollama-chat-tools-parallel', withoutIds);
    const second = await turnOf('llamacpp-chat-tools-parallel');
    const history = [first, second].flatMap(({ assistant }) => [assistant, ...resultsOf(assistant)]);
    const [ours, theirs] = [first, second].map(({ toolCalls }) => toolCalls);
    // In between, the history is stored as JSON.
    const kept = JSON.parse(JSON.stringify(history)) as Message[];
    for (const protocol of ['local', 'hosted', 'local'] as const) {
      const expected = [ours, theirs].flatMap((calls) => EXPECTED[protocol](calls ?? []));
      expect(await sentMessages(protocol, [ASK, ...kept])).toEqual([ASK, ...expected]);
    }
    const ids = [...(ours ?? []), ...(theirs ?? [])].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  });

  test('keeps its reasoning only for the local back end, which has a field for it', async () => {
    const { assistant } = await turnOf('ollama-chat-tools-think-stream');
    expect(await sentMessages('local', [assistant])).toMatchObject([{ thinking: 'Let me ponder this.\n' }]);
    expect(JSON.stringify(await sentMessages('hosted', [assistant]))).not.toContain('ponder');
  });

  test('may name only the tool or only the call of a result: each back end gets what it needs', async () => {
    const { assistant } = await turnOf('ollama-chat-tools-parallel');
    const [one, two] = assistant.toolCalls ?? [];
    for (const known of ['toolName', 'toolCallId', undefined] as const) {
      const results = resultsOf(assistant).map(({ toolName, toolCallId, ...rest }) => ({
        ...rest,
        ...(known === 'toolName' && { toolName }),
        ...(known === 'toolCallId' && { toolCallId }),
      }));
      expect(await sentMessages('hosted', [ASK, assistant, ...results])).toMatchObject([
        {},
        {},
        { tool_call_id: one?.id },
        { tool_call_id: two?.id },
      ]);
      expect(await sentMessages('local', [ASK, assistant, ...results])).toMatchObject([
        {},
        {},
        { tool_name: 'get_weather', tool_call_id: one?.id },
        { tool_name: 'get_weather', tool_call_id: two?.id },
      ]);
    }
  });
});

describe('the arguments of a call', () => {
  const replyWith = (args: unknown): object => ({
    choices: [
      {
        message: { content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: args } }] },
        finish_reason: 'tool_calls',
      },
    ],
  });
  const back = async (assistant: Message) => {
    const [hosted] = await sentMessages('hosted', [assistant]);
    const [local] = await sentMessages('local', [assistant]);
    return { hosted, local };
  };
  const bodies = (text: string, value: object) => ({
    hosted: {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: text } }],
    },
    local: {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', function: { name: 'f', arguments: value } }],
    },
  });

  test.each<[form: string, args: unknown, text: string, value: object]>([
    ['are text', '{"city": "Oslo"}', '{"city":"Oslo"}', { city: 'Oslo' }],
    ['are an object', { city: 'Oslo' }, '{"city":"Oslo"}', { city: 'Oslo' }],
    ['are an empty string', '', '{}', {}],
    ['are blank', ' \n', '{}', {}],
    ['are null', null, '{}', {}],
    ['are missing', undefined, '{}', {}],
    ['are a list', '[1,2]', '{}', {}],
    ['are JSON encoded twice', '"{\\"city\\":\\"Oslo\\"}"', '{"city":"Oslo"}', { city: 'Oslo' }],
    ['are a number', '5', '{}', {}],
    ['are not valid JSON', '{"city": "Os', '{}', {}],
    ['have a lone surrogate', '{"city":"\\ud83d"}', '{"city":"\ufffd"}', { city: '\ufffd' }],
  ])(
    'that %s are sent back as text to the hosted back end and as an object to the local one',
    async (_, args, text, value) => {
      const turn = (await answerChat('hosted', replyWith(args))) as ChatTurn;
      expect(await back(turn.assistant)).toEqual(bodies(text, value));
    },
  );

  test('that were truncated are sent back as {}, which both servers accept (llamacpp-chat-tools-truncated)', async () => {
    const { assistant } = await turnOf('llamacpp-chat-tools-truncated');
    const [call] = assistant.toolCalls ?? [];
    expect(call?.arguments).toBe('{"city": "Paris"');
    const { hosted, local } = await back(assistant);
    const id = call?.id;
    expect(hosted).toMatchObject({ tool_calls: [{ id, function: { arguments: '{}' } }] });
    expect(local).toMatchObject({ tool_calls: [{ id, function: { arguments: {} } }] });
  });

  test('that are not a JSON object are sent to both back ends as {}, and the exchange lists their places', async () => {
    const call = (args: unknown): ProviderToolCall => ({
      id: 'c',
      name: 'f',
      arguments: args,
      source: 'native',
    });
    const said: Message = {
      role: 'assistant',
      content: '',
      toolCalls: ['{"city": "Os', '{"city":"Oslo"}', {}, '', [1], { days: 3n }].map(call),
    };
    const options = { messages: [ASK, said] };
    const chat = async (protocol: Protocol, credentials = {}): Promise<ChatTurn> =>
      (await answerChat(protocol, REPLY[protocol], { options, credentials })) as ChatTurn;
    for (const protocol of ['local', 'hosted'] as const) {
      const { exchange } = await chat(protocol);
      const { messages } = JSON.parse(exchange.request.body) as { messages: { tool_calls: unknown }[] };
      const asSent = (args: object): unknown => (protocol === 'local' ? args : JSON.stringify(args));
      expect(messages[1]?.tool_calls).toMatchObject(
        [{}, { city: 'Oslo' }, {}, {}, {}, {}].map((args) => ({ function: { arguments: asSent(args) } })),
      );
      expect(exchange.replaced).toEqual([
        'messages[1].tool_calls[0].function.arguments',
        'messages[1].tool_calls[4].function.arguments',
        'messages[1].tool_calls[5].function.arguments',
      ]);
      const other = await chat(protocol, { raw: { messages: [ASK] } });
      expect(other.exchange).not.toHaveProperty('replaced');
    }
  });

  test('with a lone surrogate are sent well-formed like any other text, and the exchange lists their places', async () => {
    const half = 'cut \ud83d';
    const messages: Message[] = [
      { role: 'system', content: 'whole 😀' },
      { role: 'user', content: half },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c', name: 'f', arguments: { city: half }, source: 'native' }],
      },
      { role: 'tool', content: half, toolName: 'f', toolCallId: 'c' },
    ];
    const tools = [{ name: 'f', description: half, parameters: { type: 'object' } }];
    for (const protocol of ['local', 'hosted'] as const) {
      const options = { options: { messages, tools }, credentials: { raw: { user: half } } };
      const { exchange } = (await answerChat(protocol, REPLY[protocol], options)) as ChatTurn;
      const { body } = exchange.request;
      expect(body).not.toMatch(/\\\\?ud83d[^\\]/);
      expect(body).toContain('whole 😀');
      expect(body.split('cut \ufffd')).toHaveLength(6);
      expect(exchange.replaced?.toSorted()).toEqual([
        'messages[1].content',
        'messages[2].tool_calls[0].function.arguments.city',
        'messages[3].content',
        'tools[0].function.description',
        'user',
      ]);
    }
  });
});
