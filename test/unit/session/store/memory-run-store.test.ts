import { describe, expect, test, vi } from 'vitest';
import { MemoryRunStore } from '../../../../src/session';

describe('MemoryRunStore', () => {
  test('keeps appended lines and bodies, even after closing', async () => {
    const store = new MemoryRunStore();
    const journal = await store.open('a');
    const state = { text: 'before' };
    journal.append({ state }, { key: '__proto__', value: state });
    state.text = 'after';
    expect(journal.lines).toEqual([]);
    expect(await journal.readBody('__proto__')).toEqual({ text: 'before' });
    await journal.flush();
    await journal.close();
    journal.append({ late: true });
    const again = await store.open('a');
    expect(again.lines).toEqual([{ state: { text: 'before' } }]);
    expect(await again.readBody('constructor')).toBeUndefined();
  });

  test('replaces an earlier body with the same key, even if the new one cannot be stored', async () => {
    const problems: string[] = [];
    const store = new MemoryRunStore({ onProblem: (problem) => problems.push(problem) });
    const journal = await store.open('a');
    journal.append({ n: 0 }, { key: 'a', value: 1 });
    journal.append({ n: 1 }, { key: 'a', value: 2 });
    expect(await journal.readBody('a')).toBe(2);
    journal.append({ n: 2 }, { key: 'a', value: 1n });
    journal.append({ n: 3n });
    expect(await journal.readBody('a')).toBeUndefined();
    expect(problems).toHaveLength(2);
    expect((await store.open('a')).lines).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
  });

  test('redacts like the store on disk, and keeps nothing that cannot be redacted', async () => {
    const problems: string[] = [];
    const redact = async (value: unknown): Promise<unknown> => {
      const text = JSON.stringify(value);
      if (text.includes('broken')) throw new Error('broken');
      return JSON.parse(text.replaceAll('canary', '******')) as unknown;
    };
    const store = new MemoryRunStore({ redact, onProblem: (problem) => problems.push(problem) });
    const journal = await store.open('a');
    journal.append({ text: 'canary' }, { key: 'canary', value: ['canary'] });
    journal.append({ text: 'broken' });
    expect(await journal.readBody('canary')).toEqual(['******']);
    expect(await journal.readBody('broken')).toBeUndefined();
    expect((await store.open('a')).lines).toEqual([{ text: '******' }]);
    expect(problems).toHaveLength(1);
  });

  test('drops bodies first if there are too many, then sessions that are not open', async () => {
    const store = new MemoryRunStore({ maxBytes: 500 });
    const closed = await store.open('closed');
    closed.append({ n: 0 }, { key: 'a', value: 'x'.repeat(200) });
    await closed.close();
    const open = await store.open('open');
    open.append({ n: 1 }, { key: 'a', value: 'y'.repeat(200) });
    open.append({ n: 2 }, { key: 'b', value: 'z'.repeat(200) });
    expect(await open.readBody('a')).toBe('y'.repeat(200));
    expect(await (await store.open('closed')).readBody('a')).toBeUndefined();
    const third = await store.open('third');
    await third.close();
    for (let n = 0; n < 50; n++) open.append({ n });
    expect(await open.readBody('b')).toBeUndefined();
    expect((await store.open('open')).lines).toHaveLength(52);
  });

  test('counts the bytes of what is kept, whatever was replaced and removed', async () => {
    const store = new MemoryRunStore();
    const journal = await store.open('a');
    journal.append({ n: 0, about: 'a' }, { key: 'a', value: 'x'.repeat(300) });
    journal.append({ n: 1 }, { key: 'a', value: 'y'.repeat(100) });
    journal.append({ n: 2 }, { key: 'b', value: 'z' });
    await journal.flush();
    const sizeOf = (...records: object[]): number =>
      records.reduce((sum, record) => sum + Buffer.byteLength(`${JSON.stringify(record)}\n`), 0);
    const lines = [0, 1, 2].map((n) => ({ line: n === 0 ? { n, about: 'a' } : { n } }));
    const b = { body: 'b', value: 'z' };
    expect((await store.list())[0]?.bytes).toBe(sizeOf(...lines, { body: 'a', value: 'y'.repeat(100) }, b));
    journal.append({ n: 3 }, { key: 'a', value: undefined });
    await journal.flush();
    expect((await store.list())[0]?.bytes).toBe(sizeOf(...lines.slice(1), b, { line: { n: 3 } }));
  });

  test('removes the lines about a removed body without reading all lines again', async () => {
    const store = new MemoryRunStore();
    const journal = await store.open('a');
    const keys = Array.from({ length: 100 }, (_, n) => `run ${n}`);
    for (const key of keys) journal.append({ about: key }, { key, value: 1 });
    await journal.flush();
    const parse = vi.spyOn(JSON, 'parse');
    for (const key of keys.slice(1)) journal.append({ kind: 'deleted' }, { key, value: undefined });
    await journal.flush();
    expect(parse.mock.calls.length).toBeLessThan(10 * keys.length);
    parse.mockRestore();
    const { lines } = await store.open('a');
    expect(lines.filter(({ about }) => about !== undefined)).toEqual([{ about: 'run 0' }]);
  });

  test('copies, removes, lists and clears sessions', async () => {
    const store = new MemoryRunStore();
    const journal = await store.open('a');
    journal.append({ n: 0 }, { key: 'a', value: 1 });
    await store.copy('a', 'b');
    await store.copy('a', 'a');
    journal.append({ n: 1 }, { key: 'a', value: 2 });
    expect((await store.list()).map(({ sessionId }) => sessionId)).toEqual(['a', 'b']);
    const copy = await store.open('b');
    expect([copy.lines, await copy.readBody('a')]).toEqual([[{ n: 0 }], 1]);
    await store.copy('nothing', 'b');
    expect((await store.open('b')).lines).toEqual([]);
    await store.remove('b');
    expect((await store.list()).map(({ bytes }) => bytes > 0)).toEqual([true]);
    await store.clear();
    expect(await store.list()).toEqual([]);
  });
});
