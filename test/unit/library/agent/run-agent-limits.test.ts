import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import type { AgentDefinition } from '../../../../src/library';
import { LocalHostProvider, runAgent } from '../../../../src/library';
import { startServer } from '../../../support/servers/http-server';
import type { ScriptedTurn } from './agent-fixtures';
import { asks, callOf, errorOf, hang, OSLO, says, ScriptedProvider, setUp, WEATHER } from './agent-fixtures';

describe('the budget of a run', () => {
  const PAID = { promptTokens: 600, completionTokens: 200 };
  const rates = { costPer1kTokens: { input: 0.5, output: 1 } };
  const endless = { ...asks(OSLO), content: 'Looking', usage: PAID };

  function spend(budget: AgentDefinition['budget'], turns: readonly ScriptedTurn[] = [endless]) {
    const provider = new ScriptedProvider(turns, rates);
    return { provider, run: () => runAgent({ provider, tools: [WEATHER], budget, maxSteps: 5 }, 'Go') };
  }

  test.each([
    [{ maxCostUsd: 1 }, 2],
    [{ maxCostUsd: 1.01 }, 3],
    [{ maxTokens: 800 }, 1],
    [{ maxTokens: 801 }, 2],
    [{ maxChatCalls: 2 }, 2],
    [{ maxToolCalls: 3 }, 3],
    [{ maxDurationMs: 0 }, 1],
  ])('is checked between steps with ≥: %j ends after %i', async (budget, count) => {
    const { provider, run } = spend(budget);
    const report = await run();
    expect(report).toMatchObject({ stopReason: 'budget', output: 'Looking' });
    expect(report.steps.map(({ results }) => results.length)).toEqual(Array(count).fill(1));
    expect(provider.chats).toHaveLength(count);
    expect(report.costUsd).toBeCloseTo(count * 0.5);
    expect(report.usage).toEqual({ promptTokens: 600 * count, completionTokens: 200 * count });
  });

  test('does not discard an answer that reaches it', async () => {
    const { run } = spend({ maxTokens: 1, mode: 'throw' }, [{ ...says('Hi'), usage: PAID }]);
    expect(await run()).toMatchObject({ stopReason: 'answer', output: 'Hi' });
  });

  test('ends the run after one step if its cost is unknown', async () => {
    expect(await spend({ maxCostUsd: 1 }, [asks(OSLO)]).run()).toMatchObject({
      stopReason: 'budget',
      attempts: 1,
    });
  });

  test('rejects with budget-exceeded and the report if its mode is throw, without onError', async () => {
    const provider = new ScriptedProvider([endless], rates);
    const onError = vi.fn<() => string>(() => 'Sorry');
    const budget = { maxChatCalls: 1, mode: 'throw' } as const;
    const running = runAgent({ provider, tools: [WEATHER], budget, hooks: { onError } }, 'Go');
    expect(await errorOf(running)).toMatchObject({
      name: 'RunStoppedError',
      code: 'budget-exceeded',
      message: expect.stringContaining('It used 1 chat calls of at most 1.'),
      report: { stopReason: 'budget', output: 'Looking', steps: [{ calls: [OSLO] }], costUsd: 0.5 },
    });
    expect(onError).not.toHaveBeenCalled();
  });

  test('does not add costUsd without rates', async () => {
    const { agent } = setUp([{ ...says('Hi'), usage: PAID }]);
    const report = await runAgent(agent, 'Go');
    expect(report).not.toHaveProperty('costUsd');
    expect(report.usage).toEqual(PAID);
  });
});

describe('an abort of a run', () => {
  test('rejects with aborted if it came before the start', async () => {
    const beforePrompt = vi.fn<() => void>();
    const { provider, agent } = setUp([says('Hi')], { hooks: { beforePrompt } });
    const signal = AbortSignal.abort('enough');
    expect(await errorOf(runAgent(agent, 'Go', { signal }))).toMatchObject({
      code: 'aborted',
      cause: 'enough',
      report: { steps: [], output: '', attempts: 0 },
    });
    expect(beforePrompt).not.toHaveBeenCalled();
    expect(provider.chats).toEqual([]);
  });

  test('aborts the running chat and closes its connection', async () => {
    const controller = new AbortController();
    let closed = (): void => undefined;
    const closing = new Promise<void>((resolve) => (closed = resolve));
    await using server = await startServer((_, response) => {
      response.on('close', closed);
      controller.abort();
    });
    const provider = new LocalHostProvider({ host: server.url, model: 'm' });
    const error = await errorOf(runAgent({ provider }, 'Go', { signal: controller.signal }));
    expect(error).toMatchObject({ name: 'RunStoppedError', code: 'aborted' });
    await closing;
  });

  test('rejects with the attempts, the exchange and the partial reply of that chat', async () => {
    const controller = new AbortController();
    const asked = { message: { content: '', tool_calls: [] }, done: true };
    const call = { function: { name: 'get_weather', arguments: { city: 'Oslo' } } };
    await using server = await startServer((_, response, count) => {
      if (count === 1) {
        response.end(JSON.stringify({ ...asked, message: { ...asked.message, tool_calls: [call] } }));
        return;
      }
      response.write('{"message":{"content":"It is "},"done":false}\n');
    });
    const provider = new LocalHostProvider({ host: server.url, model: 'm' });
    const options = {
      signal: controller.signal,
      onDelta: ({ content }: { content?: string | undefined }) => {
        if (content) controller.abort('enough');
      },
    };
    const agent = { provider, tools: [WEATHER] };
    const error = await errorOf(runAgent(agent, 'Go', options));
    expect(error).toMatchObject({
      name: 'RunStoppedError',
      code: 'aborted',
      attempts: 2,
      report: { attempts: 2, steps: [{ calls: [{ name: 'get_weather' }] }] },
      ledger: [{ decision: 'done' }, { endedBy: 'caller' }],
      partial: { content: 'It is ' },
      exchange: { request: { body: expect.stringContaining('"role":"tool"') } },
    });
  });

  test('aborts running tools and rejects with the results so far', async () => {
    const controller = new AbortController();
    const seen: boolean[] = [];
    const slow = {
      ...WEATHER,
      name: 'slow',
      execute: (_: unknown, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => seen.push(signal.aborted));
        return hang();
      },
    };
    const onError = vi.fn<() => string>(() => 'Sorry');
    const afterTool = (): void => void setImmediate(() => controller.abort());
    const { agent } = setUp([asks(callOf('slow', { city: 'Oslo' }), OSLO)], {
      tools: [slow, WEATHER],
      hooks: { onError, afterTool },
    });
    expect(await errorOf(runAgent(agent, 'Go', { signal: controller.signal }))).toMatchObject({
      code: 'aborted',
      report: { steps: [{ calls: [{ name: 'slow' }, OSLO], results: [{ callId: OSLO.id }] }], attempts: 1 },
    });
    expect(seen).toEqual([true]);
    expect(onError).not.toHaveBeenCalled();
  });

  test.each(['beforePrompt', 'beforeTool', 'afterTool', 'afterResponse', 'onStep', 'onError'] as const)(
    'does not wait for %s',
    async (name) => {
      const controller = new AbortController();
      const stall = (): Promise<never> => {
        setImmediate(() => controller.abort());
        return hang();
      };
      const last = name === 'onError' ? () => Promise.reject(new Error('down')) : says('Cold.');
      const { agent } = setUp([asks(OSLO), last], { hooks: { [name]: stall } });
      const error = await errorOf(runAgent(agent, 'Go', { signal: controller.signal }));
      expect(error).toMatchObject({ code: 'aborted' });
    },
  );

  test('uses one listener for many calls in many steps, without warnings', async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const listen = (warning: Error): number => warnings.push(warning);
    process.on('warning', listen);
    const counts = { run: 0, caller: 0, calls: 0 };
    const count = async (_: unknown, context: { signal: AbortSignal }): Promise<string> => {
      // Counted after all of them have begun.
      await new Promise((resolve) => setImmediate(resolve));
      counts.calls += 1;
      counts.run = Math.max(counts.run, getEventListeners(context.signal, 'abort').length);
      counts.caller = Math.max(counts.caller, getEventListeners(signal, 'abort').length);
      return 'cold';
    };
    const many = Array.from({ length: 200 }, (_, index) =>
      callOf('get_weather', { city: 'Oslo' }, `id_${index}`),
    );
    const turns = Array.from({ length: 20 }, () => asks(...many));
    const { agent } = setUp([...turns, says('Cold.')], {
      tools: [{ ...WEATHER, execute: count }],
      maxSteps: 21,
    });
    await runAgent(agent, 'Go', { signal });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
    expect(counts).toEqual({ run: 1, caller: 1, calls: 4000 });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('leaves no listeners on a signal that outlives many runs and calls', async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const listen = (warning: Error): number => warnings.push(warning);
    process.on('warning', listen);
    const many = Array.from({ length: 30 }, (_, index) =>
      callOf('get_weather', { city: 'Oslo' }, `id_${index}`),
    );
    const agents = Array.from({ length: 30 }, () => setUp([asks(...many), says('Cold.')]).agent);
    for (const agent of agents) await runAgent(agent, 'Go', { signal });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});
