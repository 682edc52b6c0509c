import { describe, expect, test } from 'vitest';
import type { AgentProvider } from '../../../../src/library';
import {
  Agent,
  HostedApiProvider,
  MessagesApiProvider,
  runAgent,
  RunStoppedError,
} from '../../../../src/library';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { asks, callOf, errorOf, OSLO, says, ScriptedProvider, setUp, WEATHER } from './agent-fixtures';

const BERGEN = callOf('get_weather', { city: 'Bergen' }, 'id_bergen');

describe('runAgent', () => {
  test('sends requests, runs calls and returns their results until the model answers', async () => {
    const { provider, agent } = setUp([asks(OSLO), says('Cold.')], { prompt: 'Be brief.' });
    const report = await runAgent(agent, 'How is Oslo?');
    expect(report).toEqual({
      output: 'Cold.',
      steps: [
        {
          turn: expect.objectContaining({ toolCalls: [OSLO] }),
          calls: [OSLO],
          results: [
            {
              callId: OSLO.id,
              name: 'get_weather',
              args: { city: 'Oslo' },
              output: '{"city":"Oslo","temp_c":-2}',
              isError: false,
            },
          ],
        },
        { turn: expect.objectContaining({ toolCalls: [] }), calls: [], results: [] },
      ],
      usage: {},
      attempts: 2,
      stopReason: 'answer',
    });
    expect(provider.lastMessages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is Oslo?' },
      { role: 'assistant', content: '', toolCalls: [OSLO] },
      {
        role: 'tool',
        content: '{"city":"Oslo","temp_c":-2}',
        toolName: 'get_weather',
        toolCallId: OSLO.id,
      },
    ]);
  });

  test('makes one chat without tools and prompt', async () => {
    const { provider, agent } = setUp([says('Hi')], { tools: undefined });
    expect(await runAgent(agent, 'Hello')).toMatchObject({ output: 'Hi', stopReason: 'answer' });
    expect(provider.chats).toEqual([
      { tools: [], messages: [{ role: 'user', content: 'Hello' }], sampling: {} },
    ]);
  });

  test('answers as many calls as a reply may have', async () => {
    const count = 1_000;
    const many = Array.from({ length: count }, (_, index) => callOf('none', {}, `id_${index}`));
    const { provider, agent } = setUp([{ toolCalls: many }, says('Cold.')]);
    const report = await runAgent(agent, 'How is Oslo?');
    expect(report.steps[0]?.results).toHaveLength(count);
    expect(provider.lastMessages).toHaveLength(count + 2);
  });

  test('uses any object that can chat, such as a wrapper of a provider', async () => {
    const { provider, agent } = setUp([asks(OSLO), says('Cold.')]);
    const seen: string[] = [];
    const gated: AgentProvider = {
      hasRates: true,
      chat: async (options) => {
        seen.push(options.messages.at(-1)?.role ?? '');
        return provider.chat(options);
      },
    };
    const budget = { maxCostUsd: 1 };
    const report = await runAgent({ ...agent, provider: gated }, 'How is Oslo?');
    expect(report).toMatchObject({ output: 'Cold.', stopReason: 'answer' });
    expect(seen).toEqual(['user', 'tool']);
    await runAgent({ ...agent, provider: gated, budget }, 'How is Oslo?');
    await expect(
      runAgent({ ...agent, provider: { ...gated, hasRates: false }, budget }, 'How is Oslo?'),
    ).rejects.toMatchObject({ field: 'budget.maxCostUsd' });
  });

  test('returns a report that is JSON', async () => {
    const report = await runAgent(setUp([asks(OSLO), says('Cold.')]).agent, 'How is Oslo?');
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('merges the agent’s sampling over the provider’s; undefined overrides nothing', async () => {
    const provider = new ScriptedProvider([says('Hi')], { sampling: { temperature: 0, seed: 1, topP: 0.5 } });
    await runAgent({ provider, sampling: { temperature: 1, seed: undefined } }, 'Hello');
    expect(provider.chats[0]?.sampling).toEqual({ temperature: 1, seed: 1, topP: 0.5 });
  });

  test('runs the calls of one step concurrently, and adds their results in order', async () => {
    const started: string[] = [];
    let release = (): void => undefined;
    const bothStarted = new Promise<void>((resolve) => (release = resolve));
    const execute = async ({ city }: { city: string }): Promise<string> => {
      started.push(city);
      if (started.length === 2) release();
      // Ends only after the other has begun; the first one ends last.
      await bothStarted;
      for (let turn = 0; turn < (city === 'Oslo' ? 20 : 0); turn += 1) await Promise.resolve();
      started.push(`${city} ended`);
      return city;
    };
    const { provider, agent } = setUp([asks(OSLO, BERGEN), says('Cold.')], {
      tools: [{ ...WEATHER, execute }],
    });
    const { steps } = await runAgent(agent, 'How is it?');
    expect(started).toEqual(['Oslo', 'Bergen', 'Bergen ended', 'Oslo ended']);
    expect(steps[0]?.results.map(({ output }) => output)).toEqual(['Oslo', 'Bergen']);
    expect(provider.lastMessages.slice(-2)).toMatchObject([
      { role: 'tool', content: 'Oslo', toolCallId: OSLO.id },
      { role: 'tool', content: 'Bergen', toolCallId: BERGEN.id },
    ]);
  });

  test('sends invalid arguments, unknown tools and failing tools back to the model as errors', async () => {
    const broken = {
      ...WEATHER,
      name: 'broken',
      execute: (): never => {
        throw new Error('out of order');
      },
    };
    const calls = [
      callOf('get_weather', {}),
      callOf('no_such', {}),
      callOf('broken', { city: 'Oslo' }),
      { ...OSLO, arguments: '{"city' },
    ];
    const { provider, agent } = setUp([asks(...calls), says('Sorry.')], { tools: [WEATHER, broken] });
    expect(await runAgent(agent, 'Go')).toMatchObject({ output: 'Sorry.', stopReason: 'answer' });
    expect(provider.lastMessages.filter(({ role }) => role === 'tool')).toMatchObject([
      { isError: true, content: expect.stringContaining('/city is missing') },
      { isError: true, content: expect.stringContaining('no tool named no_such') },
      { isError: true, content: 'The tool broken failed: out of order' },
      { isError: true, content: expect.stringContaining('not a JSON object') },
    ]);
  });

  test('sends a result for the model’s own call, even if a hook replaced that call', async () => {
    const { provider, agent } = setUp([asks(callOf('weather', 'Oslo')), says('Cold.')], {
      hooks: { beforeTool: () => ({ name: 'get_weather', args: { city: 'Oslo' } }) },
    });
    const { steps } = await runAgent(agent, 'How is Oslo?');
    expect(steps[0]).toMatchObject({
      calls: [{ name: 'weather', arguments: 'Oslo' }],
      results: [{ name: 'get_weather', args: { city: 'Oslo' } }],
    });
    expect(provider.lastMessages.at(-1)).toMatchObject({ toolName: 'weather', toolCallId: 'id_weather' });
  });

  test('ends after ten steps, or after maxSteps', async () => {
    const endless = { ...asks(OSLO), content: 'Looking' };
    expect(await runAgent(setUp([endless]).agent, 'Go')).toMatchObject({
      output: 'Looking',
      stopReason: 'max-steps',
      attempts: 10,
    });
    const { provider, agent } = setUp([endless], { maxSteps: 2 });
    const { steps } = await runAgent(agent, 'Go');
    expect(provider.chats).toHaveLength(2);
    expect(steps.map(({ results }) => results.length)).toEqual([1, 1]);
    expect(await runAgent(setUp([says('Hi')], { maxSteps: 1 }).agent, 'Go')).toMatchObject({
      stopReason: 'answer',
    });
  });

  test('refuses invalid options before the first request', async () => {
    const { provider, agent } = setUp([says('Hi')]);
    const refuse = (source: object) => errorOf(runAgent(source, 'Hello'));
    expect(await refuse({ ...agent, budget: { maxCostUsd: 1 } })).toMatchObject({
      code: 'invalid-options',
      field: 'budget.maxCostUsd',
    });
    expect(await refuse({ ...agent, maxSteps: 0 })).toMatchObject({
      code: 'invalid-options',
      field: 'maxSteps',
    });
    expect(await refuse({ tools: [] })).toMatchObject({ code: 'invalid-options', field: 'agent' });
    expect(
      await refuse(
        class Plain {
          name = 'plain';
        },
      ),
    ).toMatchObject({ code: 'invalid-options', field: 'agent' });
    expect(provider.chats).toEqual([]);
  });
});

describe('an agent that is a class', () => {
  class Loud {
    count = 0;
    afterResponse(text: string): string {
      this.count += 1;
      return text.toUpperCase();
    }
  }

  test('has its methods as hooks, with a new instance per run or the given one', async () => {
    const provider = new ScriptedProvider([says('hi')]);
    Agent({ provider })(Loud);
    expect((await runAgent(Loud, 'Go')).output).toBe('HI');
    const instance = new Loud();
    await runAgent(instance, 'Go');
    await runAgent(instance, 'Go');
    expect(instance.count).toBe(2);
  });

  test('fails for a native call without a name, as nobody can tell which tool it calls', async () => {
    const call = { id: 'a', function: { name: '', arguments: '{"city":"Oslo"}' } };
    const message = { content: 'Let me look.', tool_calls: [call] };
    const body = { choices: [{ message, finish_reason: 'tool_calls' }] };
    await using server = await startServer((_, response) => sendJson(response, 200, body));
    const provider = new HostedApiProvider({ apiKey: 'k', host: server.url });
    expect(await errorOf(runAgent({ provider, tools: [WEATHER] }, 'Hello'))).toMatchObject({
      code: 'response-format',
      message: expect.stringMatching(/call without a name.*parser/),
      report: { stopReason: 'error', steps: [{ calls: [] }] },
    });
  });

  describe('a reply with counted tokens but no content', () => {
    const lost = { content: '', usage: { completionTokens: 7 } };

    test('makes the run fail, with the report', async () => {
      const { agent } = setUp([asks(OSLO), lost]);
      const error = await errorOf(runAgent(agent, 'Hello'));
      expect(error).toBeInstanceOf(RunStoppedError);
      expect(error).toMatchObject({
        code: 'response-format',
        message: expect.stringMatching(/wrote 7 tokens, but the reply is empty.*another template/),
        report: { stopReason: 'error', steps: [{ calls: [OSLO] }, { calls: [] }] },
      });
    });

    test('is passed to onError, whose value becomes the output', async () => {
      const { agent } = setUp([lost], { hooks: { onError: () => 'Ask again.' } });
      expect(await runAgent(agent, 'Hello')).toMatchObject({ output: 'Ask again.', stopReason: 'error' });
    });
  });

  describe('a reply that its service paused', () => {
    const PAUSED = {
      type: 'message',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      ],
      stop_reason: 'pause_turn',
      usage: { input_tokens: 3, output_tokens: 9 },
    };
    const ENDED = {
      type: 'message',
      content: [{ type: 'text', text: 'Cold.' }],
      stop_reason: 'end_turn',
      usage: {},
    };

    const runOn = async (replies: readonly object[], maxSteps = 5) => {
      await using server = await startServer((_, response, count) =>
        sendJson(response, 200, replies[count - 1] ?? replies.at(-1)),
      );
      const provider = new MessagesApiProvider({ host: server.url, apiKey: 'k', model: 'm', retry: false });
      const report = await runAgent({ provider, maxSteps }, 'Oslo?');
      const bodies = server.requests.map(({ body }) => (JSON.parse(body) as { messages: unknown }).messages);
      return { report, bodies };
    };

    test('is sent back as it is, and goes on in the next step', async () => {
      const { report, bodies } = await runOn([PAUSED, ENDED]);
      expect(report).toMatchObject({ output: 'Cold.', stopReason: 'answer' });
      expect(report.steps).toHaveLength(2);
      expect(bodies[1]).toEqual([
        { role: 'user', content: 'Oslo?' },
        { role: 'assistant', content: PAUSED.content },
      ]);
    });

    test('counts as a step of at most so many', async () => {
      const { report, bodies } = await runOn([PAUSED], 3);
      expect(report).toMatchObject({ output: '', stopReason: 'max-steps' });
      expect(bodies).toHaveLength(3);
    });
  });
});
