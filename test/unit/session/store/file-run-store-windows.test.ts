import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { fill, ID, line, StoreFolder } from './store-folder';

/** Appends lines in a process of its own. @returns its output to stderr */
async function appendElsewhere(folder: StoreFolder, who: string, rounds: number): Promise<string> {
  const args = ['test/support/run-typescript.mjs', 'test/unit/session/store/append-lines.ts'];
  const child = spawn(process.execPath, [...args, folder.path, ID, who, `${rounds}`, '20']);
  let errors = '';
  child.stderr.on('data', (data) => (errors += String(data)));
  const [code] = (await once(child, 'close')) as [number];
  return code === 0 ? errors : `ended with ${code}: ${errors}`;
}

/** Sets the time of last change to so many minutes ago. */
const setAge = (path: string, minutes: number): void => {
  const time = Date.now() / 1000 - minutes * 60;
  utimesSync(path, time, time);
};

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

describe('FileRunStore in two windows', () => {
  test('append to one session, and each reads the other’s lines after reopening', async () => {
    const folder = new StoreFolder();
    const journals = [await folder.store().open(ID), await folder.store().open(ID)];
    const expected = [];
    for (let n = 0; n < 20; n++) {
      const journal = journals[n % 2];
      journal?.append(line(n), { key: `${n % 5}`, value: n });
      await journal?.flush();
      expected.push(line(n));
      // The result does not depend on which window wrote it last.
      for (const reader of journals) expect(await reader.readBody(`${n % 5}`)).toBe(n);
    }
    await Promise.all(journals.map((journal) => journal.close()));
    const again = await folder.store().open(ID);
    expect(again.lines).toEqual(expected);
    expect(await again.readBody('3')).toBe(18);
    expect(folder.problems).toEqual([]);
  });

  test('keep concurrent writes, each line once and complete', async () => {
    const folder = new StoreFolder();
    const journals = [await folder.store().open(ID), await folder.store().open(ID)];
    for (let round = 0; round < 30; round++) {
      for (const [who, journal] of journals.entries()) journal.append({ who, round }, body(who, round));
      await Promise.all(journals.map((journal) => journal.flush()));
    }
    await Promise.all(journals.map((journal) => journal.close()));
    const again = await folder.store().open(ID);
    for (const who of [0, 1]) {
      const own = again.lines.filter((found) => found['who'] === who);
      expect(own.map(({ round }) => round)).toEqual(Array.from({ length: 30 }, (_, round) => round));
    }
    expect(await again.readBody('1/7')).toBe(body(1, 7).value);
    expect(folder.problems).toEqual([]);
  });

  test('lose nothing in two processes, even if the file is rewritten meanwhile', async () => {
    const folder = new StoreFolder();
    const errors = await Promise.all([appendElsewhere(folder, 'a', 15), appendElsewhere(folder, 'b', 15)]);
    expect(errors).toEqual(['', '']);
    const journal = await folder.store().open(ID);
    for (const who of ['a', 'b']) {
      const own = journal.lines.filter((found) => found['who'] === who);
      expect(own.map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, n) => n));
    }
    expect(folder.problems).toEqual([]);
    const keys = ['a', 'b'].flatMap((who) => Array.from({ length: 300 }, (_, n) => keyOf(who, n)));
    const bodies = await Promise.all(keys.map((key) => journal.readBody(key)));
    const kept = keys.filter((_, index) => bodies[index] !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(bodies.every((found, index) => found === undefined || isBodyOf(found, keys[index]))).toBe(true);
    await journal.close();
    expect(folder.names().every((name) => /\.jsonl$|\.index\.json$/.test(name))).toBe(true);
  });

  test('do not rewrite a session that the other has open', async () => {
    const folder = new StoreFolder();
    await fill(folder, 5);
    const other = await folder.store().open(ID);
    const journal = await folder.store({ limits: () => ({ maxBytes: 10, maxRuns: 1 }) }).open(ID);
    await journal.close();
    expect(await other.readBody('0')).toBe('body');
    await other.close();
    const alone = await folder.store({ limits: () => ({ maxBytes: 1e9, maxRuns: 1 }) }).open(ID);
    await alone.close();
    expect(await (await folder.store().open(ID)).readBody('0')).toBeUndefined();
  });

  test('ignore markers and locks of processes that have ended', async () => {
    const folder = new StoreFolder();
    await fill(folder, 5);
    const path = folder.file('.jsonl');
    const token = `${deadPid()}-0123456789ab`;
    writeFileSync(path.replace('.jsonl', `.${token}.open`), '');
    writeFileSync(path.replace('.jsonl', '.lock'), token);
    const journal = await folder.store({ limits: () => ({ maxBytes: 1e9, maxRuns: 2 }) }).open(ID);
    await journal.close();
    expect(folder.names()).toHaveLength(2);
    const again = await folder.store().open(ID);
    expect([await again.readBody('2'), await again.readBody('3')]).toEqual([undefined, 'body']);
  });

  test('ignore the marker of a window that was killed, even if its process id is another program’s now', async () => {
    const folder = new StoreFolder();
    await fill(folder, 5);
    const mark = folder.file('.jsonl').replace('.jsonl', `.${process.pid}-0123456789ab.open`);
    writeFileSync(mark, '');
    const keepTwo = { limits: () => ({ maxBytes: 1e9, maxRuns: 2 }) };
    await (await folder.store(keepTwo).open(ID)).close();
    expect(await (await folder.store().open(ID)).readBody('0')).toBe('body');
    expect(folder.names()).toContain(basename(mark));
    for (const minutes of [-6, 6]) {
      writeFileSync(mark, '');
      setAge(mark, minutes);
      await (await folder.store(keepTwo).open('another')).close();
      expect(folder.names()).toContain(basename(mark));
      await (await folder.store(keepTwo).open(ID)).close();
      expect(folder.names()).not.toContain(basename(mark));
    }
  });

  test('renew their markers while a session is open', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const journal = await folder.store().open(ID);
    const mark = folder.file('.open');
    for (let round = 0; round < 2; round++) {
      setAge(mark, 4);
      folder.clock.advance(60_000);
      await expect.poll(() => Date.now() - statSync(mark).mtimeMs).toBeLessThan(60_000);
    }
    await journal.close();
    expect(folder.clock.pending).toBe(0);
  });

  test('wait with writing for a rewrite that began while the machine was asleep', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const journal = await folder.store().open(ID);
    const path = folder.file('.jsonl');
    const before = statSync(path).size;
    const lock = path.replace('.jsonl', '.lock');
    writeFileSync(lock, `${process.pid}-0123456789ab`);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    try {
      setAge(lock, 0);
      journal.append(line(1));
      const timers = folder.clock.delays.length;
      const flushing = journal.flush();
      await folder.clock.asked(timers + 1);
      expect(statSync(path).size).toBe(before);
      rmSync(lock);
      folder.clock.advance(100);
      await flushing;
      expect(statSync(path).size).toBeGreaterThan(before);
    } finally {
      now.mockRestore();
    }
  });

  test('wait with opening while a live process rewrites the file', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const lock = folder.file('.jsonl').replace('.jsonl', '.lock');
    writeFileSync(lock, `${process.pid}-0123456789ab`);
    const opened = vi.fn<() => void>();
    const opening = folder.store().open(ID).then(opened);
    await folder.clock.asked(folder.clock.delays.length + 1);
    folder.clock.advance(100);
    await folder.clock.asked(folder.clock.delays.length + 1);
    expect(opened).not.toHaveBeenCalled();
    writeFileSync(lock, `${deadPid()}-0123456789ab`);
    folder.clock.advance(100);
    await opening;
    expect(opened).toHaveBeenCalled();
  });

  test('start a session anew after the other has cleared it', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0), { key: '0', value: 'cleared' });
    await journal.flush();
    await folder.store().clear();
    expect(folder.names()).toEqual([]);
    expect(await journal.readBody('0')).toBeUndefined();
    journal.append(line(1), { key: '1', value: 'after' });
    expect(await journal.readBody('1')).toBe('after');
    expect(readFileSync(folder.file('.open'), 'utf8')).toBe('');
    await journal.close();
    expect((await folder.store().open(ID)).lines).toEqual([line(1)]);
  });
});

describe('FileRunStore in two windows, one of which clears', () => {
  test('does not use positions of the old file for the new one', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0), { key: 'old', value: 'x'.repeat(500) });
    await journal.flush();
    const other = folder.store();
    await other.clear();
    const afterwards = await other.open(ID);
    afterwards.append(line(1), { key: 'new', value: 'y' });
    afterwards.append({ text: 'z'.repeat(2000) });
    await afterwards.close();
    expect([await journal.readBody('new'), await journal.readBody('old')]).toEqual(['y', undefined]);
    journal.append(line(2));
    await journal.close();
    const again = await folder.store().open(ID);
    expect(again.lines).toEqual([line(1), { text: 'z'.repeat(2000) }, line(2)]);
    expect(await again.readBody('new')).toBe('y');
  });
});

const body = (who: number, round: number): { key: string; value: unknown } => ({
  key: `${who}/${round}`,
  value: `${who}`.repeat(round * 100),
});

const keyOf = (who: string, n: number): string => `${who}/${Math.floor(n / 20)}/${n % 20}`;

const isBodyOf = (found: unknown, key: string | undefined): boolean =>
  JSON.stringify(found).startsWith(`{"key":"${key}","text":"`);
