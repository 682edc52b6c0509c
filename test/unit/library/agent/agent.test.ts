import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { Agent } from '../../../../src/library';
import { resolveAgent } from '../../../../src/library/agent/agent';
import { says, ScriptedProvider } from './agent-fixtures';

const provider = new ScriptedProvider([says('Hi')]);

class Weather {
  beforePrompt(text: string): string {
    return text;
  }
}
class Plain {
  readonly name = 'plain';
}

/** The context that the decorator syntax passes with the class. */
const CONTEXT: ClassDecoratorContext<typeof Weather> = {
  kind: 'class',
  name: 'Weather',
  addInitializer: () => undefined,
  metadata: {},
};

/** Bundles and runs a program, because the test runner does not compile decorators. */
async function runProgram(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // The HTTP client is loaded with the first request, and no request is sent here.
    external: ['*/dispatcher'],
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  return execFileSync(process.execPath, ['--input-type=module'], { input: code, encoding: 'utf8' });
}

describe('Agent', () => {
  test('is a standard class decorator that does not replace the class', () => {
    expect(Agent({ provider, maxSteps: 3 })(Weather, CONTEXT)).toBeUndefined();
    const definition = resolveAgent(Weather);
    expect(definition).toEqual({ provider, maxSteps: 3, hooks: expect.any(Weather) });
  });

  test('works with decorator syntax, for the class and for an instance', async () => {
    const printed = await runProgram(`
      import { runAgent } from '../../../../src/library';
      import { Weather } from './weather-agent';
      const report = await runAgent(Weather, 'How is Oslo?');
      const { steps } = await runAgent(new Weather(), 'And now?');
      console.log(JSON.stringify([report.output, report.stopReason, steps.length]));
    `);
    const log = 'id_get_weather get_weather, {"city":"Oslo","temp_c":-2} false';
    expect(JSON.parse(printed)).toEqual([`It is cold. (${log})`, 'answer', 1]);
  });
});

describe('resolveAgent', () => {
  test('uses an instance as its hooks, and creates a new one each time for a class', () => {
    Agent({ provider })(Weather);
    const instance = new Weather();
    expect(resolveAgent(instance).hooks).toBe(instance);
    expect(resolveAgent(Weather).hooks).not.toBe(resolveAgent(Weather).hooks);
  });

  test('accepts a subclass of an agent, whose own decorator wins', () => {
    class Nordic extends Weather {}
    class Limited extends Weather {}
    Agent({ provider, maxSteps: 5 })(Weather);
    Agent({ provider, maxSteps: 1 })(Limited);
    expect(resolveAgent(Nordic)).toMatchObject({ maxSteps: 5, hooks: expect.any(Nordic) });
    expect(resolveAgent(new Limited())).toMatchObject({ maxSteps: 1 });
  });

  test('returns a definition unchanged', () => {
    const definition = { provider, hooks: { beforePrompt: () => 'Hi' } };
    expect(resolveAgent(definition)).toBe(definition);
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'agent'],
    ['a list', [{ provider }]],
    ['a definition whose provider is null', { provider: null }],
    ['a class without the decorator', Plain],
    ['an instance of a class without the decorator', new Plain()],
    ['a definition whose provider cannot chat', { provider: {} }],
  ])('refuses %s', (_, agent) => {
    expect(() => resolveAgent(agent as typeof Weather)).toThrow(
      expect.objectContaining({ code: 'invalid-options', field: 'agent' }),
    );
  });

  test('refuses a class whose decorator was given no provider', () => {
    class Empty {
      readonly name = 'empty';
    }
    Reflect.apply(Agent, undefined, [{}])(Empty);
    expect(() => resolveAgent(Empty)).toThrow(
      expect.objectContaining({ code: 'invalid-options', field: 'agent' }),
    );
  });

  test.each<[string, object]>([
    ['sampling', { sampling: 5 }],
    ['sampling.seed', { sampling: { seed: '5' } }],
    ['tools', { tools: null }],
    ['tools', { tools: 'all' }],
    ['tools', { tools: [null] }],
    ['tools[1].name', { tools: [{ name: 'f', parameters: {} }, { parameters: {} }] }],
    ['prompt', { prompt: 5 }],
    ['prompt', { prompt: null }],
    ['hooks', { hooks: 'all' }],
    ['hooks.beforeTool', { hooks: { beforeTool: 'ask' } }],
    ['hooks.onStep', { hooks: { onStep: {} } }],
  ])('refuses an invalid %s: %o', (field, options) => {
    expect(() => resolveAgent({ provider, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid-options', field }),
    );
  });

  test('accepts null as a hook, as undefined', () => {
    const hooks = { beforeTool: null, onStep: undefined } as object;
    expect(resolveAgent({ provider, hooks }).hooks).toBe(hooks);
  });

  test.each([0, 1.5, Number.NaN])('refuses %d steps', (maxSteps) => {
    expect(() => resolveAgent({ provider, maxSteps })).toThrow(
      expect.objectContaining({ code: 'invalid-options', field: 'maxSteps' }),
    );
  });
});
