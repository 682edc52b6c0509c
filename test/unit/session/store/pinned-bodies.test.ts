// Bodies that a user pinned or deleted, on disk and in memory.
import { describe, expect, test } from 'vitest';
import type { HistoryLimits, HistoryStore, Journal } from '../../../../src/session';
import { MemoryRunStore } from '../../../../src/session';
import { fill, ID, line, StoreFolder } from './store-folder';

const MANY = { maxBytes: 1e9, maxRuns: 1e6 };
const pin = (key: string, isPinned = true) => ({ kind: 'mark', about: key, isPinned });
const take = (journal: Journal, key: string): void =>
  journal.append({ kind: 'deleted' }, { key, value: undefined });

async function keysOf(store: HistoryStore, id = ID): Promise<string[]> {
  return [...(await store.read(id)).keys];
}

async function tidy(folder: StoreFolder, limits: HistoryLimits, id = ID): Promise<void> {
  await (await folder.store({ limits: () => limits }).open(id)).close();
}

describe('pinned bodies', () => {
  test('stay when the oldest are removed, with the bodies that belong to them, even after the index was read again', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    for (let n = 0; n < 6; n++) {
      journal.append(line(n), { key: `+${n}`, value: n });
      journal.append(line(n), { key: `${n}`, value: n });
    }
    journal.append(pin('0'));
    journal.append(pin('1'));
    journal.append(pin('1', false));
    await journal.close();
    await tidy(folder, { ...MANY, maxRuns: 3 });
    expect(await keysOf(folder.store())).toEqual(['+0', '0', '+4', '4', '+5', '5']);
    await fill(folder, 3, 'new');
    await tidy(folder, { ...MANY, maxRuns: 3 });
    expect(await keysOf(folder.store())).toEqual(['0', '1', '2']);
  });

  test('are at most half of the maximum: the latest ones', async () => {
    const folder = new StoreFolder();
    await fill(folder, 8);
    const journal = await folder.store().open(ID);
    for (let n = 0; n < 8; n++) if (n !== 5) journal.append(pin(`${n}`));
    await journal.close();
    await tidy(folder, { ...MANY, maxRuns: 4 });
    expect(await keysOf(folder.store())).toEqual(['4', '5', '6', '7']);
    await tidy(folder, { ...MANY, maxRuns: 1 });
    expect(await keysOf(folder.store())).toEqual(['7']);
  });

  test('stay when the folder is too large, as long as other bodies can be removed', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    for (let n = 0; n < 4; n++) journal.append(line(n), { key: `${n}`, value: 'x'.repeat(10_000) });
    journal.append(pin('0'));
    await journal.close();
    await tidy(folder, { ...MANY, maxBytes: 25_000 }, 'another');
    expect(await keysOf(folder.store())).toEqual(['0', '3']);
  });

  test('include those that were pinned in either window', async () => {
    const folder = new StoreFolder();
    await fill(folder, 6);
    const windows = [await folder.store().open(ID), await folder.store().open(ID)];
    for (const [index, journal] of windows.entries()) {
      journal.append(pin(`${index}`));
      await journal.flush();
    }
    await Promise.all(windows.map((journal) => journal.close()));
    await tidy(folder, { ...MANY, maxRuns: 4 });
    expect(await keysOf(folder.store())).toEqual(['0', '1', '4', '5']);
    expect(folder.problems).toEqual([]);
  });

  test('stay in memory, too', async () => {
    const store = new MemoryRunStore({ maxBytes: 700 });
    const journal = await store.open(ID);
    journal.append(line(0), { key: '+0', value: 'wire' });
    for (let n = 0; n < 6; n++) {
      journal.append(line(n), { key: `${n}`, value: 'x'.repeat(100) });
      if (n === 0) journal.append(pin('0'));
    }
    await journal.flush();
    expect(await keysOf(store)).toEqual(['+0', '0', '3', '4', '5']);
  });
});

describe('a body that others hold', () => {
  const hold = (journal: Journal, holder: string): void => journal.append({ holder, held: '+shared' });

  test('stays as long as one of them, even after the index was read again', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0), { key: '+shared', value: 'setup' });
    for (let n = 0; n < 6; n++) {
      if (n < 4) hold(journal, `${n}`);
      journal.append(line(n), { key: `${n}`, value: n });
    }
    await journal.close();
    await tidy(folder, { ...MANY, maxRuns: 4 });
    expect(await keysOf(folder.store())).toEqual(['+shared', '2', '3', '4', '5']);
    await tidy(folder, { ...MANY, maxRuns: 3 });
    expect(await keysOf(folder.store())).toEqual(['+shared', '3', '4', '5']);
    await tidy(folder, { ...MANY, maxRuns: 2 });
    const later = await folder.store().open(ID);
    later.append(line(6), { key: '6', value: 6 });
    await later.close();
    await tidy(folder, { ...MANY, maxRuns: 2 });
    expect(await keysOf(folder.store())).toEqual(['5', '6']);
  });

  test('stays in memory, too', async () => {
    const store = new MemoryRunStore({ maxBytes: 1_000 });
    const journal = await store.open(ID);
    journal.append(line(0), { key: '+shared', value: 'setup' });
    for (let n = 0; n < 6; n++) {
      if (n < 4) hold(journal, `${n}`);
      journal.append(line(n), { key: `${n}`, value: 'x'.repeat(200) });
    }
    await journal.flush();
    const keys = await keysOf(store);
    expect(keys[0]).toBe('+shared');
    expect(keys).not.toContain('0');
    expect(keys).toContain('3');
    journal.append(line(9), { key: 'large', value: 'x'.repeat(450) });
    await journal.flush();
    expect(await keysOf(store)).toEqual(['large']);
  });
});

describe('a deleted body', () => {
  test('is removed from disk with its summary', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    for (const name of ['canary', 'other']) {
      journal.append(line(0), { key: name, value: `${name} body` });
      journal.append({ about: name, text: `${name} summary` });
    }
    await journal.close();
    const again = await folder.store().open(ID);
    take(again, 'canary');
    expect(await again.readBody('canary')).toBeUndefined();
    await again.close();
    expect(folder.contents()).not.toMatch(/canary (body|summary)/);
    expect(folder.contents()).toMatch(/other body[^]*other summary/);
    expect(await folder.store().read(ID)).toEqual({
      lines: [line(0), line(0), { about: 'other', text: 'other summary' }, { kind: 'deleted' }],
      keys: new Set(['other']),
    });
    expect(folder.problems).toEqual([]);
  });

  test('is removed from disk when the last window closes the session', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1, 'canary');
    const open = await folder.store().open(ID);
    const other = await folder.store().open(ID);
    take(other, '0');
    await other.close();
    expect(await open.readBody('0')).toBeUndefined();
    expect(folder.contents()).toContain('canary');
    await open.close();
    expect(folder.contents()).not.toContain('canary');
  });

  test('is removed from disk even if the window crashed before the file was rewritten', async () => {
    const folder = new StoreFolder();
    await fill(folder, 2, 'canary');
    const holder = await folder.store().open(ID);
    const other = await folder.store().open(ID);
    take(other, '0');
    take(other, '1');
    await other.close();
    await holder.flush();
    // An index that was saved meanwhile contains it.
    await tidy(folder, MANY);
    await holder.close();
    expect(folder.contents()).not.toContain('canary');
  });

  test('is removed from memory, too', async () => {
    const store = new MemoryRunStore();
    const journal = await store.open(ID);
    journal.append(line(0), { key: 'a', value: 'body' });
    journal.append({ about: 'a', text: 'summary' });
    take(journal, 'a');
    expect(await store.read(ID)).toEqual({ lines: [line(0), { kind: 'deleted' }], keys: new Set() });
  });
});

test('the current state of an open session is read, and an unknown session is empty', async () => {
  for (const store of [new StoreFolder().store(), new MemoryRunStore()]) {
    expect(await store.read('nobody')).toEqual({ lines: [], keys: new Set() });
    const journal = await store.open(ID);
    journal.append(line(1), { key: '1', value: 'body' });
    expect(await store.read(ID)).toEqual({ lines: [line(1)], keys: new Set(['1']) });
  }
});
