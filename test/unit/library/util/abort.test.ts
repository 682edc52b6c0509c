import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { untilAborted } from '../../../../src/library/util/abort';

const hang = (): Promise<never> => new Promise(() => undefined);

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

  describe('with a moment of grace', () => {
    const listen = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('I was told'))));

    test('rejects with what the work says of the abort', async () => {
      const controller = new AbortController();
      const waiting = untilAborted(controller.signal, () => listen(controller.signal), 10_000);
      controller.abort(new Error('enough'));
      await expect(waiting).rejects.toThrow('I was told');
    });

    test('rejects with the reason when the work does not obey, or comes to something all the same', async () => {
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
