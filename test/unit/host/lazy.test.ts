import { describe, expect, it } from 'vitest';
import { Lazy } from '../../../src/host/lazy';

describe('Lazy', () => {
  it('loads once, on first use', async () => {
    let loads = 0;
    const lazy = new Lazy(async () => ++loads);
    expect([lazy.isRequested, loads]).toEqual([false, 0]);
    expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([1, 1]);
    expect(await lazy.get()).toBe(1);
    expect(lazy.isRequested).toBe(true);
  });

  it('loads again after a failure', async () => {
    const outcomes = [new Error('no disk'), 'loaded'];
    const lazy = new Lazy(async () => {
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    });
    await expect(lazy.get()).rejects.toThrow('no disk');
    expect(lazy.isRequested).toBe(false);
    expect(await lazy.get()).toBe('loaded');
  });

  it('returns a loaded value for clean-up without loading it', async () => {
    let loads = 0;
    const lazy = new Lazy(async () => ++loads);
    expect(await lazy.loaded()).toBeUndefined();
    expect(loads).toBe(0);
    const value = lazy.get();
    expect(await lazy.loaded()).toBe(1);
    await value;
  });

  it('returns nothing for clean-up when loading failed', async () => {
    const lazy = new Lazy(() => Promise.reject(new Error('no disk')));
    const value = lazy.get();
    expect(await lazy.loaded()).toBeUndefined();
    await expect(value).rejects.toThrow('no disk');
  });
});
