// The benchmark itself: every scenario runs and yields numbers. Their values are not checked here.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isChromiumSetUp } from '../support/browser/chromium.mjs';

interface Row {
  title: string;
  value: number;
  least: number;
  most: number;
  isReached: boolean;
  medians: Record<string, number>;
}

const bench = fileURLToPath(new URL('../bench/run.mjs', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'bench-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const run = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [bench, '--quick', '--rounds=1', ...args])).stdout;

describe('npm run bench', () => {
  let printed: string;
  let suites: { name: string; rows: Row[] }[];
  let hasBrowser: boolean;

  beforeAll(async () => {
    const file = join(scratch, 'bench.json');
    hasBrowser = isChromiumSetUp(); // before the run, because on a fresh clone the browser is set up in the meantime
    printed = await run(`--json=${file}`);
    ({ suites } = JSON.parse(readFileSync(file, 'utf8')) as { suites: typeof suites });
  }, 600_000);

  it('runs every scenario of every suite and compares finite numbers', () => {
    const rows = suites.flatMap((suite) => suite.rows);
    expect(suites.map(({ name }) => name)).toEqual(['evaluate', 'http', 'load', 'panel', 'parse', 'record']);
    for (const { name, rows: list } of suites)
      expect(list.length, name).toBeGreaterThanOrEqual(name === 'evaluate' || name === 'record' ? 2 : 4);
    for (const { title, value, least, most, medians } of rows) {
      expect(Object.values(medians).length, title).toBeGreaterThan(0);
      const numbers = [value, least, most, ...Object.values(medians)];
      expect(numbers.every(Number.isFinite), title).toBe(true);
    }
  });

  it('measures both protocols, beside undici, in the same run', () => {
    const titles = suites.flatMap(({ rows }) => rows.map(({ title }) => title));
    for (const protocol of ['hosted', 'local']) {
      for (const what of ['small chat', '4 tool calls', '128 at once', 'stream', 'under way', 'first call']) {
        const found = titles.filter((title) => title.includes(what) && title.includes(protocol));
        expect(found, `${what}, ${protocol}`).not.toEqual([]);
      }
    }
    const http = suites.find(({ name }) => name === 'http')?.rows ?? [];
    expect(http.every(({ medians }) => 'undici' in medians && 'ours' in medians)).toBe(true);
  });

  it('measures clean, long and looping texts, beside a bare search in the same run', () => {
    const parse = suites.find(({ name }) => name === 'parse')?.rows ?? [];
    const titles = parse.map(({ title }) => title);
    for (const what of [
      'clean reply',
      'prose and a call',
      '1 MB of prose',
      'two bytes',
      '200 calls',
      '<tool_call>',
      '{"a":',
    ])
      expect(
        titles.some((title) => title.includes(what)),
        what,
      ).toBe(true);
    const replies = parse.filter(({ title }) => title.includes('prose'));
    expect(replies.every(({ medians }) => 'ours' in medians && 'indexOf' in medians)).toBe(true);
  });

  it('measures streams in eight lanes and stored runs, both also on a page where there is a browser', () => {
    const titles = suites.find(({ name }) => name === 'panel')?.rows.map(({ title }) => title) ?? [];
    const ofSession = ['CPU of the session', 'until the snapshot', 'no index'];
    const ofPage = ['first frame', 'calls with results', 'a key until its frame', 'total blocking'];
    for (const what of hasBrowser ? [...ofSession, ...ofPage] : ofSession)
      expect(
        titles.some((title) => title.includes(what)),
        what,
      ).toBe(true);
  });

  it('prints each row with its goal and whether it was reached', () => {
    const rows = suites.flatMap((suite) => suite.rows);
    for (const { title, isReached } of rows) {
      const line = printed.split('\n').find((text) => text.includes(`| ${title} `)) ?? '';
      expect(line).toMatch(new RegExp(`[≤≥].*\\| ${isReached ? 'yes' : 'no'} +\\|$`));
    }
  });

  it('lists the suites when a name is not one of them', async () => {
    await expect(run('speed')).rejects.toThrow(
      /no suite speed; there are evaluate, http, load, panel, parse, record/,
    );
  });
});
