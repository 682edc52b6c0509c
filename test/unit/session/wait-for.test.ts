import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { untilAborted, waitFor } from '../../../src/session/wait-for';

const hang = (): Promise<never> => new Promise(() => undefined);
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('waitFor and untilAborted', () => {
  test('add one listener to a signal for any number of waits, and remove it after the last one', async () => {
    const { signal } = new AbortController();
    const answers: ((value: number) => void)[] = [];
    const waits = Array.from({ length: 500 }, () =>
      waitFor<number>(signal, (resolve) => {
        answers.push(resolve);
        return () => undefined;
      }),
    );
    const until = untilAborted(signal, Promise.resolve(1));
    expect(listenersOf(signal)).toBe(1);
    await until;
    expect(listenersOf(signal)).toBe(1);
    for (const [index, answer] of answers.entries()) answer(index);
    expect(await Promise.all(waits)).toEqual(answers.map((_, index) => index));
    expect(listenersOf(signal)).toBe(0);
  });

  test('reject with the reason of the abort, and clean up, once each', async () => {
    const controller = new AbortController();
    let ended = 0;
    const waits = Array.from({ length: 3 }, () =>
      waitFor(controller.signal, () => () => {
        ended += 1;
      }),
    );
    const all = Promise.allSettled([...waits, untilAborted(controller.signal, hang())]);
    controller.abort('enough');
    expect((await all).map((end) => (end.status === 'rejected' ? end.reason : 'no'))).toEqual(
      Array.from({ length: 4 }, () => 'enough'),
    );
    expect(ended).toBe(3);
  });

  test('start nothing after an abort, and handle the rejection of the given promise', async () => {
    const signal = AbortSignal.abort('enough');
    let begun = 0;
    const begin = (): (() => void) => {
      begun += 1;
      return () => undefined;
    };
    await expect(waitFor(signal, begin)).rejects.toBe('enough');
    await expect(untilAborted(signal, Promise.reject(new Error('late')))).rejects.toBe('enough');
    expect(begun).toBe(0);
  });
});
