// The words are read by the command line itself, in a folder with a playground.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../../src/cli/commands';
import type { EvalOptions } from '../../../../src/host/terminal/eval-words';
import { evalWords, exactly } from '../../../../src/host/terminal/eval-words';
import { CommandFolder, playground } from '../../../support/cli/command-folder';

const ALL: Required<EvalOptions> = {
  lanes: ['a', 'b'],
  rows: ['oslo', 'r*'],
  tags: ['first'],
  repeat: 2,
  connections: ['one.json', '-two.json'],
  providers: ['module.mjs'],
  shard: '1/2',
  blob: '1.jsonl',
  baseline: 'main.jsonl',
  failOn: 'regression',
  minCase: 0.9,
  minLane: 0.95,
  maxNoVerdict: 0.1,
  maxRequests: 100,
  maxCostUsd: 0.5,
  maxMinutes: 10,
  bail: 3,
  concurrency: 2,
  reporters: ['pretty', 'junit=junit.xml'],
};
const IDS = ['a,b', 'c*d', 'e\\f', '-g', 'h "i"'];

let folder: CommandFolder;
beforeAll(async () => {
  folder = await CommandFolder.open();
  const rows = [...IDS, 'a', 'b', 'cxd'].map((id) => ({ $id: id, city: 'Oslo' }));
  await folder.write('-rows.playground.json', playground({ evaluate: { rows } }));
});
afterAll(() => folder.close());

describe('evalWords', () => {
  test('writes options that the command has', () => {
    const known = COMMANDS.find(({ name }) => name === 'eval')?.options ?? {};
    const words = evalWords('x.playground.json', ALL);
    const flags = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
    expect(flags.filter((flag) => !Object.hasOwn(known, flag))).toEqual([]);
    expect(new Set(flags).size).toBe(Object.keys(ALL).length + 1);
    expect(words.join(' ')).toContain('--lane a,b --row oslo,r* --tag first');
    expect(words.join(' ')).toContain('--connections one.json --connections=-two.json');
  });

  test('means exactly one row by its id, whatever the id contains', async () => {
    for (const id of IDS) {
      const words = evalWords('-rows.playground.json', { lanes: ['a'], rows: [exactly(id)] });
      const { output, talk } = await folder.run(...words, '--list');
      expect(talk).toBe('');
      expect(output.split('\n')).toEqual([`-rows.playground.json\t${id}\ta\t1`, '']);
    }
  });
});
