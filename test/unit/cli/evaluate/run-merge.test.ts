// Shards, their merge, judging again, going on and comparing, on the demo in this process.
import { appendFile, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { CommandFolder, playground, ROWS, withoutTimes } from '../../../support/cli/command-folder';

let folder: CommandFolder;
const run = (...words: string[]) => folder.run(...words);
const reports = (name: string) => [
  `json=${name}.json`,
  `jsonl=${name}.jsonl`,
  `junit=${name}.xml`,
  `markdown=${name}.md`,
];
const asReporters = (name: string) =>
  reports(name).flatMap((report) => ['--reporter', report.replace('=', '=out/')]);

const readReports = async (name: string): Promise<string[]> =>
  Promise.all(
    reports(name).map(async (report) => withoutTimes(await folder.read(report.replace(/^.*=/, 'out/')))),
  );

const withEvenTimes = (blob: string): string =>
  blob
    .replaceAll(/"timeMs":[\d.]+/g, '"timeMs":100')
    .replaceAll(/"firstTokenMs":[\d.]+/g, '"firstTokenMs":50');

beforeAll(async () => {
  folder = await CommandFolder.open();
  await folder.write(
    'second.playground.json',
    playground({
      lanes: [{ id: 'c', connection: 'demo', model: 'flaky', sampling: { seed: 3 } }],
      evaluate: { rows: [{ id: 'x', city: 'Bonn' }], repeat: 4, varySeed: true },
    }),
  );
  for (const index of [1, 2, 3]) {
    const { code } = await run(
      'eval',
      '--repeat',
      '3',
      '--shard',
      `${index}/3`,
      '--blob',
      `blobs/${index}.jsonl`,
    );
    expect(code).toBe(EXIT.done);
  }
});
afterAll(() => folder.close());

describe('runMerge', () => {
  it('reports of the blobs of shards what one process reports, byte for byte but for times', async () => {
    const whole = await run('eval', '--repeat', '3', '--blob', 'whole.jsonl', ...asReporters('whole'));
    const again = await run('merge', 'whole.jsonl', ...asReporters('again'));
    expect([whole.code, again.code]).toEqual([EXIT.unmet, EXIT.unmet]);
    expect(await readReports('again')).toEqual(await readReports('whole'));
    // Times are those of this machine, and a reply that comes fast may have come from a cache.
    for (const name of ['whole', 'blobs/1', 'blobs/2', 'blobs/3'])
      await folder.write(
        `even-${name.replace('/', '-')}.jsonl`,
        withEvenTimes(await folder.read(`${name}.jsonl`)),
      );
    await run('merge', 'even-whole.jsonl', ...asReporters('one'));
    const parts = [1, 2, 3].map((index) => `even-blobs-${index}.jsonl`);
    expect(await run('merge', ...parts, ...asReporters('three'))).toMatchObject({ code: EXIT.unmet });
    expect(await readReports('three')).toEqual(await readReports('one'));
    expect((await readReports('three')).join('')).toContain('flaky');
  });

  it('names a missing shard, and one that did not come to its end', async () => {
    const blob = join(folder.path, 'blobs', '2.jsonl');
    await rename(blob, join(folder.path, 'two'));
    const missing = await run('merge', 'blobs', '--min-case', '0');
    expect(missing).toMatchObject({
      code: EXIT.undecided,
      output: expect.stringContaining('Shard 2 of 3 is missing.'),
    });
    // Also where the others do not meet their gates.
    expect((await run('merge', 'blobs')).code).toBe(EXIT.undecided);
    await rename(join(folder.path, 'two'), blob);
    const text = await folder.read('blobs/2.jsonl');
    const lines = text.trimEnd().split('\n');
    await truncate(blob, Buffer.byteLength(`${lines.slice(0, 4).join('\n')}\n{"key":"`));
    const dead = await run('merge', 'blobs', '--min-case', '0');
    await folder.write('blobs/2.jsonl', text);
    expect(dead.code).toBe(EXIT.undecided);
    expect(dead.output).toMatch(
      /Shard 2 \(\S+2\.jsonl\) did not come to its end; the 3 samples that it finished are used\./,
    );
  });

  it.each([
    ['is empty', ''],
    ['is no blob', 'Killed by the system\n{"kind":'],
  ])('uses the others when a file %s', async (_how, text) => {
    const whole = await folder.read('blobs/2.jsonl');
    await folder.write('blobs/2.jsonl', text);
    const { code, output } = await run('merge', 'blobs', '--min-case', '0');
    await folder.write('blobs/2.jsonl', whole);
    expect(code).toBe(EXIT.undecided);
    expect(output).toMatch(/blobs.2\.jsonl is no blob of an evaluation\./);
    expect(output).toContain('Shard 2 of 3 is missing.');
    expect(output).toContain('weather.playground.json');
  });

  it('refuses when there is no other file, and when one is of another format', async () => {
    await folder.write('empty.jsonl', '');
    expect((await run('merge', 'empty.jsonl')).code).toBe(EXIT.unusable);
    const [head = ''] = (await folder.read('blobs/1.jsonl')).split('\n');
    await folder.write('later.jsonl', `${JSON.stringify({ ...JSON.parse(head), format: 2 })}\n`);
    const { code, talk } = await run('merge', 'blobs', 'later.jsonl');
    expect([code, talk]).toEqual([EXIT.unusable, expect.stringContaining('has the format 2')]);
  });

  it('takes a sample that is there twice once, and the earlier one when they differ', async () => {
    const lines = (await folder.read('blobs/1.jsonl')).split('\n');
    const same = await run('merge', 'blobs', 'blobs/1.jsonl', '--reporter', 'json');
    expect(same.talk).toBe('');
    const sample = JSON.parse(lines[1] ?? '');
    await folder.write(
      'other.jsonl',
      [lines[0], JSON.stringify({ ...sample, at: sample.at + 1, reply: 'later' }), ''].join('\n'),
    );
    const differing = await run('merge', 'blobs', 'other.jsonl', '--reporter', 'json');
    expect(differing.talk).toContain('1 sample was there twice and differs: the earlier one counts.');
    expect(JSON.parse(differing.output).files).toEqual(
      JSON.parse(withoutInfo(same.output, differing.output)).files,
    );
  });

  it('refuses blobs of another plan by the name of what differs, and playgrounds that send something else', async () => {
    await run(
      'eval',
      'weather.playground.json',
      '--repeat',
      '1',
      '--lane',
      'a',
      '--blob',
      'less.jsonl',
      '--quiet',
    );
    const { code, talk } = await run('merge', 'blobs', 'less.jsonl');
    expect(code).toBe(EXIT.unusable);
    expect(talk).toMatch(/blobs.1\.jsonl was made with no --lane, less\.jsonl with --lane a\./);
    expect(talk).toMatch(/blobs.1\.jsonl was made with --repeat 3, less\.jsonl with --repeat 1\./);
    expect(talk).toContain('less.jsonl has no second.playground.json.');
    expect(talk).not.toContain('weather.playground.json');
    await folder.write('weather.playground.json', playground({ system: 'Be brief.' }));
    await run('eval', '--repeat', '3', '--shard', '1/3', '--blob', 'brief.jsonl', '--quiet');
    expect((await run('merge', 'blobs', 'brief.jsonl')).talk).toContain(
      'weather.playground.json is not the same.',
    );
    const changed = await run('merge', 'blobs');
    await folder.write('weather.playground.json', playground());
    expect(changed.talk).toContain(
      'weather.playground.json: what it sends has changed since the blobs were made.',
    );
    expect(await run('merge', 'weather.playground.json')).toMatchObject({ code: EXIT.unusable });
  });
});

/** The times at which the two reports were made differ. */
const withoutInfo = (one: string, other: string): string =>
  one.replaceAll(JSON.parse(one).madeAt, JSON.parse(other).madeAt);

describe('runJudge', () => {
  it('judges by what is expected now, or by another file, without a request', async () => {
    await run('eval', 'weather.playground.json', '--lane', 'b', '--blob', 'b.jsonl', '--quiet');
    expect((await run('judge', 'b.jsonl')).code).toBe(EXIT.unmet);
    await folder.write('none.json', '[\n  { "calls": [] }]');
    expect((await run('judge', 'b.jsonl', '--expect', 'none.json')).code).toBe(EXIT.done);
    await folder.write(
      'strict.json',
      '[\n  { "calls": [{ "tool": "get_weather", "arguments": { "city": { "$loose": "{{city}}" } } }] }]',
    );
    const strict = await run('judge', 'b.jsonl', '--expect', 'strict.json');
    expect(strict.output).toContain('oslo, b: 0 of 1 passed  strict.json:2');
    await folder.write('wrong.json', '[{ "cals": [] }]');
    expect(await run('judge', 'b.jsonl', '--expect', 'wrong.json')).toMatchObject({ code: EXIT.unusable });
    expect(await run('judge')).toMatchObject({ code: EXIT.unusable });
  });

  it('names the shards that one blob does not have, whatever its own samples say', async () => {
    const { code, output } = await run('judge', 'blobs/1.jsonl');
    expect(output).toContain('Shards 2, 3 of 3 are missing.');
    expect(code).toBe(EXIT.undecided);
  });
});

describe('--resume', () => {
  it('sends only what is not there, also after a line that was cut', async () => {
    const args = [
      'eval',
      'weather.playground.json',
      '--repeat',
      '2',
      '--reporter',
      'json',
      '--min-case',
      '0',
    ];
    await run(...args, '--blob', 'cut.jsonl');
    const lines = (await folder.read('cut.jsonl')).trimEnd().split('\n');
    await folder.write('cut.jsonl', `${lines.slice(0, 11).join('\n')}\n{"key":"x","fi`);
    const listed = await run(
      'eval',
      'weather.playground.json',
      '--repeat',
      '2',
      '--resume',
      'cut.jsonl',
      '--list',
    );
    expect(listed.output.trimEnd().split('\n')).toHaveLength(28 - 10);
    const resumed = await run(...args, '--resume', 'cut.jsonl');
    expect(JSON.parse(resumed.output).files[0]).toMatchObject({ planned: 28, notRun: 0 });
    const after = (await folder.read('cut.jsonl')).trimEnd().split('\n');
    expect(after.slice(1, 11)).toEqual(lines.slice(1, 11));
    expect(after).toHaveLength(30);
    await appendFile(join(folder.path, 'cut.jsonl'), 'no JSON');
    expect((await run('judge', 'cut.jsonl', '--min-case', '0')).code).toBe(EXIT.done);
  });
});

describe('--resume of a blob that does not fit', () => {
  const args = ['eval', 'weather.playground.json', '--lane', 'a', '--min-case', '0'];
  const resume = ['--resume', 'old.jsonl'];

  it('says what is used, and never loses a sample that does not fit', async () => {
    await run(...args, '--blob', 'old.jsonl');
    const before = await folder.read('old.jsonl');
    const rows = ROWS.map((row) => (row.id === 'oslo' ? { ...row, city: 'Bergen' } : row));
    await folder.write('weather.playground.json', playground({ evaluate: { rows } }));
    const refused = await run(...args, ...resume);
    const listed = await run(...args, ...resume, '--list');
    const written = await run(...args, ...resume, '--blob', 'new.jsonl');
    await folder.write('weather.playground.json', playground());
    expect(refused.code).toBe(EXIT.unusable);
    expect(refused.talk).toMatch(
      /^old\.jsonl: 6 of its 7 samples are used\. 1 does not fit: what is sent has changed, /,
    );
    expect(refused.talk).toContain('old.jsonl would lose 1 sample that does not fit this evaluation.');
    expect(refused.talk).toMatch(/→ Write to another file with --blob/);
    expect(await folder.read('old.jsonl')).toBe(before);
    expect(listed.output.trimEnd().split('\n')).toHaveLength(1);
    expect(written.code).toBe(EXIT.done);
    expect((await folder.read('new.jsonl')).trimEnd().split('\n')).toHaveLength(9);
  });

  it.each([
    [['--lane', 'b'], 'the lane is not chosen'],
    [['--lane', 'a', '--row', 'rome'], 'the row is not chosen'],
  ])('names %j as the reason', async (choice, why) => {
    const { code, talk } = await run('eval', 'weather.playground.json', ...choice, ...resume);
    expect([code, talk]).toEqual([EXIT.unusable, expect.stringContaining(` do not fit: ${why}.`)]);
  });

  it('goes on with the shard of the blob, and with no other', async () => {
    const { code, talk } = await run(
      'eval',
      '--repeat',
      '3',
      '--shard',
      '2/3',
      '--resume',
      join('blobs', '1.jsonl'),
    );
    expect(code).toBe(EXIT.unusable);
    expect(talk).toMatch(/blobs.1\.jsonl holds shard 1 of 3, and --shard names shard 2 of 3\./);
    expect((await run(...args, '--shard', '1/2', ...resume)).talk).toContain('holds the whole evaluation');
  });

  it.each(['', '{"kind":"evaluation","form'])('begins with a blob that has only %j', async (text) => {
    await folder.write('begun.jsonl', text);
    const { code, talk } = await run(...args, '--resume', 'begun.jsonl');
    expect(code).toBe(EXIT.done);
    expect(talk).toContain('begun.jsonl has no sample: its process ended before the first one.');
    expect((await folder.read('begun.jsonl')).trimEnd().split('\n')).toHaveLength(9);
  });

  it('takes no other file for a blob', async () => {
    await folder.write('note.txt', 'Remember this.');
    expect((await run(...args, '--resume', 'note.txt')).code).toBe(EXIT.unusable);
    expect(await folder.read('note.txt')).toBe('Remember this.');
  });
});

describe('--baseline', () => {
  it('says what is worse, and fails by it only when told to', async () => {
    const lanes = [{ id: 'a', connection: 'demo', model: 'prose-only' }];
    await run('eval', 'weather.playground.json', '--lane', 'a', '--blob', 'before.jsonl', '--quiet');
    await folder.write('weather.playground.json', playground({ lanes }));
    const args = ['eval', 'weather.playground.json', '--min-case', '0', '--baseline', 'before.jsonl'];
    const compared = await run(...args);
    const failing = await run(...args, '--fail-on', 'regression');
    await folder.write('weather.playground.json', playground());
    expect(compared.talk).toContain(
      'weather.playground.json, lane a: prose-only now, native-call in the baseline.',
    );
    expect(compared.output).toContain('worse than before');
    expect(compared.code).toBe(EXIT.done);
    expect(failing).toMatchObject({
      code: EXIT.unmet,
      output: expect.stringContaining('Worse than the baseline'),
    });
    await rm(join(folder.path, 'before.jsonl'));
    expect((await run(...args)).code).toBe(EXIT.unusable);
  });
});
