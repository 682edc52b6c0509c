import { describe, expect, test, vi } from 'vitest';
import type { AgentHooks, AgentStep } from '../../../../src/library';
import { InvalidOptionsError, LocalHostProvider, runAgent } from '../../../../src/library';
import { startServer } from '../../../support/servers/http-server';
import { asks, callOf, errorOf, hang, OSLO, says, setUp, WEATHER } from './agent-fixtures';

const BERGEN = callOf('get_weather', { city: 'Bergen' }, 'id_bergen');

describe('the hooks of a run', () => {
  test('replace the input in beforePrompt and the answer in afterResponse', async () => {
    const { provider, agent } = setUp([says('hi')], {
      hooks: {
        beforePrompt: (text) => `${text}!`,
        afterResponse: async (text) => text.toUpperCase(),
      },
    });
    expect((await runAgent(agent, 'Hello')).output).toBe('HI');
    expect(provider.lastMessages).toEqual([{ role: 'user', content: 'Hello!' }]);
  });

  test('keep the text when they return undefined, and replace it with an empty text when they return one', async () => {
    const keep = setUp([says('hi')], { hooks: { beforePrompt: () => undefined, afterResponse: () => {} } });
    expect((await runAgent(keep.agent, 'Hello')).output).toBe('hi');
    expect(keep.provider.lastMessages).toEqual([{ role: 'user', content: 'Hello' }]);
    const empty = setUp([says('hi')], { hooks: { beforePrompt: () => '', afterResponse: () => '' } });
    expect((await runAgent(empty.agent, 'Hello')).output).toBe('');
    expect(empty.provider.lastMessages).toEqual([{ role: 'user', content: '' }]);
  });

  test('do not run afterResponse for text beside calls', async () => {
    const afterResponse = vi.fn<(text: string) => string>(() => 'replaced');
    const { agent } = setUp([{ ...asks(OSLO), content: 'Looking' }], {
      maxSteps: 1,
      hooks: { afterResponse },
    });
    expect((await runAgent(agent, 'Go')).output).toBe('Looking');
    expect(afterResponse).not.toHaveBeenCalled();
  });

  test('turn a vetoed call into an error result, while other calls run', async () => {
    const beforeTool: AgentHooks['beforeTool'] = ({ args }) => {
      if (JSON.stringify(args).includes('Oslo')) throw new Error('not Oslo');
    };
    const { provider, agent } = setUp([asks(OSLO, BERGEN), says('Ok.')], { hooks: { beforeTool } });
    await runAgent(agent, 'Go');
    expect(provider.lastMessages.slice(-2)).toMatchObject([
      { content: 'The call of get_weather was refused: not Oslo', isError: true },
      { content: '{"city":"Bergen","temp_c":-2}' },
    ]);
    expect(provider.lastMessages.at(-1)).not.toHaveProperty('isError');
  });

  test('determine in afterTool what the model reads', async () => {
    const { provider, agent } = setUp([asks(OSLO), says('Ok.')], { hooks: { afterTool: () => 'sunny' } });
    const { steps } = await runAgent(agent, 'Go');
    expect(provider.lastMessages.at(-1)?.content).toBe('sunny');
    expect(steps[0]?.results[0]?.output).toBe('sunny');
  });

  test.each([undefined, null])('keep the original by returning %s', async (nothing) => {
    const names = ['beforePrompt', 'beforeTool', 'afterTool', 'afterResponse'] as const;
    const hooks = Object.fromEntries(names.map((name) => [name, () => nothing]));
    const turns = [asks(OSLO), says('Cold.')];
    const plain = setUp(turns);
    const hooked = setUp(turns, { hooks });
    const [expected, report] = [await runAgent(plain.agent, 'Go'), await runAgent(hooked.agent, 'Go')];
    expect(hooked.provider.lastMessages).toEqual(plain.provider.lastMessages);
    expect(report.output).toBe(expected.output);
  });

  test.each([1, true, {}, [], Symbol('x'), { name: 7 }, { name: undefined, args: undefined }])(
    'keep texts and calls by returning %o, as a hook that only logs may',
    async (logged) => {
      const names = ['beforePrompt', 'beforeTool', 'afterResponse'] as const;
      const hooks = Object.fromEntries(names.map((name) => [name, () => logged]));
      const { provider, agent } = setUp([asks(OSLO), says('Cold.')], { hooks });
      const { output, steps } = await runAgent(agent, 'Go');
      expect(provider.chats[0]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'Go' });
      expect(steps[0]?.results).toMatchObject([{ name: OSLO.name, args: OSLO.arguments, isError: false }]);
      expect(output).toBe('Cold.');
    },
  );

  test('get each finished step in onStep, which the run waits for', async () => {
    const seen: [AgentStep, number][] = [];
    const { provider, agent } = setUp([asks(OSLO), says('Cold.')], {
      hooks: {
        onStep: async (step) => {
          await new Promise((resolve) => setImmediate(resolve));
          seen.push([step, provider.chats.length]);
        },
      },
    });
    const { steps } = await runAgent(agent, 'Go');
    expect(seen.map(([step]) => step)).toEqual(steps);
    expect(seen.map(([, chats]) => chats)).toEqual([1, 2]);
    expect(seen[0]?.[0].results).toHaveLength(1);
  });

  test('are called as methods of their object', async () => {
    class Shout {
      readonly mark = '!!';
      afterResponse(text: string): string {
        return text + this.mark;
      }
    }
    expect((await runAgent(setUp([says('Hi')], { hooks: new Shout() }).agent, 'Go')).output).toBe('Hi!!');
  });
});

describe('a run that fails', () => {
  const fail = async (): Promise<never> => {
    throw new RangeError('bad reply');
  };

  test('rejects with the error of the chat', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(404).end('{"error":"no such"}'),
    );
    const provider = new LocalHostProvider({ host: server.url, model: 'm' });
    expect(await errorOf(runAgent({ provider }, 'Go'))).toMatchObject({
      code: 'http',
      status: 404,
      attempts: 1,
    });
  });

  test('resolves with the result of onError, and the steps and attempts so far', async () => {
    const errors: unknown[] = [];
    const { agent } = setUp([asks(OSLO), fail], {
      hooks: {
        onError: async (error) => {
          errors.push(error);
          return 'Sorry';
        },
      },
    });
    const report = await runAgent(agent, 'Go');
    expect(report).toMatchObject({ output: 'Sorry', stopReason: 'error', steps: [{ calls: [OSLO] }] });
    expect(errors).toMatchObject([{ code: 'response-format' }]);
  });

  test('counts the attempts of the failed chat', async () => {
    await using server = await startServer((_, response) => response.writeHead(503).end());
    const provider = new LocalHostProvider({ host: server.url, model: 'm', retry: { initialDelayMs: 1 } });
    const report = await runAgent({ provider, hooks: { onError: () => 'Sorry' } }, 'Go');
    expect(report).toMatchObject({ attempts: 3, steps: [] });
  });

  test.each<[string, object]>([
    ['options', [] as object],
    ['signal', { signal: 'abc' }],
    ['onDelta', { onDelta: 5 }],
    ['onProgress', { onProgress: null }],
  ])('rejects with an error about invalid options without calling onError: %s', async (field, options) => {
    const onError = vi.fn<() => string>(() => 'Sorry');
    const { provider, agent } = setUp([says('Hi')], { hooks: { onError } });
    expect(await errorOf(runAgent(agent, 'Go', options))).toMatchObject({ code: 'invalid-options', field });
    expect(onError).not.toHaveBeenCalled();
    expect(provider.chats).toEqual([]);
  });

  test('rejects with an error about invalid options of a chat, without calling onError', async () => {
    const onError = vi.fn<() => string>(() => 'Sorry');
    const provider = {
      hasRates: false,
      chat: () => Promise.reject(new InvalidOptionsError('model', 'is missing')),
    };
    expect(await errorOf(runAgent({ provider, hooks: { onError } }, 'Go'))).toMatchObject({ field: 'model' });
    expect(onError).not.toHaveBeenCalled();
  });

  test.each([null, 1, ['error']])('rejects with the same error if onError returns %j', async (returned) => {
    const { agent } = setUp([fail], { hooks: { onError: () => returned as unknown as string } });
    expect(await errorOf(runAgent(agent, 'Go'))).toMatchObject({ code: 'response-format' });
  });

  test('rejects with the same error if onError returns undefined, otherwise with what onError throws', async () => {
    const keep = setUp([fail], { hooks: { onError: () => undefined } });
    expect(await errorOf(runAgent(keep.agent, 'Go'))).toMatchObject({ code: 'response-format' });
    const rethrow = setUp([fail], { hooks: { onError: () => Promise.reject(new Error('mine')) } });
    expect(await errorOf(runAgent(rethrow.agent, 'Go'))).toMatchObject({ message: 'mine' });
  });

  test.each(['beforePrompt', 'afterTool', 'afterResponse', 'onStep'] as const)(
    'also passes an exception of %s to onError',
    async (name) => {
      const broken = (): never => {
        throw new TypeError('broken hook');
      };
      const turns = [asks(OSLO), says('Cold.')];
      const bare = setUp(turns, { hooks: { [name]: broken } });
      expect(await errorOf(runAgent(bare.agent, 'Go'))).toMatchObject({ message: 'broken hook' });
      const caught = setUp(turns, { hooks: { [name]: broken, onError: String } });
      expect(await runAgent(caught.agent, 'Go')).toMatchObject({
        output: 'TypeError: broken hook',
        stopReason: 'error',
      });
    },
  );

  test('aborts running tools', async () => {
    const signals: AbortSignal[] = [];
    const tools = [
      {
        ...WEATHER,
        name: 'slow',
        execute: (_: unknown, { signal }: { signal: AbortSignal }) => (signals.push(signal), hang()),
      },
      WEATHER,
    ];
    const afterTool = (): never => {
      throw new Error('broken hook');
    };
    const { agent } = setUp([asks(callOf('slow', { city: 'Oslo' }), OSLO)], { tools, hooks: { afterTool } });
    await expect(runAgent(agent, 'Go')).rejects.toThrow('broken hook');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
