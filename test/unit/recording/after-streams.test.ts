// Work that waits for its turn: in order, in short turns, and never for ever.
import { describe, expect, it } from 'vitest';
import { AfterStreams } from '../../../src/recording/after-streams';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function spin(ms: number): void {
  const start = performance.now();
  while (performance.now() - start < ms);
}

describe('AfterStreams', () => {
  it('does nothing at once, and then all in its order', async () => {
    const done: number[] = [];
    const work = new AfterStreams<number>((item) => done.push(item));
    for (const item of [1, 2, 3]) work.add(item);
    expect(done).toEqual([]);
    await expect.poll(() => done).toEqual([1, 2, 3]);
    work.add(4);
    await expect.poll(() => done).toEqual([1, 2, 3, 4]);
  });

  it('lets others have their turn after a millisecond', async () => {
    const done: number[] = [];
    const work = new AfterStreams<number>((item) => {
      spin(2);
      done.push(item);
    });
    for (const item of [1, 2, 3]) work.add(item);
    await nextTurn();
    expect(done).toEqual([1]);
    await nextTurn();
    expect(done).toEqual([1, 2]);
  });

  it('keeps no more than so many waiting, however fast they come', async () => {
    const done: number[] = [];
    const work = new AfterStreams<number>((item) => done.push(item));
    for (let item = 0; item < 1_000; item += 1) work.add(item);
    expect(done.length).toBe(1_000 - 256);
    await expect.poll(() => done.length).toBe(1_000);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
  });

  it('ends what waits when it is told to', () => {
    const done: number[] = [];
    const work = new AfterStreams<number>((item) => done.push(item));
    for (const item of [1, 2, 3]) work.add(item);
    work.finish();
    expect(done).toEqual([1, 2, 3]);
  });

  it('survives that it was told to end before its turn', async () => {
    const done: number[] = [];
    const work = new AfterStreams<number>((item) => done.push(item));
    work.add(1);
    work.finish();
    await nextTurn();
    work.add(2);
    await expect.poll(() => done).toEqual([1, 2]);
  });
});
