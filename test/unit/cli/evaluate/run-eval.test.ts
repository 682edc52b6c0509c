// The command `eval` on the demo, in this process: what it prints, and its exit codes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { runCommandLine } from '../../../../src/cli/run-command-line';
import { fakeTerminal } from '../../../support/cli/fake-terminal';

let folder = '';
const toText = (change: object): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
    tools: [
      {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ],
    lanes: [
      { id: 'a', connection: 'demo', model: 'native-call' },
      { id: 'b', connection: 'demo', model: 'prose-only' },
    ],
    evaluate: {
      rows: [
        { id: 'oslo', city: 'Oslo', $tags: ['north'] },
        { id: 'rome', city: 'Rome' },
      ],
    },
    expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
    ...change,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-eval-'));
  await writeFile(join(folder, 'weather.playground.json'), toText({}));
  await writeFile(join(folder, 'plain.playground.json'), '{"messages": []}');
});
afterAll(() => rm(folder, { recursive: true }));

async function evaluate(...words: string[]) {
  const terminal = fakeTerminal({ folder });
  return { code: await runCommandLine(['eval', ...words], terminal), ...terminal.written };
}

describe('runEval', () => {
  it('is done when all gates are met, with every number as JSON', async () => {
    const { code, output } = await evaluate('--lane', 'a', '--repeat', '2', '--reporter', 'json', '--quiet');
    expect(code).toBe(EXIT.done);
    expect(JSON.parse(output)).toMatchObject({
      kind: 'evaluations',
      exitCode: 0,
      files: [
        { path: 'weather.playground.json', planned: 4, passed: 4, gate: 'met', lanes: [{ laneId: 'a' }] },
      ],
    });
  });

  it('fails when a gate is not met, and says where', async () => {
    const { code, output } = await evaluate('--row', 'os*');
    expect(code).toBe(EXIT.unmet);
    expect(output).toContain('oslo, b: 0 of 1 passed  weather.playground.json:1');
    expect(output).toContain('Gates are not met in weather.playground.json.');
  });

  it('decides nothing when samples have no verdict', async () => {
    await writeFile(
      join(folder, 'busy.playground.json'),
      toText({ lanes: [{ id: 'a', connection: 'demo', model: 'not-there' }] }),
    );
    const { code, output } = await evaluate('busy.playground.json');
    await rm(join(folder, 'busy.playground.json'));
    expect(code).toBe(EXIT.undecided);
    expect(output).toContain('Some rows have no verdict in busy.playground.json.');
  });

  it('sends nothing when nothing is chosen, and says what there is', async () => {
    expect(await evaluate('--lane', 'z')).toMatchObject({
      code: EXIT.unusable,
      talk: expect.stringContaining('There are the lanes a, b and the rows oslo, rome.'),
    });
    expect(await evaluate('--lane', 'z', '--pass-with-none')).toMatchObject({ code: EXIT.done });
  });

  it('lists the samples repeat by repeat', async () => {
    const { output } = await evaluate('--list', '--tag', 'north', '--repeat', '2');
    expect(output.split('\n').map((line) => line.split('\t').slice(1).join(' '))).toEqual([
      'oslo a 1',
      'oslo b 1',
      'oslo a 2',
      'oslo b 2',
      '',
    ]);
  });

  it('stops at a limit, and reports what there is', async () => {
    const { code, output } = await evaluate(
      '--lane',
      'a',
      '--repeat',
      '20',
      '--max-requests',
      '8',
      '--reporter',
      'json',
    );
    expect(code).toBe(EXIT.undecided);
    expect(JSON.parse(output).reasons).toEqual([expect.stringMatching(/^It ended early: 8 of 8 requests/)]);
  });
});
