import { describe, expect, test } from 'vitest';
import { wait } from '../../../../src/library/util/abort';
import { currentClock, runWithClock } from '../../../../src/library/util/clock';
import { FakeClock } from '../../../support/fake-clock';

describe('currentClock', () => {
  test('is the system’s unless the work was given another one', async () => {
    const system = currentClock();
    const clock = new FakeClock();
    await runWithClock(clock, async () => {
      expect(currentClock()).toBe(clock);
      await new Promise((resolve) => setImmediate(resolve));
      expect(currentClock()).toBe(clock);
    });
    expect(currentClock()).toBe(system);
    expect(Math.abs(system.now() - Date.now())).toBeLessThan(1000);
  });

  test('is separate for concurrent work', async () => {
    const clocks = [new FakeClock(), new FakeClock()];
    const seen = await Promise.all(
      clocks.map((clock) =>
        runWithClock(clock, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return currentClock();
        }),
      ),
    );
    expect(seen[0]).toBe(clocks[0]);
    expect(seen[1]).toBe(clocks[1]);
  });

  test('of the system calls back after the time, unless cancelled', async () => {
    const { after } = currentClock();
    const called: string[] = [];
    after(1, () => called.push('taken back'))();
    await new Promise<void>((resolve) => void after(2, resolve));
    expect(called).toEqual([]);
  });
});

describe('wait', () => {
  test('ends exactly when the time has passed', async () => {
    const clock = new FakeClock();
    let isOver = false;
    const waiting = clock.run(() => wait(1000, undefined)).then(() => (isOver = true));
    clock.advance(999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    clock.advance(1);
    await waiting;
  });

  test('ends at once on abort, or never begins, and leaves no timer', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const waiting = clock.run(() => wait(1000, controller.signal));
    controller.abort();
    await waiting;
    await clock.run(() => wait(1000, controller.signal));
    expect([clock.delays, clock.pending]).toEqual([[1000], 0]);
  });
});
