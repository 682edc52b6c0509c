import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { joinSignals, untilAborted, wait } from '../../../../src/library/util/abort';

const hang = (): Promise<never> => new Promise(() => undefined);

/** An abort signal of another library. */
class ForeignSignal extends EventTarget {
  aborted = false;
  reason: unknown;
  abort(reason: unknown): void {
    Object.assign(this, { aborted: true, reason });
    this.dispatchEvent(new Event('abort'));
  }
}

describe('joinSignals', () => {
  test.each([0, 1])('aborts with signal %i, also beside one that is not Node’s own', (which) => {
    const own = new AbortController();
    const foreign = new ForeignSignal();
    const both = [own.signal, foreign as unknown as AbortSignal] as const;
    const joined = joinSignals(...both);
    const turned = joinSignals(both[1], both[0]);
    expect([joined?.aborted, turned?.aborted]).toEqual([false, false]);
    (which === 0 ? own : foreign).abort('enough');
    const late = joinSignals(...both);
    for (const signal of [joined, turned, late])
      expect(signal).toMatchObject({ aborted: true, reason: 'enough' });
  });
});

describe('untilAborted', () => {
  test('resolves with the result of the work, sync or async, with or without a signal', async () => {
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

  test('rejects with the reason of the abort, whatever the work does', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(controller.signal, hang);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test('does not start the work after an abort', async () => {
    let begun = 0;
    await expect(untilAborted(AbortSignal.abort('enough'), () => (begun += 1))).rejects.toBe('enough');
    expect(begun).toBe(0);
  });

  test('adds one listener to a signal for any number of waits, and removes it after the last one', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => (finish = resolve));
    const early = Array.from({ length: 500 }, () => untilAborted(signal, () => done));
    const late = [
      ...Array.from({ length: 500 }, () => untilAborted(signal, hang)),
      ...Array.from({ length: 500 }, () => untilAborted(signal, hang, 1)),
    ];
    expect(listeners()).toBe(1);
    finish();
    await Promise.all(early);
    expect(listeners()).toBe(1);
    controller.abort('enough');
    const ends = await Promise.allSettled(late);
    expect(new Set(ends.map((end) => (end.status === 'rejected' ? end.reason : 'no')))).toEqual(
      new Set(['enough']),
    );
    expect(listeners()).toBe(0);
  });

  test('adds a listener again after the last wait has ended', async () => {
    const controller = new AbortController();
    await untilAborted(controller.signal, () => 1);
    const waiting = untilAborted(controller.signal, hang);
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
  });

  describe('with a grace period', () => {
    const listen = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('work aborted'))));

    test('rejects with the error that the work reports for the abort', async () => {
      const controller = new AbortController();
      const waiting = untilAborted(controller.signal, () => listen(controller.signal), 10_000);
      controller.abort(new Error('enough'));
      await expect(waiting).rejects.toThrow('work aborted');
    });

    test('rejects with the reason if the work ignores the abort or resolves nevertheless', async () => {
      const controller = new AbortController();
      let finish = (_value: number): void => undefined;
      const late = untilAborted(
        controller.signal,
        () => new Promise<number>((done) => (finish = done)),
        10_000,
      );
      const deaf = untilAborted(controller.signal, () => new Promise(() => undefined), 1);
      controller.abort(new Error('enough'));
      finish(1);
      await expect(late).rejects.toThrow('enough');
      await expect(deaf).rejects.toThrow('enough');
    });
  });
});

describe('wait', () => {
  test('shares one listener between waits, and ends all of them on abort', async () => {
    const controller = new AbortController();
    const waits = Array.from({ length: 50 }, () => wait(1_000_000, controller.signal));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort();
    await Promise.all(waits);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    await wait(1_000_000, controller.signal);
  });

  test('removes its listener when the time is over', async () => {
    const { signal } = new AbortController();
    await wait(0, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
