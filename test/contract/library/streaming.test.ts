// Streamed chats over real sockets: they result in the same turn as unstreamed ones, and may end in many ways.
import type { MockInstance } from 'vitest';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { DemoServer } from '../../../src/demo';
import { DEMO_MODELS, startDemoServer } from '../../../src/demo';
import type { ChatDelta, ChatTurn, Providers, ToolType } from '../../../src/library';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  ResponsesApiProvider,
} from '../../../src/library';
import { failure } from '../../support/failure';
import { startServer } from '../../support/servers/http-server';
import type { Answer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

const WEATHER: ToolType = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const ASK = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }];
const fast = { initialDelayMs: 1, maxDelayMs: 2 };

const SIDES = {
  local: (server: DemoServer | { url: string }, model: string): Providers =>
    new LocalHostProvider({ host: 'url' in server ? server.url : server.localHost, model, retry: fast }),
  hosted: (server: DemoServer | { url: string }, model: string): Providers =>
    new HostedApiProvider({
      host: 'url' in server ? server.url : server.hostedHost,
      apiKey: '',
      auth: 'none',
      model,
      retry: fast,
    }),
};
const DEMO_SIDES = {
  ...SIDES,
  messages: ({ localHost: host }: DemoServer, model: string): Providers =>
    new MessagesApiProvider({ host, apiKey: '', auth: 'none', model, retry: fast }),
  responses: ({ hostedHost: host }: DemoServer, model: string): Providers =>
    new ResponsesApiProvider({ host, apiKey: '', auth: 'none', model, retry: fast }),
};
const demoSides = Object.keys(DEMO_SIDES) as (keyof typeof DEMO_SIDES)[];
const sides = Object.keys(SIDES) as (keyof typeof SIDES)[];

/** The parts of a turn that must be equal; ids and times differ between calls. */
const comparableParts = ({ raw, toolCalls, usage, assistant, rescue }: ChatTurn): unknown =>
  JSON.parse(
    JSON.stringify({ raw, toolCalls, usage, content: assistant.content, rescued: rescue?.calls })
      .replaceAll(/"id":"[^"]*"/g, '"id":"any"')
      .replaceAll(/,?"cachedTokens":\d+/g, ''),
  );

afterAll(closeConnections);

describe('a streamed chat', () => {
  const models = DEMO_MODELS.filter((model) =>
    [
      'first-look',
      'native-call',
      'hermes-text',
      'malformed-call',
      'prose-only',
      'parallel-calls',
      'json-fence',
    ].includes(model),
  );

  // At once, because one of the models asks to wait.
  test.concurrent.each(demoSides.flatMap((side) => models.map((model) => [side, model] as const)))(
    '%s %s results in the same turn as an unstreamed one',
    async (side, model) => {
      const demo = await startDemoServer();
      try {
        const provider = DEMO_SIDES[side](demo, model);
        const deltas: ChatDelta[] = [];
        const onDelta = (delta: ChatDelta): void => void deltas.push(delta);
        const streamed = await provider.chat({ tools: [WEATHER], messages: ASK, onDelta });
        const unstreamed = await provider.chat({ tools: [WEATHER], messages: ASK });
        expect(comparableParts(streamed)).toEqual(comparableParts(unstreamed));
        expect(deltas.map(({ content }) => content ?? '').join('')).toBe(streamed.raw.content);
        expect(JSON.parse(streamed.exchange.request.body)).toMatchObject({ stream: true });
      } finally {
        await demo.close();
      }
    },
  );

  test.each(sides)('%s gives the whole reply at once if the server sends no stream', async (side) => {
    const call = { id: 'c1', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } };
    const message = { role: 'assistant', content: 'Let me see.', tool_calls: [call] };
    const reply =
      side === 'local'
        ? { message, done: true, prompt_eval_count: 7, eval_count: 3 }
        : {
            choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
            usage: { prompt_tokens: 7, completion_tokens: 3 },
          };
    await using server = await startServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(reply, null, 2));
    });
    const heard: ChatDelta[] = [];
    const provider = SIDES[side](server, 'm');
    const onDelta = (delta: ChatDelta): void => void heard.push(delta);
    const turn = await provider.chat({ messages: ASK, tools: [WEATHER], onDelta });
    expect(turn.raw).toMatchObject({ content: 'Let me see.', toolCalls: [{ name: 'get_weather' }] });
    expect(heard.map(({ content }) => content ?? '').join('')).toBe('Let me see.');
    expect(heard).toContainEqual({
      toolCall: { index: 0, id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
    });
    expect(heard).toContainEqual({ usage: { promptTokens: 7, completionTokens: 3 } });
  });

  test('of a custom provider that cannot stream results in a turn, too', async () => {
    await using server = await startServer((_, response) => response.end('{"text":"hi"}'));
    const deltas: ChatDelta[] = [];
    const turn = await new ProbeProvider(server.url).chat({
      messages: HELLO,
      onDelta: (delta) => deltas.push(delta),
    });
    expect([turn.raw.content, deltas]).toEqual(['hi', []]);
  });

  test('does not end when onDelta throws', async () => {
    const demo = await startDemoServer();
    const onDelta = (): void => {
      throw new Error('broken');
    };
    const turn = await SIDES.local(demo, 'prose-only').chat({ tools: [WEATHER], messages: ASK, onDelta });
    expect(turn.raw.content).not.toBe('');
    await demo.close();
  });

  test('leaves no rejection of an async onDelta unhandled', async () => {
    const demo = await startDemoServer();
    const handled: MockInstance[] = [];
    const onDelta = (): void => {
      const rejected = Promise.reject(new Error('broken'));
      handled.push(vi.spyOn(rejected, 'catch'));
      return rejected as unknown as void;
    };
    const turn = await SIDES.local(demo, 'prose-only').chat({ tools: [WEATHER], messages: ASK, onDelta });
    expect(turn.raw.content).not.toBe('');
    expect(handled.length).toBeGreaterThan(1);
    for (const handle of handled) expect(handle).toHaveBeenCalled();
    await demo.close();
  });
});

const LINE = {
  local: '{"message":{"content":"Hel"},"done":false}\n',
  hosted: 'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n',
};
const END = {
  local: '{"message":{"content":"lo"},"done":true,"done_reason":"stop"}\n',
  hosted: 'data: {"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
};
const ERROR = {
  local: '{"error":"the runner stopped"}\n',
  hosted: 'data: {"error":{"message":"the runner stopped"}}\n\n',
};

describe.each(sides)('a stream of the %s protocol', (side) => {
  async function chat(answer: Answer) {
    const server = await startServer(answer);
    const deltas: ChatDelta[] = [];
    const controller = new AbortController();
    const provider = SIDES[side](server, 'm');
    const turn = provider.chat({
      messages: HELLO,
      signal: controller.signal,
      onDelta: (delta) => deltas.push(delta),
    });
    return { turn, deltas, controller, server };
  }

  test('that breaks off after its first word is an error with the text so far, and is not retried', async () => {
    const { turn, server } = await chat((_, response) =>
      response.write(LINE[side], () => setTimeout(() => response.destroy(), 20)),
    );
    const error = await failure(turn);
    expect(error).toMatchObject({ code: 'truncated-stream', partial: { content: 'Hel' }, attempts: 1 });
    expect(error.ledger.at(-1)?.reason).toContain('already delivered');
    expect(server.requests).toHaveLength(1);
    await server[Symbol.asyncDispose]();
  });

  test('that ends without its end mark is the same error', async () => {
    const { turn, server } = await chat((_, response) => response.end(LINE[side]));
    expect(await failure(turn)).toMatchObject({ code: 'truncated-stream', partial: { content: 'Hel' } });
    await server[Symbol.asyncDispose]();
  });

  test('that breaks off before its first word is retried', async () => {
    const { turn, server } = await chat((_, response, count) => {
      if (count > 1) response.end(LINE[side] + END[side]);
      else response.write('\n', () => setTimeout(() => response.destroy(), 20));
    });
    const { raw, ledger } = await turn;
    expect(raw).toMatchObject({ content: 'Hello', attempts: 2 });
    expect(ledger[0]).toMatchObject({ decision: 'retry', endedBy: 'network' });
    await server[Symbol.asyncDispose]();
  });

  test('that contains an error fails with the server’s message', async () => {
    const { turn, server } = await chat((_, response) => response.end(LINE[side] + ERROR[side]));
    const error = await failure(turn);
    expect(error).toMatchObject({
      code: 'http',
      serverMessage: 'the runner stopped',
      partial: { content: 'Hel' },
    });
    expect(error.message).toContain('inside the stream');
    await server[Symbol.asyncDispose]();
  });

  test('that stalls is ended by an abort, with the text so far and a closed socket', async () => {
    const { turn, deltas, controller, server } = await chat((_, response) => void response.write(LINE[side]));
    await expect.poll(() => deltas.length).toBe(1);
    controller.abort();
    expect(await failure(turn)).toMatchObject({ code: 'aborted', partial: { content: 'Hel' } });
    await expect.poll(server.openConnections).toBe(0);
    await server[Symbol.asyncDispose]();
  });

  test('follows retries like any other request', async () => {
    const { turn, server } = await chat((_, response, count) => {
      if (count === 1) response.writeHead(503).end('busy');
      else response.end(LINE[side] + END[side]);
    });
    expect((await turn).raw).toMatchObject({ content: 'Hello', attempts: 2 });
    await server[Symbol.asyncDispose]();
  });
});

test('on a kept-alive connection each call gets exactly its own pieces', async () => {
  const line = (content: string, done = false): string =>
    `${JSON.stringify({ message: { role: 'assistant', content }, done })}\n`;
  await using server = await startServer((_request, response, count) => {
    response.write(line(`${count}a `));
    // A piece that arrives separately, while the reader waits for it.
    setTimeout(() => response.write(line(`${count}b `)), 20);
    setTimeout(() => response.end(line(`${count}c`, true)), 40);
  });
  const provider = SIDES.local(server, 'm');
  for (const call of [1, 2, 3]) {
    const pieces: (string | undefined)[] = [];
    await provider.chat({ messages: ASK, onDelta: ({ content }) => pieces.push(content) });
    expect(pieces).toEqual([`${call}a `, `${call}b `, `${call}c`]);
    await new Promise(setImmediate);
  }
  expect(server.connections()).toBe(1);
});
