import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { HistoryLimits, Journal } from '../../../../src/session';
import { partId } from '../../../../src/session/store/history-store';
import { fill, ID, line, StoreFolder } from './store-folder';

/** Long enough for a busy machine. */
const SOON = { timeout: 60_000, interval: 20 };

const MANY = { maxBytes: 1e9, maxRuns: 1e6 };
const KB = 'x'.repeat(1000);

const keptOf = async (journal: Journal, count: number): Promise<number[]> => {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const bodies = await Promise.all(numbers.map((n) => journal.readBody(`${n}`)));
  return numbers.filter((n) => bodies[n] !== undefined);
};

/** Closes a session with these limits, which enforces them for the folder. */
async function tidy(folder: StoreFolder, limits: HistoryLimits, id = 'another'): Promise<void> {
  await (await folder.store({ limits: () => limits }).open(id)).close();
}

/** Sets the modification time of a file this number of days back. */
function age(folder: StoreFolder, name: string, days: number): void {
  const at = Date.now() / 1000 - days * 86_400;
  utimesSync(join(folder.path, name), at, at);
}

describe('FileRunStore limits', () => {
  test('removes the oldest bodies beyond the maximum number of runs, and no line', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store({ limits: () => ({ ...MANY, maxRuns: 3 }) }).open(ID);
    for (let n = 0; n < 6; n++) journal.append(line(n), { key: `${n}`, value: `body ${n}` });
    await journal.flush();
    folder.clock.advance(60_000);
    await vi.waitFor(async () => expect(await keptOf(journal, 6)).toEqual([3, 4, 5]), SOON);
    journal.append(line(6), { key: '6', value: 'body 6' });
    expect(await journal.readBody('6')).toBe('body 6');
    await journal.close();
    expect(folder.contents()).not.toContain('body 2');
    const again = await folder.store().open(ID);
    expect(again.lines).toEqual([0, 1, 2, 3, 4, 5, 6].map(line));
    expect(await keptOf(again, 7)).toEqual([4, 5, 6]);
    expect(folder.problems).toEqual([]);
  });

  test('counts a body that was written again once, and as new', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store({ limits: () => ({ ...MANY, maxRuns: 2 }) }).open(ID);
    for (const key of ['0', '1', '0', '0', '2']) journal.append(line(0), { key, value: key });
    await journal.close();
    expect(await keptOf(await folder.store().open(ID), 3)).toEqual([0, 2]);
  });

  test('removes up to a tenth more than necessary, so that not every run causes a rewrite', async () => {
    const folder = new StoreFolder();
    await fill(folder, 101);
    await tidy(folder, { ...MANY, maxRuns: 100 }, ID);
    expect(await keptOf(await folder.store().open(ID), 101)).toHaveLength(90);
  });

  test('does not count a body that belongs to the next one, and removes both together', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    for (let n = 0; n < 6; n++) {
      journal.append(line(n), { key: `+${n}`, value: n });
      journal.append(line(n), { key: `${n}`, value: n });
    }
    await journal.close();
    const keysOf = async (): Promise<unknown[]> => {
      const again = await folder.store().open(ID);
      const keys = Array.from({ length: 6 }, (_, n) => [`+${n}`, `${n}`]).flat();
      const kept = await Promise.all(keys.map(async (key) => [key, await again.readBody(key)] as const));
      await again.close();
      return kept.flatMap(([key, value]) => (value === undefined ? [] : [key]));
    };
    await tidy(folder, { ...MANY, maxRuns: 6 }, ID);
    expect(await keysOf()).toHaveLength(12);
    await tidy(folder, { ...MANY, maxRuns: 4 }, ID);
    expect(await keysOf()).toEqual(['+2', '2', '+3', '3', '+4', '4', '+5', '5']);
  });

  test('removes the oldest bodies of the least recently used session first, down to the limit of bytes', async () => {
    const folder = new StoreFolder();
    await fill(folder, 10, KB, 'old');
    for (const name of folder.names()) age(folder, name, 2);
    await fill(folder, 10, KB, 'new');
    await tidy(folder, { ...MANY, maxBytes: 16_000 });
    expect(folder.size()).toBeLessThanOrEqual(16_000);
    const [old, young] = [await folder.store().open('old'), await folder.store().open('new')];
    expect([old.lines.length, young.lines.length]).toEqual([10, 10]);
    const kept = await keptOf(old, 10);
    expect(kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(-kept.length));
    expect(kept.length).toBeLessThan(7);
    expect(await keptOf(young, 10)).toHaveLength(10);
  });

  test('removes replaced bodies before any that can be read', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0), { key: '0', value: KB });
    for (let n = 0; n < 50; n++) journal.append(line(n), { key: '1', value: KB + n });
    await journal.close();
    await tidy(folder, { ...MANY, maxBytes: 20_000 });
    expect(folder.size()).toBeLessThan(20_000);
    const again = await folder.store().open(ID);
    expect([await again.readBody('0'), await again.readBody('1')]).toEqual([KB, `${KB}49`]);
  });

  test('removes whole sessions that are not open if removing bodies is not enough', async () => {
    const folder = new StoreFolder();
    const open = await folder.store().open('open');
    open.append({ text: KB.repeat(5) }, { key: '0', value: KB });
    await open.flush();
    const others = ['first', 'second', 'third'];
    for (const [index, id] of others.entries()) {
      await fill(folder, 100, 'x', id);
      for (const name of namesOf(folder, id)) age(folder, name, 9 - index);
    }
    // The lines of each session take 1.8 KB.
    await tidy(folder, { ...MANY, maxBytes: 9_000 });
    expect(folder.size()).toBeLessThanOrEqual(9_000);
    const listed = (await folder.store().list()).map(({ sessionId }) => sessionId);
    expect(listed).toEqual(['open', 'third']);
    expect((await folder.store().open('open')).lines).toHaveLength(1);
    expect(await open.readBody('0')).toBe(KB);
  });

  test('removes bodies only, though the index of a rewritten file takes room as well', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1, 'body', 'owner');
    for (const name of namesOf(folder, 'owner')) age(folder, name, 2);
    // Many small bodies have a large index, which is written when the file is rewritten.
    await fill(folder, 400, 'x'.repeat(20), 'many');
    rmSync(join(folder.path, namesOf(folder, 'many').find((name) => name.endsWith('.index.json')) ?? ''));
    await tidy(folder, { ...MANY, maxBytes: 20_000 });
    expect(folder.size()).toBeLessThanOrEqual(20_000);
    const listed = (await folder.store().list()).map(({ sessionId }) => sessionId);
    expect(listed.toSorted()).toEqual(['many', 'owner']);
  });

  test('removes what a part has pinned before any session', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1, 'body', 'owner');
    for (const name of namesOf(folder, 'owner')) age(folder, name, 2);
    const part = await folder.store().open(partId('runs', '1'));
    for (let n = 0; n < 20; n++) {
      part.append({ n, about: `${n}`, isPinned: true }, { key: `${n}`, value: KB });
    }
    await part.close();
    await tidy(folder, { ...MANY, maxBytes: 10_000 });
    expect(folder.size()).toBeLessThanOrEqual(10_000);
    expect((await folder.store().open('owner')).lines).toHaveLength(1);
    const kept = await keptOf(await folder.store().open(partId('runs', '1')), 20);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, n) => n).slice(-kept.length));
  });

  test('removes no session while a part is open, which may be its own', async () => {
    const folder = new StoreFolder();
    const part = await folder.store().open(partId('samples', '1'));
    for (let n = 0; n < 100; n++) part.append({ text: KB });
    await part.flush();
    await fill(folder, 1, 'body', 'owner');
    for (const name of namesOf(folder, 'owner')) age(folder, name, 2);
    await tidy(folder, { ...MANY, maxBytes: 10_000 });
    expect((await folder.store().open('owner')).lines).toHaveLength(1);
    expect(namesOf(folder, partId('samples', '1'))).not.toEqual([]);
    await part.close();
    await tidy(folder, { ...MANY, maxBytes: 10_000 });
    expect(namesOf(folder, partId('samples', '1'))).toEqual([]);
    expect((await folder.store().open('owner')).lines).toHaveLength(1);
  });

  test('removes the parts of sessions before these, without which nobody would find them', async () => {
    const folder = new StoreFolder();
    for (const [index, id] of ['owner', partId('samples', '1'), partId('runs', '1')].entries()) {
      await fill(folder, 100, 'x', id);
      for (const name of namesOf(folder, id)) age(folder, name, 9 - index);
    }
    await tidy(folder, { ...MANY, maxBytes: 4_000 });
    const listed = (await folder.store().list()).map(({ sessionId }) => sessionId);
    expect(listed).toEqual(['owner']);
    expect(namesOf(folder, partId('samples', '1'))).toEqual([]);
  });

  test('removes the oldest sessions beyond the maximum number, but none that is open', async () => {
    const folder = new StoreFolder();
    const ids = ['a', 'b', 'c', 'd'];
    for (const [index, id] of ids.entries()) {
      await fill(folder, 1, 'body', id);
      for (const name of namesOf(folder, id)) age(folder, name, 9 - index);
    }
    const open = await folder.store().open('a');
    await tidy(folder, { ...MANY, maxSessions: 2 });
    expect((await folder.store().list()).map(({ sessionId }) => sessionId)).toEqual(['d', 'a']);
    expect(await open.readBody('0')).toBe('body');
  });

  test('keeps the modification time of a session when rewriting it', async () => {
    const folder = new StoreFolder();
    await fill(folder, 10);
    for (const name of folder.names()) age(folder, name, 2);
    const [before] = await folder.store().list();
    await tidy(folder, { ...MANY, maxRuns: 1 }, ID);
    const [after] = await folder.store().list();
    expect(Math.abs((after?.modifiedAt ?? 0) - (before?.modifiedAt ?? 0))).toBeLessThan(1000);
    expect(after?.bytes).toBeLessThan(before?.bytes ?? 0);
  });

  test('removes temporary files of windows that crashed', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const path = folder.file('.jsonl');
    const other = path.replace(/[0-9a-f]{32}/, '0'.repeat(32));
    for (const left of [`${path}.${process.pid}-abc.tmp`, other.replace('.jsonl', '.index.json')]) {
      writeFileSync(left, 'left');
      utimesSync(left, 0, 0);
    }
    const { pid: deadPid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(`${path}.${deadPid}-abd.tmp`, 'left a moment ago');
    writeFileSync(`${path}.${process.pid}-abe.tmp`, 'being written');
    writeFileSync(join(folder.path, 'notes.txt'), 'of somebody else');
    await tidy(folder, MANY);
    expect(folder.names()).toHaveLength(4);
    expect(folder.names()).toContain(`${basename(path)}.${process.pid}-abe.tmp`);
    expect(readFileSync(join(folder.path, 'notes.txt'), 'utf8')).toBe('of somebody else');
  });
});

describe('FileRunStore sessions', () => {
  test('copies lines and bodies, and the copy is independent', async () => {
    const folder = new StoreFolder();
    const store = folder.store();
    const scratch = await store.open('scratch');
    for (let n = 0; n < 3; n++) scratch.append(line(n), { key: `${n % 2}`, value: n });
    await fill(folder, 9, 'replaced', ID);
    await store.copy('scratch', ID);
    await store.copy(ID, ID);
    scratch.append(line(3));
    await scratch.close();
    const journal = await store.open(ID);
    expect(journal.lines).toEqual([line(0), line(1), line(2)]);
    expect(await keptOf(journal, 9)).toEqual([0, 1]);
    expect(await journal.readBody('0')).toBe(2);
    await journal.close();
    expect((await store.list()).map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [ID, 'scratch'].toSorted(),
    );
    expect(folder.names().filter((name) => name.endsWith('.open'))).toEqual([]);
  });

  test('copies nothing for a missing session', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    await folder.store().copy('nothing', ID);
    expect((await folder.store().open(ID)).lines).toEqual([]);
  });

  test('rejects if a copy cannot be written', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const path = folder.file('.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"line"', '"lime"'));
    const redact = (): Promise<never> => Promise.reject(new Error('no key'));
    await expect(folder.store({ redact }).copy(ID, 'other')).rejects.toThrow('no key');
  });

  test('removes a session with everything not yet written', async () => {
    const folder = new StoreFolder();
    const store = folder.store();
    await fill(folder, 1, 'body', 'other');
    const journal = await store.open(ID);
    journal.append(line(0), { key: '0', value: 'gone' });
    await journal.flush();
    journal.append(line(1), { key: '1', value: 'gone' });
    await store.remove(ID);
    await journal.flush();
    expect(folder.contents()).not.toContain('gone');
    expect((await store.list()).map(({ sessionId }) => sessionId)).toEqual(['other']);
    journal.append(line(2));
    await journal.close();
    expect((await store.open(ID)).lines).toEqual([line(2)]);
  });

  test('clears the folder, and keeps what open sessions append afterwards', async () => {
    const folder = new StoreFolder();
    const store = folder.store();
    await fill(folder, 3, 'body', 'closed');
    const journal = await store.open(ID);
    journal.append(line(0));
    await journal.flush();
    folder.clock.advance(60_000);
    journal.append(line(1));
    await store.clear();
    await journal.flush();
    expect(folder.names()).toEqual([]);
    expect(await store.list()).toEqual([]);
    journal.append(line(2));
    await journal.close();
    expect((await folder.store().open(ID)).lines).toEqual([line(2)]);
  });

  test('lists sizes and times, latest change first', async () => {
    const folder = new StoreFolder();
    await fill(folder, 5, KB, 'old');
    for (const name of folder.names()) age(folder, name, 1);
    await fill(folder, 1, 'body', 'new');
    const [first, second, ...rest] = await folder.store().list();
    expect([first?.sessionId, second?.sessionId, rest]).toEqual(['new', 'old', []]);
    expect((first?.bytes ?? 0) + (second?.bytes ?? 0)).toBe(folder.size());
    expect((first?.modifiedAt ?? 0) - (second?.modifiedAt ?? 0)).toBeGreaterThan(80_000_000);
  });
});

/** The files of a session, found by the header. */
function namesOf(folder: StoreFolder, id: string): string[] {
  const journal = folder
    .names()
    .filter((name) => name.endsWith('.jsonl'))
    .find((name) =>
      readFileSync(join(folder.path, name), 'utf8').startsWith(`{"format":1,"session":"${id}"`),
    );
  return folder.names().filter((name) => journal && name.startsWith(journal.slice(0, 32)));
}
