import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isWithin, RunMoves } from '../../../../../src/host/playground/files/run-moves';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Collects the names of promises as they are fulfilled. */
function follow(promises: Record<string, Promise<void>>): string[] {
  const ended: string[] = [];
  for (const [name, promise] of Object.entries(promises)) void promise.then(() => ended.push(name));
  return ended;
}

describe('RunMoves', () => {
  test('delays opening a playground at the new place until its runs have been moved, and nothing else', async () => {
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

  test('ends the delay when an announced rename does not happen', async () => {
    const moves = new RunMoves();
    moves.announce('/new');
    const ended = follow({ file: moves.settled('/new') });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(ended).toEqual(['file']);
  });

  test('ends the delay when a move fails, and rejects the move', async () => {
    const moves = new RunMoves();
    await expect(moves.move('/new', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    await Promise.all([moves.settled('/new'), moves.close()]);
  });
});

describe('isWithin', () => {
  test('is true for the place itself and everything below it', () => {
    expect(['/a', '/a/b', '/ab', '/'].map((id) => isWithin(id, '/a'))).toEqual([true, true, false, false]);
  });
});
