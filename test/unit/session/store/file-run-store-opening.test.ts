import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { fill, ID, line, StoreFolder } from './store-folder';

/** Counts the bytes read from files while `work` runs. */
async function countBytesRead(work: () => Promise<unknown>): Promise<number> {
  const handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const read = vi.spyOn(prototype, 'read');
  try {
    await work();
    const results = await Promise.all(
      read.mock.results.map(({ value }) => value as Promise<{ bytesRead: number }>),
    );
    expect(results.length).toBeGreaterThan(0);
    return results.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  } finally {
    read.mockRestore();
  }
}

describe('FileRunStore opening', () => {
  test('reads only the index of a session with 1,000 runs', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1000, 'x'.repeat(50_000));
    expect(folder.size()).toBeGreaterThan(50_000_000);
    const store = folder.store();
    const bytes = await countBytesRead(async () => {
      const journal = await store.open(ID);
      expect(journal.lines).toHaveLength(1000);
    });
    expect(bytes).toBeLessThan(200_000);
  });

  test('reads the lines of a session without its runs', async () => {
    const folder = new StoreFolder();
    await fill(folder, 500, 'x'.repeat(50_000));
    const store = folder.store();
    const bytes = await countBytesRead(async () => {
      const { lines, keys } = await store.read(ID);
      expect([lines.length, keys.size]).toEqual([500, 500]);
    });
    expect(bytes).toBeLessThan(100_000);
    expect(await countBytesRead(() => store.list())).toBeLessThan(20_000);
  });

  test('reads what was written after the index, too', async () => {
    const folder = new StoreFolder();
    await fill(folder, 3);
    const crashed = await folder.store().open(ID);
    crashed.append(line(3), { key: '3', value: 'late' });
    await crashed.flush();
    const journal = await folder.store().open(ID);
    expect(journal.lines.map(({ n }) => n)).toEqual([0, 1, 2, 3]);
    expect(await journal.readBody('3')).toBe('late');
    expect(await journal.readBody('0')).toBe('body');
  });

  test.each([
    ['is truncated', (text: string) => text.slice(0, 40)],
    ['is empty', () => ''],
    ['has another version', (text: string) => text.replace('"format":1', '"format":2')],
    ['has wrong offsets', (text: string) => text.replaceAll(/\[(\d+),/g, '[1$1,')],
    ['lacks a list of lines', (text: string) => text.replace(/"lights":\[.*?\]\]/, '"lights":[]')],
    ['has negative offsets', (text: string) => text.replaceAll(/,(\d+)\]/g, ',-$1]')],
    ['belongs to another file', (text: string) => text.replace(/"check":"./, '"check":"x')],
  ])('recreates an index that %s', async (_, change) => {
    const folder = new StoreFolder();
    await fill(folder, 3, 'x'.repeat(2000));
    const index = readFileSync(folder.file('.index.json'), 'utf8');
    const changed = change(index);
    expect(changed).not.toBe(index);
    writeFileSync(folder.file('.index.json'), changed);
    const journal = await folder.store().open(ID);
    expect(journal.lines).toEqual([line(0), line(1), line(2)]);
    expect(await journal.readBody('2')).toBe('x'.repeat(2000));
    await journal.close();
    expect(readFileSync(folder.file('.index.json'), 'utf8')).toBe(index);
    expect(folder.problems).toEqual([]);
  });

  test('does not return the wrong body when an index has wrong positions', async () => {
    const folder = new StoreFolder();
    const first = await folder.store().open(ID);
    for (const key of ['a', 'b']) first.append(line(0), { key, value: key.repeat(5) });
    await first.close();
    const swapped = readFileSync(folder.file('.index.json'), 'utf8').replaceAll(/"[ab]"/g, (key) =>
      key === '"a"' ? '"b"' : '"a"',
    );
    writeFileSync(folder.file('.index.json'), swapped);
    const journal = await folder.store().open(ID);
    expect([await journal.readBody('a'), await journal.readBody('b')]).toEqual(['aaaaa', 'bbbbb']);
  });

  test.each([
    ['garbage', Buffer.from('{"line":{"n":'), 0],
    ['NUL bytes', Buffer.alloc(5000), 0],
    ['an incomplete character', Buffer.from('{"line":{"text":"ü').subarray(0, -1), 0],
    ['a line that is not a record', Buffer.from('[]\n{"line":1}\n'), 1],
    [
      'bytes that are not UTF-8',
      Buffer.from([...Buffer.from('{"line":{"a":"'), 0xff, ...Buffer.from('"}}\n')]),
      1,
    ],
  ])('ignores %s at the end, and continues on a new line', async (_, tail, problemCount) => {
    const folder = new StoreFolder();
    await fill(folder, 2);
    appendFileSync(folder.file('.jsonl'), tail);
    const journal = await folder.store().open(ID);
    expect(journal.lines).toEqual([line(0), line(1)]);
    expect(folder.problems).toHaveLength(problemCount);
    journal.append(line(2), { key: '2', value: 'after' });
    await journal.close();
    const again = await folder.store().open(ID);
    expect(again.lines).toEqual([line(0), line(1), line(2)]);
    expect(await again.readBody('2')).toBe('after');
    expect(folder.problems).toHaveLength(1);
    expect(folder.problems[0]).toContain('Damaged lines of the history were skipped');
  });

  test('skips a line that is longer than the maximum without loading it', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    appendFileSync(folder.file('.jsonl'), `{"line":{"text":"${'x'.repeat(70 * 1024 * 1024)}"}}\n`);
    appendFileSync(folder.file('.jsonl'), '{"line":{"n":1}}\n');
    expect((await folder.store().open(ID)).lines).toEqual([line(0), line(1)]);
    expect(folder.problems).toHaveLength(1);
  });

  test('writes a missing header again', async () => {
    const folder = new StoreFolder();
    await fill(folder, 2);
    truncateSync(folder.file('.jsonl'), 10);
    const journal = await folder.store().open(ID);
    expect(journal.lines).toEqual([]);
    journal.append(line(7));
    await journal.close();
    expect((await folder.store().open(ID)).lines).toEqual([line(7)]);
    expect((await folder.store().list()).map(({ sessionId }) => sessionId)).toEqual([ID]);
  });

  test('does not touch a file of a later version', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const text = readFileSync(folder.file('.jsonl'), 'utf8').replace('"format":1', '"format":2');
    writeFileSync(folder.file('.jsonl'), text);
    rmSync(folder.file('.index.json'));
    const journal = await folder.store({ limits: () => ({ maxBytes: 1e6, maxRuns: 0 }) }).open(ID);
    expect([journal.lines, await journal.readBody('0')]).toEqual([[], undefined]);
    journal.append(line(1), { key: '1', value: 'kept in memory' });
    expect(await journal.readBody('1')).toBe('kept in memory');
    await journal.close();
    expect(readFileSync(folder.file('.jsonl'), 'utf8')).toBe(text);
    expect(folder.problems).toHaveLength(1);
  });
});
