import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { fill, ID, line, StoreFolder } from './store-folder';

describe('FileRunStore in trouble', () => {
  test('reports a write error once, keeps the data in memory, and writes it when possible', async () => {
    const folder = new StoreFolder();
    writeFileSync(folder.path, 'no folder');
    const journal = await folder.store().open(ID);
    for (let n = 0; n < 3; n++) {
      journal.append(line(n), { key: `${n}`, value: { n } });
      await journal.flush();
    }
    expect(folder.problems).toHaveLength(1);
    expect(folder.problems[0]).not.toContain(folder.path);
    expect(await journal.readBody('1')).toEqual({ n: 1 });
    rmSync(folder.path);
    journal.append(line(3));
    await journal.close();
    const again = await folder.store().open(ID);
    expect(again.lines).toEqual([line(0), line(1), line(2), line(3)]);
    expect(await again.readBody('2')).toEqual({ n: 2 });
    expect(folder.problems).toHaveLength(1);
  });

  test('drops data if too much is waiting, and writes the rest when possible', async () => {
    const folder = new StoreFolder();
    writeFileSync(folder.path, 'no folder');
    const journal = await folder.store().open(ID);
    const body = 'x'.repeat(45 * 1024 * 1024);
    for (let n = 0; n < 3; n++) journal.append(line(n), { key: `${n}`, value: body });
    await journal.flush();
    rmSync(folder.path);
    journal.append(line(3));
    expect(folder.problems.at(-1)).toBe('Too much of the history waits to be written.');
    folder.clock.advance(1_000);
    await vi.waitFor(() => expect(folder.names()).not.toEqual([]), 30_000);
    await journal.flush();
    journal.append(line(4));
    await journal.close();
    expect((await folder.store().open(ID)).lines).toEqual([line(0), line(1), line(2), line(4)]);
  });

  test('reports a removed folder once and creates it again', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0), { key: '0', value: 0 });
    await journal.flush();
    rmSync(folder.path, { recursive: true });
    journal.append(line(1), { key: '1', value: 1 });
    await journal.flush();
    expect(folder.problems).toHaveLength(1);
    journal.append(line(2));
    await journal.flush();
    expect([await journal.readBody('0'), await journal.readBody('1')]).toEqual([undefined, 1]);
    await journal.close();
    expect((await folder.store().open(ID)).lines).toEqual([line(1), line(2)]);
    expect(folder.problems).toHaveLength(1);
  });

  test.skipIf(process.getuid?.() === 0)('reads a folder that is not writable', async () => {
    const folder = new StoreFolder();
    await fill(folder, 2);
    chmodSync(folder.path, 0o500);
    const journal = await folder.store().open(ID);
    expect(journal.lines).toHaveLength(2);
    expect(await journal.readBody('0')).toBe('body');
    journal.append(line(2));
    await journal.flush();
    expect(folder.problems).toHaveLength(1);
    chmodSync(folder.path, 0o700);
  });

  test('writes each line exactly once after partial writes', async () => {
    const folder = new StoreFolder();
    const journal = await folder.store().open(ID);
    journal.append(line(0));
    await journal.flush();
    const handle = await open(import.meta.filename);
    const prototype = Object.getPrototypeOf(handle) as {
      write: (bytes: Buffer, ...rest: unknown[]) => Promise<{ bytesWritten: number }>;
    };
    await handle.close();
    const write = prototype.write;
    for (let cut = 1; cut <= 60; cut += 1) {
      const spy = vi.spyOn(prototype, 'write').mockImplementationOnce(function (this: unknown, bytes) {
        return write.call(this, bytes.subarray(0, cut), 0, cut, null);
      });
      journal.append(line(cut), { key: 'a', value: cut });
      journal.append(line(-cut));
      await journal.flush();
      await journal.flush();
      spy.mockRestore();
      expect(await journal.readBody('a')).toBe(cut);
    }
    await journal.close();
    const expected = [0, ...Array.from({ length: 60 }, (_, index) => [index + 1, -index - 1]).flat()];
    expect((await folder.store().open(ID)).lines.map(({ n }) => n)).toEqual(expected);
  });

  test('never writes a secret, nor data that cannot be redacted', async () => {
    const CANARY = 'sk-canary-0123456789';
    const folder = new StoreFolder();
    let isBroken = false;
    const redact = async (value: unknown): Promise<unknown> => {
      if (isBroken) throw new Error(CANARY);
      return JSON.parse(JSON.stringify(value).replaceAll(CANARY, '*'.repeat(CANARY.length))) as unknown;
    };
    const store = folder.store({ redact });
    const id = `file:///projects/${CANARY}.json`;
    const journal = await store.open(id);
    journal.append({ text: CANARY, [CANARY]: 1 }, { key: `key ${CANARY}`, value: [`Bearer ${CANARY}`] });
    expect(await journal.readBody(`key ${CANARY}`)).toEqual(['Bearer ********************']);
    await journal.flush();
    isBroken = true;
    journal.append({ text: CANARY }, { key: 'lost', value: CANARY });
    await journal.flush();
    isBroken = false;
    folder.clock.advance(60_000);
    await store.copy(id, `${id}-${CANARY}`);
    await journal.close();
    expect(folder.contents()).toContain('Bearer ****');
    expect(folder.contents()).not.toContain(CANARY);
    expect(folder.names().join()).not.toContain(CANARY);
    expect(folder.problems.join()).not.toContain(CANARY);
    expect(folder.problems).toHaveLength(2);
    expect((await folder.store({ redact }).open(id)).lines).toHaveLength(1);
  });

  test('does not reject if a folder is in the place of a session’s file', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    const path = folder.file('.jsonl');
    rmSync(path);
    mkdirSync(path);
    const journal = await folder.store().open(ID);
    expect(journal.lines).toEqual([]);
    journal.append(line(0), { key: 'a', value: 1 });
    expect(await journal.readBody('a')).toBe(1);
    await journal.close();
  });
});
