// LocalHostProvider compared with what Ollama returned and accepted.
import { afterAll, describe, expect, test } from 'vitest';
import type { LocalHostCredentials, Message, ProviderError, ToolType } from '../../../src/library';
import { closeConnections, HttpError, LocalHostProvider } from '../../../src/library';
import { readRecorded } from '../../support/messages/recorded';
import { WEATHER } from '../../support/messages/recorded-tools';
import { startReplay } from '../../support/servers/replay-server';

const ASK: Message[] = [{ role: 'user', content: 'weather' }];

async function replay(
  name: string,
  options: { messages?: Message[]; tools?: ToolType[]; credentials?: Partial<LocalHostCredentials> } = {},
) {
  const recorded = readRecorded(name);
  await using server = await startReplay(recorded);
  const provider = new LocalHostProvider({
    host: server.url,
    model: 'tiny',
    retry: false,
    ...options.credentials,
  });
  const result = await provider.chat({ messages: options.messages ?? ASK, tools: options.tools ?? [] }).then(
    (turn) => ({ turn, error: undefined }),
    (error: ProviderError) => ({ turn: undefined, error }),
  );
  const [request] = server.requests;
  return { ...result, recorded, path: request?.url, body: JSON.parse(request?.body ?? 'null') as unknown };
}

afterAll(closeConnections);

describe('LocalHostProvider', () => {
  test('sends what the server accepted for a chat with tools, and reads the native call', async () => {
    // The protocol has no field for `strict`.
    const tools = [{ ...WEATHER, strict: true }];
    const { turn, body, path, recorded } = await replay('ollama-chat-tools', { tools });
    expect(path).toBe('/api/chat');
    expect(body).toEqual(recorded.request.body);
    expect(turn?.raw).toEqual({
      content: '',
      toolCalls: [
        {
          id: '21Vvfs9WtoSwCV0YITM0H4k8h87mVw0v',
          name: 'get_weather',
          arguments: { city: 'Paris' },
          source: 'native',
        },
      ],
      usage: { promptTokens: 386, completionTokens: 9 },
      attempts: 1,
      finishReason: 'stop',
      model: 'tiny',
    });
    expect(turn?.toolCalls).toEqual(turn?.raw.toolCalls);
    expect(turn?.assistant).toEqual({ role: 'assistant', content: '', toolCalls: turn?.toolCalls });
    expect(turn?.rescue).toBeUndefined();
  });

  test('sends a history with a tool result as the server accepted it', async () => {
    const call = {
      id: 'call_abc',
      name: 'get_weather',
      arguments: { city: 'Paris' },
      source: 'native' as const,
    };
    const { turn, body, recorded } = await replay('ollama-chat-tool-result-id', {
      tools: [WEATHER],
      messages: [
        ...ASK,
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', content: 'sunny', toolName: 'get_weather', toolCallId: 'call_abc' },
      ],
    });
    expect(body).toEqual(recorded.request.body);
    expect(turn?.assistant.content).toBe('It is sunny in Paris.');
  });

  test('returns all of several native calls', async () => {
    const { turn } = await replay('ollama-chat-tools-parallel', { tools: [WEATHER] });
    expect(turn?.toolCalls.length).toBeGreaterThan(1);
    expect(new Set(turn?.toolCalls.map(({ id }) => id)).size).toBe(turn?.toolCalls.length);
  });

  test.each(['ollama-chat-tools', 'ollama-chat-tools-stream'])(
    'reports the arguments of %s as received, even if they were changed afterwards',
    async (name) => {
      const raw = name.endsWith('stream') ? { stream: true } : undefined;
      const { turn } = await replay(name, { tools: [WEATHER], credentials: { raw } });
      Object.assign(turn?.toolCalls[0]?.arguments as object, { city: 'Rome' });
      expect(turn?.exchange.toolCalls).toEqual([{ rawArguments: '{"city":"Paris"}' }]);
    },
  );

  test('separates thinking from the content', async () => {
    const { turn } = await replay('ollama-chat-think-default');
    expect(turn?.raw).toMatchObject({
      content: 'Hello from the tiny model.',
      reasoning: 'Let me ponder this.\n',
    });
    expect(turn?.assistant.reasoning).toBe('Let me ponder this.\n');
  });

  test('returns the finish reason of a truncated reply', async () => {
    const { turn, body, recorded } = await replay('ollama-chat-length', {
      messages: [{ role: 'user', content: 'LOOP' }],
      credentials: { sampling: { maxTokens: 5 } },
    });
    expect(body).toEqual(recorded.request.body);
    expect(turn?.raw.finishReason).toBe('length');
    expect(turn?.exchange.sent).toEqual({ maxTokens: 'options.num_predict' });
  });

  test('a missing model is an error with the server’s message and the next step', async () => {
    const { error } = await replay('ollama-chat-404');
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ code: 'http', status: 404, attempts: 1 });
    expect(error?.explanation.why).toContain('not found');
    expect(error?.explanation.next).toContain('model');
    expect(error?.exchange?.response?.status).toBe(404);
  });

  test('unwraps the runner’s error, which Ollama passes on as JSON text', async () => {
    const { error } = await replay('ollama-chat-overflow');
    expect(error?.explanation.why).toMatch(
      /^The server says: request \(\d+ tokens\) exceeds the available context size/,
    );
  });

  test('does not retry when the server could not parse the call that the model wrote', async () => {
    const recorded = readRecorded('ollama-chat-tools-truncated');
    await using server = await startReplay(recorded);
    const provider = new LocalHostProvider({ host: server.url, model: 'tiny' });
    await expect(provider.chat({ messages: ASK, tools: [WEATHER] })).rejects.toMatchObject({
      code: 'http',
      attempts: 1,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('lists the models of the server', async () => {
    const recorded = readRecorded('ollama-tags');
    await using server = await startReplay(recorded);
    const models = await new LocalHostProvider({ host: server.url, model: 'tiny' }).listModels();
    expect(models).toEqual(['tiny:latest', 'tiny-embed:latest', 'tiny-plain:latest', 'tiny-go:latest']);
    expect(server.requests[0]?.url).toBe('/api/tags');
  });
});
