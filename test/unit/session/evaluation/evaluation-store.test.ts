// Which evaluations of a playground are kept.
import { describe, expect, it } from 'vitest';
import { EvaluationStore, MAX_PINNED_EVALUATIONS, MemoryRunStore } from '../../../../src/session';
import { StoredSamples } from '../../../../src/session/evaluation/evaluation-store';
import { MemorySink } from '../../../../src/session/run/memory-sink';

const headOf = (number: number) => ({
  id: `e${number}`,
  startedAt: number,
  passed: 1,
  planned: 1,
  durationMs: 1,
  isEnded: true,
  more: {},
});

describe('EvaluationStore', () => {
  it('keeps the newest ones and the pinned ones, and removes the samples of the others', async () => {
    const store = new MemoryRunStore();
    const evaluations = new EvaluationStore(store, await store.open('file:one'));
    const samples = await evaluations.open('e0');
    samples.storeVerdicts({ of: 'e0' } as never);
    await samples.close();
    for (let number = 0; number < 22; number++) {
      await evaluations.note(headOf(number));
      if (number === 1) await evaluations.mark('e1', { isPinned: true });
    }
    const kept = evaluations.evaluations.map(({ id }) => id);
    expect(kept).toHaveLength(21);
    expect(kept.slice(-2)).toEqual(['e2', 'e1']);
    expect(await (await evaluations.open('e0')).readVerdicts()).toBeUndefined();
    expect(MAX_PINNED_EVALUATIONS).toBeLessThan(kept.length);
    const again = new EvaluationStore(store, await store.open('file:one'));
    expect(again.evaluations).toEqual(evaluations.evaluations);
  });

  it('never removes the one that is noted, however old it is', async () => {
    const store = new MemoryRunStore();
    const evaluations = new EvaluationStore(store, await store.open('file:one'));
    await evaluations.note(headOf(0));
    await evaluations.mark('e0', { isPinned: true });
    for (let number = 1; number <= 20; number++) await evaluations.note(headOf(number));
    await evaluations.mark('e0', { isPinned: false });
    await evaluations.note({ ...headOf(0), isEnded: false });
    const kept = evaluations.evaluations.map(({ id }) => id);
    expect(kept).toContain('e0');
    expect(kept).not.toContain('e1');
    expect(kept).toHaveLength(20);
  });
});

describe('the list of evaluations', () => {
  it('counts the repeats that were added, and has no number where rows differ', async () => {
    const store = new MemoryRunStore();
    const evaluations = new EvaluationStore(store, await store.open('file:one'));
    const head = { ...headOf(0), lanes: ['a'], rows: 1, repeats: 5, more: { '': 3 } };
    await evaluations.note({ ...head, planned: 8 });
    expect(evaluations.evaluations).toMatchObject([{ repeats: 8 }]);
    await evaluations.note({ ...head, planned: 10, more: { '': 3, oslo: 2 } });
    expect(evaluations.evaluations[0]).not.toHaveProperty('repeats');
  });
});

describe('StoredSamples', () => {
  const sampleOf = (repeat: number) => ({
    key: `k${repeat}`,
    rowId: 'oslo',
    laneId: 'a',
    repeat,
    at: repeat,
    outcome: { reason: 'time' as const, message: '' },
    runsIn: 'e1',
    runIds: [],
  });

  /** The runs are written to a disk that says when it is done. */
  async function openHeld() {
    const store = new MemoryRunStore();
    const flushes: (() => void)[] = [];
    const runs = {
      ...(await store.open('runs')),
      flush: () => new Promise<void>((resolve) => void flushes.push(resolve)),
    };
    const samples = new StoredSamples('e1', await store.open('lines'), () => Promise.resolve(runs));
    return {
      append: (repeat: number) =>
        samples.append(runs, sampleOf(repeat), { sink: new MemorySink(), isFailed: false }),
      /** The samples that a window which opens now takes for finished. */
      finished: async (): Promise<number[]> => {
        const again = new StoredSamples('e1', await store.open('lines'), () => Promise.resolve(runs));
        return [...again.read()].map(({ repeat }) => repeat);
      },
      endFlush: () => flushes.shift()?.(),
      written: () => samples.written(),
    };
  }

  it('notes a sample as finished only once its runs are written', async () => {
    const { append, finished, endFlush, written } = await openHeld();
    append(1);
    expect(await finished()).toEqual([]);
    // It ends while the runs of the first are being written: those writes may be without its own.
    append(2);
    endFlush();
    await expect.poll(finished).toEqual([1]);
    endFlush();
    await written();
    expect(await finished()).toEqual([1, 2]);
  });
});
