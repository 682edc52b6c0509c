import { describe, expect, test } from 'vitest';
import type { ToolMock } from '../../../../src/protocol';
import { CallAnswers } from '../../../../src/session/run/answer-calls';
import type { TurnToAnswer } from '../../../../src/session/run/answer-calls';
import type { ToolSource } from '../../../../src/session';
import type { ToolAnswer } from '../../../../src/session/conversation/transcript';
import { FakeClock } from '../../../support/fake-clock';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function open(
  mocks: Record<string, ToolMock[]>,
  { tools, ask }: { tools?: ToolSource; ask?: TurnToAnswer['ask'] } = {},
) {
  const clock = new FakeClock();
  const reported: [string, ToolAnswer][] = [];
  const source = tools ?? {
    resolve: () => Promise.resolve('There is none.'),
    invoke: () => Promise.reject(new Error('It was not confirmed.')),
    onDidChange: () => () => undefined,
  };
  const parameters = { type: 'object' };
  const offered = Object.entries(mocks).map(([name, own]) => ({
    name,
    parameters,
    offered: true,
    mocks: own,
  }));
  const answers = new CallAnswers({ tools: source, clock }, offered);
  const controller = new AbortController();
  let count = 0;
  /** Answers a reply with one call. @returns what the model gets */
  const call = async (name: string, args: unknown = {}): Promise<object | undefined> => {
    const id = `c${++count}`;
    let given: ToolAnswer | undefined;
    await answers.answer({
      calls: [{ id, name, arguments: args, source: 'native' }],
      signal: controller.signal,
      ask: ask ?? (() => Promise.reject(new Error('Nobody is there.'))),
      onAnswer: (_index, answer) => {
        given = answer;
        reported.push([id, answer]);
      },
    });
    return given && { output: given.content, isError: given.isError };
  };
  return { answers, call, clock, controller, reported };
}

describe('CallAnswers', () => {
  test('returns the result of a mock: text unchanged, anything else as JSON, an error with its message', async () => {
    const { call, reported } = open({
      text: [{ result: 'mild' }],
      json: [{ result: { temp_c: -2 } }],
      bad: [{ error: 'station is offline' }],
    });
    expect(await call('text')).toEqual({ output: 'mild', isError: false });
    expect(await call('json')).toEqual({ output: '{"temp_c":-2}', isError: false });
    expect(await call('bad')).toEqual({ output: 'station is offline', isError: true });
    expect(reported.map(([id, { source }]) => [id, source])).toEqual([
      ['c1', 'mock'],
      ['c2', 'mock'],
      ['c3', 'mock'],
    ]);
  });

  test('counts calls per tool', async () => {
    const second = [{ call: 2, result: 'second' }, { result: 'other' }];
    const { call } = open({ one: second, two: second });
    const outputs = [
      await call('one'),
      await call('two'),
      await call('one'),
      await call('one'),
      await call('two'),
    ];
    expect(outputs.map((output) => (output as { output: string }).output)).toEqual([
      'other',
      'other',
      'second',
      'other',
      'second',
    ]);
  });

  test('returns an error with the reason if no mock matches', async () => {
    const { call, reported } = open({ t: [{ when: { city: 'Bergen' }, result: 1 }], none: [] });
    expect(await call('t', { city: 'Oslo' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('"Bergen"'),
    });
    expect(await call('none')).toMatchObject({
      isError: true,
      output: expect.stringContaining('has no mock'),
    });
    expect(reported.map(([, { source }]) => source)).toEqual(['refused', 'refused']);
  });

  test('keeps the library’s message for a call that did not reach a mock', async () => {
    const { call, reported } = open({ look: [{ result: 1 }] });
    await call('rm');
    expect(reported).toEqual([
      ['c1', { content: 'There is no tool named rm; the tools are look.', isError: true, source: 'refused' }],
    ]);
  });

  test('waits for the delay of a mock; an abort ends the wait at once', async () => {
    const { call, clock, controller, reported } = open({ t: [{ result: 'late', delayMs: 500 }] });
    const first = call('t');
    await settle();
    clock.advance(499);
    await settle();
    expect(reported).toEqual([]);
    clock.advance(1);
    expect(await first).toEqual({ output: 'late', isError: false });
    const second = call('t');
    await settle();
    controller.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    expect(clock.pending).toBe(0);
    expect(reported).toHaveLength(1);
    // Aborted before the wait began.
    await expect(call('t')).rejects.toThrow('stopped');
    expect(clock.pending).toBe(0);
  });

  test('waits for the user’s result for a mock that asks', async () => {
    const { call, reported } = open(
      { t: [{ ask: true }] },
      { ask: (index) => Promise.resolve({ content: `by hand ${index}`, isError: true, source: 'given' }) },
    );
    expect(await call('t')).toEqual({ output: 'by hand 0', isError: true });
    expect(reported).toEqual([['c1', { content: 'by hand 0', isError: true, source: 'given' }]]);
  });

  test('runs a tool of the editor; its error or the user’s refusal is a result, too', async () => {
    const ran: unknown[] = [];
    const declined = Object.assign(new Error('It was not confirmed.'), { name: 'CallRefusedError' });
    const failures = [new Error('It is broken.'), declined];
    const invoke = (name: string, args: unknown): Promise<string> => {
      ran.push([name, args]);
      return ran.length === 1 ? Promise.resolve('ran') : Promise.reject(failures.shift() ?? new Error());
    };
    const source = { resolve: () => Promise.resolve(''), invoke, onDidChange: () => () => undefined };
    const { call, reported } = open({ t: [{ invoke: true }] }, { tools: source });
    expect(await call('t', { a: 1 })).toEqual({ output: 'ran', isError: false });
    expect(await call('t')).toEqual({ output: 'It is broken.', isError: true });
    expect(await call('t')).toEqual({ output: 'It was not confirmed.', isError: true });
    expect(ran[0]).toEqual(['t', { a: 1 }]);
    expect(reported.map(([, { source: from }]) => from)).toEqual(['invoked', 'invoked', 'refused']);
  });

  test('is aborted while a tool of the editor runs, without a result', async () => {
    const invoke = (_name: string, _args: unknown, signal: AbortSignal): Promise<string> =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('tool'))));
    const source = { resolve: () => Promise.resolve(''), invoke, onDidChange: () => () => undefined };
    const { call, controller, reported } = open({ t: [{ invoke: true }] }, { tools: source });
    const running = call('t');
    await settle();
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(reported).toEqual([]);
  });
});
