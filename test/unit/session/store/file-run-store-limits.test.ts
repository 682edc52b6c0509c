import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { HistoryLimits, Journal } from '../../../../src/session';
import { fill, ID, line, StoreFolder } from './store-folder';

/** On a busy machine, too. */
const SOON = { timeout: 60_000, interval: 20 };

const MANY = { maxBytes: 1e9, maxRuns: 1e6 };
const KB = 'x'.repeat(1000);

const keptOf = async (journal: Journal, count: number): Promise<number[]> => {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const bodies = await Promise.all(numbers.map((n) => journal.readBody(`${n}`)));
  return numbers.filter((n) => bodies[n] !== undefined);
};

/** Closes a session under the limits, which tidies the folder. */
async function tidy(folder: StoreFolder, limits: HistoryLimits, id = 'another'): Promise<void> {
  await (await folder.store({ limits: () => limits }).open(id)).close();
}

/** Makes the session that was written last so old. */
function age(folder: StoreFolder, name: string, days: number): void {
  const at = Date.now() / 1000 - days * 86_400;
  utimesSync(join(folder.path, name), at, at);
}

describe('FileRunStore limits', () => {
  test('of more bodies than runs are kept the oldest go, and no line', async () => {
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

  test('a body that was written again counts as new, and as one', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store({ limits: () => ({ ...MANY, maxRuns: 2 }) }).open(ID);
    for (const key of ['0', '1', '0', '0', '2']) journal.append(line(0), { key, value: key });
    await journal.close();
    expect(await keptOf(await folder.store().open(ID), 3)).toEqual([0, 2]);
  });

  test('no more than a tenth more goes than has to, so that not every run has the file rewritten', async () => {
    const folder = new StoreFolder();
    await fill(folder, 101);
    await tidy(folder, { ...MANY, maxRuns: 100 }, ID);
    expect(await keptOf(await folder.store().open(ID), 101)).toHaveLength(90);
  });

  test('a body that belongs to the next one does not count, and goes with it', async () => {
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

  test('bodies under the limit of bytes stay, the oldest of the session that rested longest go first', async () => {
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

  test('what was replaced goes before anything that can be read', async () => {
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

  test('sessions that nobody has open go as a whole when their bodies are not enough', async () => {
    const folder = new StoreFolder();
    const open = await folder.store().open('open');
    open.append({ text: KB.repeat(5) }, { key: '0', value: KB });
    await open.flush();
    const others = ['first', 'second', 'third'];
    for (const [index, id] of others.entries()) {
      await fill(folder, 100, 'x', id);
      for (const name of namesOf(folder, id)) age(folder, name, 9 - index);
    }
    // the lines of each of them are 1.8 KB
    await tidy(folder, { ...MANY, maxBytes: 9_000 });
    expect(folder.size()).toBeLessThanOrEqual(9_000);
    const listed = (await folder.store().list()).map(({ sessionId }) => sessionId);
    expect(listed).toEqual(['open', 'third']);
    expect((await folder.store().open('open')).lines).toHaveLength(1);
    expect(await open.readBody('0')).toBe(KB);
  });

  test('of more sessions than are kept the oldest go, but none that is open', async () => {
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

  test('rewriting keeps when the session was changed', async () => {
    const folder = new StoreFolder();
    await fill(folder, 10);
    for (const name of folder.names()) age(folder, name, 2);
    const [before] = await folder.store().list();
    await tidy(folder, { ...MANY, maxRuns: 1 }, ID);
    const [after] = await folder.store().list();
    expect(Math.abs((after?.modifiedAt ?? 0) - (before?.modifiedAt ?? 0))).toBeLessThan(1000);
    expect(after?.bytes).toBeLessThan(before?.bytes ?? 0);
  });

  test('what is left of windows that ended in the middle of something is removed', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const path = folder.file('.jsonl');
    const other = path.replace(/[0-9a-f]{32}/, '0'.repeat(32));
    for (const left of [`${path}.1-abc.tmp`, other.replace('.jsonl', '.index.json')]) {
      writeFileSync(left, 'left');
      utimesSync(left, 0, 0);
    }
    writeFileSync(join(folder.path, 'notes.txt'), 'of somebody else');
    await tidy(folder, MANY);
    expect(folder.names()).toHaveLength(3);
    expect(readFileSync(join(folder.path, 'notes.txt'), 'utf8')).toBe('of somebody else');
  });
});

describe('FileRunStore sessions', () => {
  test('a copy has the lines and the bodies, and goes its own way', async () => {
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

  test('a copy of nothing is nothing', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    await folder.store().copy('nothing', ID);
    expect((await folder.store().open(ID)).lines).toEqual([]);
  });

  test('a copy that cannot be written is told to whoever asked for it', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const path = folder.file('.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"line"', '"lime"'));
    const redact = (): Promise<never> => Promise.reject(new Error('no key'));
    await expect(folder.store({ redact }).copy(ID, 'other')).rejects.toThrow('no key');
  });

  test('a session that is removed is gone with what was not written yet', async () => {
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

  test('clearing leaves nothing in the folder, and what open sessions append afterwards is kept', async () => {
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

  test('the list tells sizes and times, the last changed first', async () => {
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

/** The files of a session, found by its header. */
function namesOf(folder: StoreFolder, id: string): string[] {
  const journal = folder
    .names()
    .filter((name) => name.endsWith('.jsonl'))
    .find((name) =>
      readFileSync(join(folder.path, name), 'utf8').startsWith(`{"format":1,"session":"${id}"`),
    );
  return folder.names().filter((name) => journal && name.startsWith(journal.slice(0, 32)));
}
