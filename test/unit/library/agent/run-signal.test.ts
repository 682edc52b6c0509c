import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createRunSignal } from '../../../../src/library/agent/run-signal';

describe('createRunSignal', () => {
  test('aborts with the caller’s signal, for the same reason', () => {
    const caller = new AbortController();
    const { signal } = createRunSignal(caller.signal);
    expect(signal.aborted).toBe(false);
    caller.abort('enough');
    expect(signal).toMatchObject({ aborted: true, reason: 'enough' });
    expect(createRunSignal(caller.signal).signal).toMatchObject({ aborted: true, reason: 'enough' });
  });

  test('aborts by itself without aborting the caller’s signal', () => {
    const caller = new AbortController();
    const run = createRunSignal(caller.signal);
    run.abort();
    expect(run.signal.aborted).toBe(true);
    expect(caller.signal.aborted).toBe(false);
  });

  test('removes its listener from the caller’s signal when released', () => {
    const caller = new AbortController();
    const run = createRunSignal(caller.signal);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    run.release();
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  test('shares one listener on the caller’s signal with other runs', () => {
    const caller = new AbortController();
    const runs = Array.from({ length: 20 }, () => createRunSignal(caller.signal));
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    runs[0]?.release();
    caller.abort();
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, ...Array(19).fill(true)]);
  });
});
