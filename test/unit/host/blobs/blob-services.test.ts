// Blobs that the command line wrote, opened where its playground is, and where it is not. Nothing is sent.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import type { OpenedBlob } from '../../../../src/host/blobs/blob-services';
import { openBlob, problemPage } from '../../../../src/host/blobs/blob-services';
import { PlaygroundTools } from '../../../../src/host/tools/playground-tools';
import { evaluationToJson } from '../../../../src/inspect';
import type { Session } from '../../../../src/session';
import { CommandFolder, playground } from '../../../support/cli/command-folder';
import { editor, resetEditor, Uri, writeFile } from '../../../support/vscode/vscode-files';

const NAME = 'weather.playground.json';
const TEXT = playground({ evaluate: { repeat: 2, rows: './rows.jsonl' } });
const ROWS = ['Oslo', 'Rome', 'Lima']
  .map((city) => JSON.stringify({ $id: city.toLowerCase(), city }))
  .join('\n');

let folder: CommandFolder;
let whole: string;
let shards: string[];
let report: Record<string, unknown>;
const open: Session[] = [];

beforeAll(async () => {
  folder = await CommandFolder.open();
  await folder.write(NAME, TEXT);
  await folder.write('rows.jsonl', ROWS);
  const { output } = await folder.run('eval', NAME, '--blob', 'whole.jsonl', '--reporter', 'json');
  report = (JSON.parse(output) as { files: (typeof report)[] }).files[0] ?? {};
  whole = await folder.read('whole.jsonl');
  for (const shard of [1, 2, 3])
    await folder.run('eval', NAME, '--shard', `${shard}/3`, '--blob', `${shard}.jsonl`);
  shards = await Promise.all([1, 2, 3].map((shard) => folder.read(`${shard}.jsonl`)));
});
afterAll(() => folder.close());
beforeEach(async () => {
  resetEditor();
  for (const session of open.splice(0)) await session.dispose();
  editor.folders.push({ uri: Uri.file('/folder'), name: 'folder' });
});

const withPlayground = (text = TEXT): void => {
  writeFile(`/folder/${NAME}`, text);
  writeFile('/folder/rows.jsonl', ROWS);
};

async function openText(text: string, name = 'ci.jsonl') {
  writeFile(`/blobs/${name}`, text);
  const services = {
    tools: new PlaygroundTools(Uri.file('/global') as never),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  };
  const uri = Uri.file(`/blobs/${name}`) as unknown as vscode.Uri;
  return openBlob(uri, services as unknown as Parameters<typeof openBlob>[1]);
}

/** Of a blob that can be opened. */
async function show(text: string, name?: string) {
  const opened = (await openText(text, name)) as OpenedBlob;
  const { session } = await opened.pool.acquire(opened.backing);
  open.push(session);
  while (!session.environment) await new Promise((resolve) => setTimeout(resolve, 5));
  session.evaluation.follow();
  await session.evaluation.read();
  return { session, about: opened.backing.readOnly ?? '', snapshot: session.evaluation.snapshot };
}

const problemOf = async (text: string): Promise<unknown> => {
  const opened = await openText(text);
  return 'problem' in opened ? opened.problem : undefined;
};

describe('openBlob', () => {
  test('shows every number of the command line, beside the playground', async () => {
    withPlayground();
    const { session, snapshot, about } = await show(whole);
    const { madeBy, madeAt, path, ...numbers } = report;
    const info = { madeBy: String(madeBy), madeAt: String(madeAt) };
    const shown = evaluationToJson(session.evaluation.views.exported(String(path)), info);
    expect(JSON.parse(shown)).toEqual({ ...info, ...numbers });
    expect(snapshot.result).toMatchObject({
      isOutdated: false,
      summary: { passed: 6, failed: 6, notRun: 0 },
    });
    expect(about).toMatch(
      /^An evaluation of .*, from the blob ci\.jsonl of Provider Playground .*\. It cannot be changed\.$/,
    );
  });

  test('shows the reply of each sample, and what was expected of it', async () => {
    withPlayground();
    const { session } = await show(whole);
    const { entries, expectations, sample } = await session.evaluation.views.sample({
      rowId: 'oslo',
      laneId: 'b',
      repeat: 2,
    });
    expect(sample.verdict).toBe('failed');
    expect(expectations).toMatchObject([
      { verdict: 'failed', message: expect.stringContaining('No call was made') as string },
    ]);
    const [run] = entries;
    expect(run).toMatchObject({ kind: 'run', outcome: { verdict: { kind: 'none' } } });
    const called = await session.evaluation.views.sample({ rowId: 'oslo', laneId: 'a', repeat: 1 });
    expect(called.entries).toMatchObject([{ outcome: { reply: { toolCalls: [{ name: 'get_weather' }] } } }]);
  });

  test('sends nothing, and says so', async () => {
    withPlayground();
    const { session, snapshot } = await show(whole);
    const message = 'This evaluation comes from a blob. Open its playground to evaluate again.';
    expect(snapshot.problems).toEqual([{ message, isNote: true }]);
    await expect(session.evaluation.start({ isConfirmed: true })).rejects.toThrow(message);
  });

  test('shows the replies without a playground, and names what is not known', async () => {
    const { session, snapshot, about } = await show(whole);
    expect(about).toContain(
      'weather.playground.json is not in this workspace. What was asked and expected is not known; the replies are.',
    );
    expect(snapshot.rowCount).toBe(3);
    expect(snapshot.lanes.map(({ id }) => id)).toEqual(['a', 'b']);
    const { sample } = await session.evaluation.views.sample({ rowId: 'rome', laneId: 'a', repeat: 2 });
    expect(sample).toMatchObject({ outcome: 'native', calls: 'get_weather {"city":"Rome"}' });
  });

  test('judges by the expectations of now, and says that the playground has changed', async () => {
    withPlayground(TEXT.replace('What is the weather', 'How warm is it'));
    const { snapshot, about } = await show(whole);
    expect(snapshot.result?.summary).toMatchObject({ passed: 6, failed: 6 });
    expect(about).toContain('weather.playground.json has changed since: its expectations of now are used.');
  });

  test('joins the shards of the same folder, and names those that are missing', async () => {
    withPlayground();
    writeFile('/blobs/3.jsonl', shards[2] ?? '');
    writeFile('/blobs/other.jsonl', whole);
    const { snapshot, about } = await show(shards[0] ?? '', '1.jsonl');
    expect(about).toContain('It was split into 3 shards. Shard 2 of 3 is missing.');
    expect(snapshot.result?.summary).toMatchObject({ planned: 12, notRun: 4 });
    expect(snapshot.result?.stopped?.text).toBe('Shard 2 of 3 is missing.');
    writeFile('/blobs/2.jsonl', shards[1] ?? '');
    const all = await show(shards[0] ?? '', '1.jsonl');
    expect(all.snapshot.result?.summary).toMatchObject({ passed: 6, failed: 6, notRun: 0 });
  });

  test('uses what a process wrote that did not come to its end', async () => {
    withPlayground();
    const lines = whole.split('\n');
    const cut = [...lines.slice(0, 5), lines[5]?.slice(0, 40)].join('\n');
    const { snapshot, about } = await show(cut);
    expect(about).toContain('did not come to its end; the 4 samples that it finished are used.');
    expect(snapshot.result?.summary).toMatchObject({ planned: 12, notRun: 8 });
  });

  test.each([
    ['', 'is no blob of an evaluation.', 'Open a file that'],
    ['{"kind":"evaluation"}', 'is no blob of an evaluation.', 'Open a file that'],
    ['PNG\u0000\n{}', 'is no blob of an evaluation.', 'Open a file that'],
  ])('refuses %j', async (text, what, next) => {
    expect(await problemOf(text)).toMatchObject({
      what: expect.stringContaining(what) as string,
      next: expect.stringContaining(next) as string,
    });
  });

  test('refuses a blob of a newer version, and one that is too large', async () => {
    expect(await problemOf(whole.replace('"format":1', '"format":2'))).toEqual({
      what: 'ci.jsonl has the format 2; this version reads 1.',
      next: 'Update Provider Playground.',
    });
    expect(await problemOf('x'.repeat(100_000_001))).toMatchObject({
      what: 'ci.jsonl has 101 MB; the editor opens at most 100 MB.',
    });
  });

  test('survives hostile values: it takes what has the right shape, and reads no distant file', async () => {
    const lines = whole.trimEnd().split('\n');
    const head = JSON.parse(lines[0] ?? '') as Record<string, unknown> & {
      lanes: { connection: object }[];
      files: object[];
    };
    const rename = (text: string): string => text.replaceAll(NAME, `../${NAME}`);
    writeFile(`/${NAME}`, TEXT);
    const bad = {
      ...head,
      startedAt: 1e300,
      choice: { row: ['*'.repeat(5_000)], repeat: 'x' },
      lanes: head.lanes.map((lane) => ({
        ...lane,
        connection: { id: 'demo', label: {}, samplingKeys: 5, sampling: 'x' },
      })),
    };
    const broken = [
      '{"key":1}',
      (lines[1] ?? '').replace('"calls":[', '"calls":[7,'),
      (lines[2] ?? '').replace('"usage":{', '"usage":{"more":"many",'),
      'null',
    ];
    const { snapshot, about } = await show(
      rename([JSON.stringify(bad), ...broken, ...lines.slice(3)].join('\n')),
    );
    expect(about).toContain('An evaluation of an unknown time');
    expect(about).toContain('is not in this workspace');
    expect(snapshot.result?.summary.planned).toBe(12);
    expect(snapshot.result?.summary.notRun).toBe(2);
  });
});

test('problemPage has no markup of the file', () => {
  expect(problemPage({ what: '<img src=x onerror=y>&', next: '' })).toContain(
    '<p>&lt;img src=x onerror=y>&amp;</p>',
  );
});
