import { describe, expect, test } from 'vitest';
import type { AgentTool } from '../../../../src/library';
import { answerCalls } from '../../../../src/library';
import { callOf, errorOf, hang, OSLO, WEATHER } from './agent-fixtures';

const BERGEN = callOf('get_weather', { city: 'Bergen' }, OSLO.id);

describe('answerCalls', () => {
  test('returns a result for each call in their order, also for unknown, refused and failed ones', async () => {
    const broken: AgentTool = { ...WEATHER, name: 'broken', execute: () => Promise.reject(new Error('off')) };
    const calls = [callOf('gone', {}), callOf('get_weather', {}), callOf('broken', { city: 'Oslo' }), OSLO];
    const results = await answerCalls(calls, { tools: [WEATHER, broken] });
    expect(results.map(({ name, isError }) => [name, isError])).toEqual([
      ['gone', true],
      ['get_weather', true],
      ['broken', true],
      ['get_weather', false],
    ]);
    expect(await answerCalls([])).toEqual([]);
  });

  test('runs the calls at once, and tells two with the same id apart by their index', async () => {
    const seen: [number, string][] = [];
    let release = (): void => undefined;
    const first = new Promise<void>((resolve) => (release = resolve));
    const tool: AgentTool = {
      ...WEATHER,
      execute: async ({ city }: { city: string }, { index }) => {
        seen.push([index, city]);
        if (index === 0) await first;
        else release();
        return city;
      },
    };
    const arrived: number[] = [];
    const results = await answerCalls([OSLO, BERGEN], {
      tools: [tool],
      onResult: (_result, index) => void arrived.push(index),
    });
    expect(seen).toEqual([
      [0, 'Oslo'],
      [1, 'Bergen'],
    ]);
    expect(arrived).toEqual([1, 0]);
    expect(results.map(({ output }) => output)).toEqual(['Oslo', 'Bergen']);
  });

  test('calls beforeTool for all calls before a tool is run, and returns what afterTool made of the result', async () => {
    const events: string[] = [];
    const tool: AgentTool = { ...WEATHER, execute: () => void events.push('tool') };
    const results = await answerCalls([OSLO, BERGEN], {
      tools: [tool],
      hooks: {
        beforeTool: (_call, { index }) => void events.push(`before ${index}`),
        afterTool: (_observation, { index }) => `result ${index}`,
      },
    });
    expect(events).toEqual(['before 0', 'before 1', 'tool', 'tool']);
    expect(results.map(({ output }) => output)).toEqual(['result 0', 'result 1']);
  });

  test('rejects with the reason of an abort; the results so far were reported', async () => {
    const controller = new AbortController();
    const reported: string[] = [];
    const tools: AgentTool[] = [WEATHER, { ...WEATHER, name: 'hang', execute: hang }];
    const running = answerCalls([OSLO, callOf('hang', { city: 'Oslo' })], {
      tools,
      signal: controller.signal,
      onResult: ({ name }) => {
        reported.push(name);
        controller.abort(new Error('enough'));
      },
    });
    expect(await errorOf(running)).toEqual(new Error('enough'));
    expect(reported).toEqual(['get_weather']);
  });

  test('rejects with what afterTool threw, and for wrong options', async () => {
    const afterTool = (): never => {
      throw new Error('hook');
    };
    expect(await errorOf(answerCalls([OSLO], { tools: [WEATHER], hooks: { afterTool } }))).toEqual(
      new Error('hook'),
    );
    const wrong = { code: 'invalid-options' };
    await expect(answerCalls([], { tools: {} as AgentTool[] })).rejects.toMatchObject(wrong);
    await expect(answerCalls([], { signal: {} as AbortSignal })).rejects.toMatchObject(wrong);
    await expect(answerCalls([], { hooks: { afterTool: 1 as never } })).rejects.toMatchObject(wrong);
  });
});
