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

/** What the decorator syntax passes beside the class. */
const CONTEXT: ClassDecoratorContext<typeof Weather> = {
  kind: 'class',
  name: 'Weather',
  addInitializer: () => undefined,
  metadata: {},
};

/** A program as it is bundled and run: the test runner leaves decorators as they are. */
async function runProgram(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // loaded with the first request only, and none is made
    external: ['*/dispatcher'],
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  return execFileSync(process.execPath, ['--input-type=module'], { input: code, encoding: 'utf8' });
}

describe('Agent', () => {
  test('is a standard class decorator, which leaves the class as it is', () => {
    expect(Agent({ provider, maxSteps: 3 })(Weather, CONTEXT)).toBeUndefined();
    const definition = resolveAgent(Weather);
    expect(definition).toEqual({ provider, maxSteps: 3, hooks: expect.any(Weather) });
  });

  test('works in its own syntax, bundled and run, with the class and with an instance', async () => {
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
  test('an instance is its own hooks; a class makes a new one each time', () => {
    Agent({ provider })(Weather);
    const instance = new Weather();
    expect(resolveAgent(instance).hooks).toBe(instance);
    expect(resolveAgent(Weather).hooks).not.toBe(resolveAgent(Weather).hooks);
  });

  test('a subclass of an agent is one too, unless it is decorated itself', () => {
    class Nordic extends Weather {}
    class Limited extends Weather {}
    Agent({ provider, maxSteps: 5 })(Weather);
    Agent({ provider, maxSteps: 1 })(Limited);
    expect(resolveAgent(Nordic)).toMatchObject({ maxSteps: 5, hooks: expect.any(Nordic) });
    expect(resolveAgent(new Limited())).toMatchObject({ maxSteps: 1 });
  });

  test('a definition stands for itself', () => {
    const definition = { provider, hooks: { beforePrompt: () => 'Hi' } };
    expect(resolveAgent(definition)).toBe(definition);
  });

  test.each<[string, object]>([
    ['a class without the decorator', Plain],
    ['an instance of one', new Plain()],
    ['a definition whose provider is none', { provider: {} }],
  ])('refuses %s', (_, agent) => {
    expect(() => resolveAgent(agent as typeof Weather)).toThrow(
      expect.objectContaining({ code: 'invalid-options', field: 'agent' }),
    );
  });

  test.each([0, 1.5, Number.NaN])('refuses %d steps', (maxSteps) => {
    expect(() => resolveAgent({ provider, maxSteps })).toThrow(
      expect.objectContaining({ code: 'invalid-options', field: 'maxSteps' }),
    );
  });
});
