import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isWithin, RunMoves } from '../../../../src/host/playground/run-moves';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** What has ended of these, in order. */
function follow(promises: Record<string, Promise<void>>): string[] {
  const ended: string[] = [];
  for (const [name, promise] of Object.entries(promises)) void promise.then(() => ended.push(name));
  return ended;
}

describe('RunMoves', () => {
  test('what opens under the new name waits until the runs have followed, and nothing else waits', async () => {
    const moves = new RunMoves();
    let finish = (): void => undefined;
    moves.announce('/new');
    const ended = follow({
      file: moves.settled('/new'),
      below: moves.settled('/new/one'),
      beside: moves.settled('/newer'),
    });
    const moved = moves.move('/new', () => new Promise((resolve) => (finish = resolve)));
    const late = follow({ late: moves.settled('/new'), closed: moves.close() });
    await vi.advanceTimersByTimeAsync(0);
    expect([ended, late]).toEqual([['beside'], []]);
    finish();
    await moved;
    await vi.advanceTimersByTimeAsync(0);
    expect(ended.toSorted()).toEqual(['below', 'beside', 'file']);
    expect(late.toSorted()).toEqual(['closed', 'late']);
  });

  test('a rename that was announced and did not happen holds nobody up for long', async () => {
    const moves = new RunMoves();
    moves.announce('/new');
    const ended = follow({ file: moves.settled('/new') });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(ended).toEqual(['file']);
  });

  test('a move that fails ends the waiting, and is told to whoever began it', async () => {
    const moves = new RunMoves();
    await expect(moves.move('/new', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    await Promise.all([moves.settled('/new'), moves.close()]);
  });
});

describe('isWithin', () => {
  test('is the place itself and what is below it', () => {
    expect(['/a', '/a/b', '/ab', '/'].map((id) => isWithin(id, '/a'))).toEqual([true, true, false, false]);
  });
});
