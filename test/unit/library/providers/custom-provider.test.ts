// The custom provider of the documentation: it must compile and work.
import { afterAll, describe, expect, test } from 'vitest';
import type {
  Message,
  ProviderCredentials,
  RawAssistant,
  SamplingParams,
  ToolType,
} from '../../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider, Providers } from '../../../../src/library';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../../support/connections/probe-provider';

interface AcmeCredentials extends ProviderCredentials {
  apiKey: string;
}

class AcmeProvider extends Providers {
  private readonly apiKey: string;
  private readonly url: string;

  constructor(credentials: AcmeCredentials, url: string) {
    super();
    this.configure(credentials);
    this.apiKey = credentials.apiKey;
    this.url = url;
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams,
  ): Promise<RawAssistant> {
    const { response, attempts } = await this.request(this.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}` },
      body: JSON.stringify({ tools, messages, ...this.pruneUndefined({ heat: sampling?.temperature }) }),
    });
    const data = await response.json();
    return { content: data.text ?? '', toolCalls: [], usage: {}, attempts };
  }
}

class MyLocal extends LocalHostProvider {
  constructor(host: string) {
    super({ host, model: 'tiny' });
  }
}

const FORECAST: ToolType = {
  name: 'forecast',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

afterAll(closeConnections);

describe('a custom provider', () => {
  test('inherits retries, sampling, rescue and the exchange', async () => {
    const text = 'Sure.\n<tool_call>{"name": "forecast", "arguments": {"city": "Oslo"}}</tool_call>';
    await using server = await startServer((_, response, count) =>
      sendJson(response, count === 1 ? 503 : 200, { text }),
    );
    const acme = new AcmeProvider(
      { apiKey: 'acme-secret-key', sampling: { temperature: 0 }, retry: { initialDelayMs: 1 } },
      server.url,
    );
    const turn = await acme.chat({ tools: [FORECAST], messages: HELLO });
    expect(JSON.parse(server.requests[1]?.body ?? '')).toMatchObject({ heat: 0 });
    expect(turn.raw).toEqual({ content: text, toolCalls: [], usage: {}, attempts: 2 });
    expect(turn.toolCalls).toMatchObject([
      { name: 'forecast', arguments: { city: 'Oslo' }, source: 'rescued' },
    ]);
    expect(turn.assistant).toMatchObject({ content: 'Sure.', toolCalls: [{ name: 'forecast' }] });
    expect(turn.ledger).toHaveLength(2);
    expect(JSON.stringify(turn)).not.toContain('acme-secret-key');
  });

  test('keeps the text with rescue off, and reports what rescue would find', async () => {
    const text = '<tool_call>{"name": "forecast", "arguments": {"city": "Oslo"}}</tool_call>';
    await using server = await startServer((_, response) => sendJson(response, 200, { text }));
    const provider = new ProbeProvider(server.url, { rescueToolCalls: false });
    const turn = await provider.chat({ tools: [FORECAST], messages: HELLO });
    expect(turn.toolCalls).toEqual([]);
    expect(turn.assistant).toEqual({ role: 'assistant', content: text });
    expect(turn.rescue?.calls).toMatchObject([{ name: 'forecast' }]);
  });

  test('rescues nothing without tools', async () => {
    await using server = await startServer((_, response) =>
      sendJson(response, 200, { text: '{"name":"forecast"}' }),
    );
    const turn = await new ProbeProvider(server.url).chat({ messages: HELLO });
    expect(turn.rescue).toBeUndefined();
    expect(turn.toolCalls).toEqual([]);
  });

  test('merges the call’s sampling over its own; undefined overrides nothing', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    const provider = new ProbeProvider(server.url, { sampling: { temperature: 0, topP: 0.5, seed: 1 } });
    await provider.chat({ messages: HELLO, sampling: { temperature: 1, seed: undefined } });
    expect(provider.sampling).toEqual({ temperature: 1, topP: 0.5, seed: 1 });
  });

  test.each([
    [null, 'null'],
    [Symbol('x'), 'Symbol(x)'],
    [Object.assign(Object.create(null), { key: 'acme-secret-key' }), '{"key":"***************"}'],
  ])('turns %o, which it threw, into an error', async (thrown, words) => {
    class Throwing extends Providers {
      constructor() {
        super();
        this.configure({ headers: { 'x-api-key': 'acme-secret-key' } });
      }
      protected chatInternal(): Promise<RawAssistant> {
        return Promise.reject(thrown as Error);
      }
    }
    await expect(new Throwing().chat({ messages: HELLO })).rejects.toMatchObject({
      code: 'response-format',
      explanation: { why: words },
    });
  });

  test('turns its own exceptions into errors with the ledger', async () => {
    await using server = await startServer((_, response) => response.end('no JSON'));
    const error: unknown = await new ProbeProvider(server.url)
      .chat({ messages: HELLO })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'response-format', attempts: 1, ledger: [{ status: 200 }] });
    expect(error).toMatchObject({ cause: expect.any(SyntaxError) });
  });

  test('turns exceptions of the library into internal errors, with the stack in the cause', async () => {
    // As if the library itself failed: the message can be read when the cause is searched for.
    const messageThatFailsOnce = (): Message => {
      let reads = 0;
      return {
        role: 'user',
        get content(): string {
          if ((reads += 1) === 1) throw new TypeError('x is no function');
          return 'Hi';
        },
      };
    };
    const host = 'http://127.0.0.1:1';
    const providers = [
      new LocalHostProvider({ host, model: 'm' }),
      new HostedApiProvider({ host, auth: 'none', apiKey: '' }),
    ];
    for (const provider of providers) {
      const error: unknown = await provider
        .chat({ messages: [messageThatFailsOnce()] })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'internal', attempts: 0, cause: expect.any(TypeError) });
      expect((error as Error).message).toMatch(/the library itself failed[^]*report this/);
    }
    class Broken extends LocalHostProvider {
      protected override chatInternal(): never {
        throw new TypeError('x is no function');
      }
    }
    const error: unknown = await new Broken({ host, model: 'm' })
      .chat({ messages: HELLO })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'response-format', cause: { message: 'x is no function' } });
  });

  test('has costs only with rates and counts', async () => {
    const reply = { message: { content: 'x' }, done: true, prompt_eval_count: 1000, eval_count: 500 };
    await using server = await startServer((_, response) => sendJson(response, 200, reply));
    const rated = new LocalHostProvider({
      host: server.url,
      model: 'm',
      costPer1kTokens: { input: 0.01, output: 0.02 },
    });
    expect((await rated.chat({ messages: HELLO })).usage).toEqual({
      promptTokens: 1000,
      completionTokens: 500,
      costUsd: 0.02,
    });
    expect((await new MyLocal(server.url).chat({ messages: HELLO })).usage).not.toHaveProperty('costUsd');
  });
});
