import { existsSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { JournalLine } from '../../../../src/session';
import { fill, ID, line, StoreFolder } from './store-folder';

/** Long enough for a busy machine. */
const SOON = { timeout: 60_000, interval: 20 };

describe('FileRunStore', () => {
  test('returns the lines of a session in order, and bodies by key', async () => {
    const folder = new StoreFolder();
    await fill(folder, 3, { text: 'ü \ud800 \u2028', list: [1, null] });
    const journal = await folder.store().open(ID);
    expect(journal.lines).toEqual([line(0), line(1), line(2)]);
    expect(await journal.readBody('1')).toEqual({ text: 'ü \ud800 \u2028', list: [1, null] });
    expect(await journal.readBody('3')).toBeUndefined();
  });

  test('keeps bodies out of lines, and a later body with the same key replaces an earlier one', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0), { key: 'a', value: 'first' });
    journal.append(line(1), { key: 'a', value: 'second' });
    expect(await journal.readBody('a')).toBe('second');
    await journal.close();
    const again = await folder.store().open(ID);
    expect(again.lines).toEqual([line(0), line(1)]);
    expect(await again.readBody('a')).toBe('second');
  });

  test('leaves nothing behind if a session was only opened', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    expect(journal.lines).toEqual([]);
    await journal.close();
    expect(existsSync(folder.path)).toBe(false);
    expect(folder.clock.pending).toBe(0);
  });

  test('collects appended data and writes it within a second', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0));
    journal.append(line(1));
    expect(folder.names()).toEqual([]);
    folder.clock.advance(1000);
    await vi.waitFor(
      () => expect(readFileSync(folder.file('.jsonl'), 'utf8').split('\n')).toHaveLength(4),
      SOON,
    );
  });

  test('stores data as it was when it was appended', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    const state = { text: 'before' };
    journal.append({ state }, { key: 'state', value: state });
    state.text = 'after';
    expect(await journal.readBody('state')).toEqual({ text: 'before' });
    await journal.close();
    expect((await folder.store().open(ID)).lines).toEqual([{ state: { text: 'before' } }]);
  });

  test('writes nothing after closing', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0));
    await Promise.all([journal.close(), journal.close()]);
    const size = folder.size();
    journal.append(line(1));
    await journal.flush();
    folder.clock.advance(60_000);
    expect([folder.size(), folder.clock.pending]).toEqual([size, 0]);
  });

  test('reports and skips values that are not JSON, without throwing', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    journal.append(cycle);
    journal.append({ big: 1n });
    journal.append({
      toJSON: () => {
        throw new Error('no');
      },
    });
    journal.append({ toJSON: () => 'a text' });
    expect(folder.problems).toHaveLength(4);
    journal.append(line(1), { key: 'a', value: 1 });
    journal.append(line(2), { key: 'a', value: cycle });
    expect(folder.problems).toHaveLength(5);
    // An earlier body would be wrong.
    expect(await journal.readBody('a')).toBeUndefined();
    await journal.close();
    expect((await folder.store().open(ID)).lines).toEqual([line(1), line(2)]);
  });

  test('reports and skips values that are nested too deeply for the stack', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    journal.append({ deep });
    journal.append(line(1));
    await journal.close();
    expect(folder.problems).toHaveLength(1);
    expect((await folder.store().open(ID)).lines).toEqual([line(1)]);
  });

  test('reports and skips lines over 1 MB and bodies over 64 MB', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append({ text: 'x'.repeat(1024 * 1024) });
    // Each of these characters takes three bytes.
    journal.append(line(1), { key: 'body', value: '漢'.repeat(23 * 1024 * 1024) });
    journal.append(line(2), { key: 'k'.repeat(1001), value: 1 });
    expect(folder.problems).toEqual([
      'A line of the history was not stored: it is larger than 1 MB.',
      'A body of the history was not stored: it is larger than 64 MB.',
      'A body of the history was not stored: its key is too long.',
    ]);
    await journal.close();
    expect(folder.size()).toBeLessThan(2000);
    expect((await folder.store().open(ID)).lines).toEqual([line(1), line(2)]);
  });

  test('accepts any session ids, keys and lines', async () => {
    const folder = new StoreFolder();
    const ids = ['../../etc/passwd', '', '\0', '\ud800', '\ud801', '__proto__', 'x'.repeat(1000)];
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as JournalLine;
    for (const id of ids) {
      const journal = await folder.store().open(id);
      journal.append(hostile, { key: '__proto__', value: hostile });
      journal.append({ id });
      await journal.close();
    }
    for (const id of ids) {
      const journal = await folder.store().open(id);
      expect(JSON.stringify(journal.lines)).toBe(JSON.stringify([hostile, { id }]));
      expect(JSON.stringify(await journal.readBody('__proto__'))).toBe(JSON.stringify(hostile));
      expect(await journal.readBody('constructor')).toBeUndefined();
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    const listed = await folder.store().list();
    expect(listed.map(({ sessionId }) => sessionId).toSorted()).toEqual(ids.toSorted());
  });

  test('creates files that only their owner can read', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0));
    await journal.flush();
    folder.clock.advance(60_000);
    await vi.waitFor(() => folder.file('.index.json'), SOON);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    expect(folder.names()).toHaveLength(3);
    for (const name of folder.names()) expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  });

  test('does not follow a link in the folder', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const elsewhere = join(folder.path, '..', 'elsewhere');
    const path = folder.file('.jsonl');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    const before = readFileSync(elsewhere, 'utf8');
    const journal = await folder.store().open(ID);
    journal.append(line(9));
    await journal.close();
    expect(journal.lines).toEqual([]);
    expect(readFileSync(elsewhere, 'utf8')).toBe(before);
    expect(folder.problems.some((problem) => problem.includes('ELOOP'))).toBe(true);
    await folder.store().clear();
    expect(existsSync(elsewhere)).toBe(true);
  });
});
