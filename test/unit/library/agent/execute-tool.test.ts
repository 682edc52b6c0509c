import { describe, expect, test } from 'vitest';
import type { AgentHooks, AgentTool, ProviderToolCall } from '../../../../src/library';
import { executeTool } from '../../../../src/library/agent/execute-tool';
import { callOf, hang, OSLO, WEATHER } from './agent-fixtures';

const run = (
  call: ProviderToolCall,
  tools: AgentTool[] = [WEATHER],
  hooks: AgentHooks = {},
  signal = new AbortController().signal,
) => executeTool(call, { tools, hooks, signal }, 0);

const toolThat = (execute: AgentTool['execute']): AgentTool => ({ ...WEATHER, execute });

describe('executeTool', () => {
  test('returns text unchanged, anything else as JSON, and undefined as an empty text', async () => {
    const outputOf = async (value: unknown): Promise<string> =>
      (await run(OSLO, [toolThat(() => value)])).output;
    expect(await outputOf('−2 °C\n')).toBe('−2 °C\n');
    expect(await outputOf('')).toBe('');
    expect(await outputOf({ temp_c: -2 })).toBe('{"temp_c":-2}');
    expect(await outputOf([1, null])).toBe('[1,null]');
    expect(await outputOf(null)).toBe('null');
    expect(await outputOf(false)).toBe('false');
    expect(await outputOf(undefined)).toBe('');
    expect(await outputOf(Promise.resolve('later'))).toBe('later');
  });

  test('passes the arguments, the signal and the id of the call to the tool', async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const result = await run(
      callOf('get_weather', { city: 'Oslo' }, 'call_7'),
      [toolThat((args, context) => seen.push(args, context))],
      {},
      signal,
    );
    expect(seen).toEqual([{ city: 'Oslo' }, { signal, callId: 'call_7', index: 0 }]);
    expect(result).toEqual({
      callId: 'call_7',
      name: 'get_weather',
      args: { city: 'Oslo' },
      output: '2',
      isError: false,
    });
  });

  test('calls execute as a method of its tool', async () => {
    const tool = {
      ...WEATHER,
      unit: 'celsius',
      execute(): string {
        return this.unit;
      },
    };
    expect(await run(OSLO, [tool])).toMatchObject({ output: 'celsius' });
  });

  test.each<[string, unknown, string]>([
    ['a missing argument', {}, 'The arguments of get_weather do not fit its parameters: /city is missing.'],
    [
      'an argument of the wrong type',
      { city: 'Oslo', days: 'two' },
      'The arguments of get_weather do not fit its parameters: /days is text; the schema requires an integer.',
    ],
    [
      'a list',
      ['Oslo'],
      'The arguments of get_weather do not fit its parameters: the value is a list; the schema requires an object.',
    ],
    [
      'null',
      null,
      'The arguments of get_weather do not fit its parameters: the value is null; the schema requires an object.',
    ],
    [
      'text that could not be parsed',
      '{"city": "Os',
      'The arguments of get_weather are text that is not a JSON object: {"city": "Os',
    ],
    [
      'an object that was encoded twice',
      '{"city":"Oslo"}',
      'The arguments of get_weather are a text with the JSON of an object, because it was encoded twice. Give the object itself: {"city":"Oslo"}',
    ],
    [
      'an object that is nested too deep',
      `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
      `The arguments of get_weather are nested deeper than 128 levels: ${'{"a":'.repeat(40)}…`,
    ],
  ])('explains invalid arguments to the model in one sentence: %s', async (_, args, output) => {
    let runs = 0;
    const result = await run(callOf('get_weather', args), [toolThat(() => (runs += 1))]);
    expect(result).toMatchObject({ args, output, isError: true });
    expect(runs).toBe(0);
  });

  test('quotes only the beginning of a long text that could not be parsed', async () => {
    const { output } = await run(callOf('get_weather', 'x'.repeat(10_000)));
    expect(output.length).toBeLessThan(300);
    expect(output).toMatch(/x…$/);
  });

  test('checks against a schema that returns its JSON Schema on request', async () => {
    const tool = { ...WEATHER, parameters: { toJSONSchema: () => WEATHER.parameters } };
    expect(await run(callOf('get_weather', {}), [tool])).toMatchObject({ isError: true });
    expect(await run(OSLO, [tool])).toMatchObject({ isError: false });
  });

  test('tells the model that a tool is unknown, and lists the existing ones', async () => {
    const call = callOf('get_wether', { city: 'Oslo' });
    expect(await run(call)).toMatchObject({
      name: 'get_wether',
      output: 'There is no tool named get_wether; the tools are get_weather.',
      isError: true,
    });
    expect(await run(call, [])).toMatchObject({
      output: 'There is no tool named get_wether; no tool is offered.',
    });
  });

  test('tells the model that a tool failed, whatever it threw', async () => {
    const outputOf = (execute: AgentTool['execute']) => run(OSLO, [toolThat(execute)]);
    const sync = (): never => {
      throw new Error('no such city');
    };
    expect(await outputOf(sync)).toMatchObject({
      output: 'The tool get_weather failed: no such city',
      isError: true,
    });
    expect(await outputOf(() => Promise.reject(new RangeError()))).toMatchObject({
      output: 'The tool get_weather failed: RangeError',
    });
    expect(await outputOf(() => 1n)).toMatchObject({ output: expect.stringMatching(/failed: .*BigInt/) });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    for (const [thrown, reason] of [
      [Object.assign(Object.create(null), { code: 404 }), '{"code":404}'],
      [{ status: 'gone' }, '{"status":"gone"}'],
      [circular, 'an object that is not an error'],
      [Symbol('x'), 'Symbol(x)'],
      [undefined, 'undefined'],
    ] as const) {
      expect(await outputOf(() => Promise.reject(thrown as Error))).toMatchObject({
        output: `The tool get_weather failed: ${reason}`,
        isError: true,
      });
    }
    expect(await outputOf(undefined)).toMatchObject({
      output: 'The tool get_weather cannot be run here.',
      isError: true,
    });
  });

  test('does not change the model’s arguments when a tool changes its own', async () => {
    const call = callOf('get_weather', { city: 'oslo' });
    await run(call, [toolThat((args: { city: string }) => (args.city = 'Oslo'))]);
    expect(call.arguments).toEqual({ city: 'oslo' });
  });

  test('checks and runs a new call returned by beforeTool', async () => {
    const rename: AgentHooks = { beforeTool: () => ({ name: 'get_weather', args: { city: 'Bergen' } }) };
    expect(await run(callOf('weather', 'Bergen'), [WEATHER], rename)).toMatchObject({
      name: 'get_weather',
      args: { city: 'Bergen' },
      output: '{"city":"Bergen","temp_c":-2}',
      isError: false,
    });
    const spoil: AgentHooks = { beforeTool: async ({ name }) => ({ name, args: {} }) };
    expect(await run(OSLO, [WEATHER], spoil)).toMatchObject({ isError: true });
  });

  test('passes the neutral call and the context to beforeTool; undefined keeps the call', async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const result = await run(OSLO, [WEATHER], { beforeTool: (...all) => void seen.push(...all) }, signal);
    expect(seen).toEqual([
      { name: 'get_weather', args: { city: 'Oslo' } },
      { signal, callId: OSLO.id, index: 0 },
    ]);
    expect(result).toMatchObject({ args: { city: 'Oslo' }, isError: false });
  });

  test('vetoes the call when beforeTool throws, and tells the model the reason', async () => {
    let runs = 0;
    const beforeTool = (): Promise<never> => Promise.reject(new Error('not on Sundays'));
    const result = await run(OSLO, [toolThat(() => (runs += 1))], { beforeTool });
    expect(runs).toBe(0);
    expect(result).toMatchObject({
      output: 'The call of get_weather was refused: not on Sundays',
      isError: true,
    });
  });

  test('passes the observation to afterTool, which may replace it', async () => {
    const seen: unknown[] = [];
    const runWithAfterTool = (afterTool: AgentHooks['afterTool'], args: unknown = { city: 'Oslo' }) =>
      run(callOf('get_weather', args), [toolThat(() => 'cold')], { afterTool });
    expect(await runWithAfterTool((observation) => void seen.push(observation))).toMatchObject({
      output: 'cold',
    });
    expect(seen).toEqual([{ name: 'get_weather', args: { city: 'Oslo' }, output: 'cold', isError: false }]);
    expect(await runWithAfterTool(({ output }) => `very ${output}`)).toMatchObject({
      output: 'very cold',
      isError: false,
    });
    expect(await runWithAfterTool(async () => '')).toMatchObject({ output: '' });
    expect(await runWithAfterTool(() => ({ output: 'too cold', isError: true }))).toMatchObject({
      output: 'too cold',
      isError: true,
    });
    expect(await runWithAfterTool(({ isError }) => `error: ${isError}`, {})).toMatchObject({
      output: 'error: true',
      isError: true,
    });
  });

  test('rejects with the error of afterTool', async () => {
    const afterTool = (): never => {
      throw new TypeError('broken hook');
    };
    await expect(run(OSLO, [WEATHER], { afterTool })).rejects.toThrow('broken hook');
  });

  test.each<[string, AgentHooks, AgentTool['execute']]>([
    ['beforeTool', { beforeTool: hang }, () => 'done'],
    ['the tool', {}, hang],
    ['afterTool', { afterTool: hang }, () => 'done'],
  ])('ends at once when it is aborted during %s', async (_, hooks, execute) => {
    const controller = new AbortController();
    const running = run(OSLO, [toolThat(execute)], hooks, controller.signal);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  test('starts no tool after an abort, even if beforeTool finishes', async () => {
    const controller = new AbortController();
    let runs = 0;
    const beforeTool = async (): Promise<void> => controller.abort(new Error('enough'));
    const running = run(OSLO, [toolThat(() => (runs += 1))], { beforeTool }, controller.signal);
    await expect(running).rejects.toThrow('enough');
    await Promise.resolve();
    expect(runs).toBe(0);
  });

  test('tells the model that arguments cannot be copied, without running the tool', async () => {
    let ran = 0;
    const result = await run(callOf('get_weather', { city: () => 'Oslo' }), [toolThat(() => (ran += 1))]);
    expect(result).toMatchObject({
      args: {},
      isError: true,
      output: expect.stringContaining('not a JSON value'),
    });
    expect(ran).toBe(0);
  });
});
