import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createRunSignal, untilAborted } from '../../../../src/library/agent/run-signal';
import { hang } from './agent-fixtures';

describe('createRunSignal', () => {
  test('aborts with the caller, with the caller’s reason', () => {
    const caller = new AbortController();
    const { signal } = createRunSignal(caller.signal);
    expect(signal.aborted).toBe(false);
    caller.abort('enough');
    expect(signal).toMatchObject({ aborted: true, reason: 'enough' });
    expect(createRunSignal(caller.signal).signal).toMatchObject({ aborted: true, reason: 'enough' });
  });

  test('aborts by itself without touching the caller', () => {
    const caller = new AbortController();
    const run = createRunSignal(caller.signal);
    run.abort();
    expect(run.signal.aborted).toBe(true);
    expect(caller.signal.aborted).toBe(false);
  });

  test('lets go of the caller’s signal when released', () => {
    const caller = new AbortController();
    const run = createRunSignal(caller.signal);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    run.release();
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });
});

describe('untilAborted', () => {
  test('comes to what the work comes to, sync or async, with a signal or without', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(signal, () => 1)).toBe(1);
    expect(await untilAborted(undefined, async () => 2)).toBe(2);
    const fail = (): never => {
      throw new Error('broken');
    };
    await expect(untilAborted(signal, fail)).rejects.toThrow('broken');
    await expect(untilAborted(undefined, fail)).rejects.toThrow('broken');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('rejects at the abort with its reason, whatever the work does', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(controller.signal, hang);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test('does not begin the work after an abort', async () => {
    let begun = 0;
    await expect(untilAborted(AbortSignal.abort('enough'), () => (begun += 1))).rejects.toBe('enough');
    expect(begun).toBe(0);
  });
});
