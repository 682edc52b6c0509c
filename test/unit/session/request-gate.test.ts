import { describe, expect, test } from 'vitest';
import type { GateQueue } from '../../../src/session/request-gate';
import { RequestGate } from '../../../src/session/request-gate';
import { fc, runs } from '../../support/arbitrary/properties';

interface Job {
  controller: AbortController;
  queues: GateQueue[];
  hasBegun: boolean;
  finish: (error?: Error) => void;
  done: Promise<unknown>;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function enter(gate: RequestGate, origin = 'o', isBackground = false): Job {
  const controller = new AbortController();
  const job: Job = {
    controller,
    queues: [],
    hasBegun: false,
    finish: () => undefined,
    done: Promise.resolve(),
  };
  const work = (): Promise<string> => {
    job.hasBegun = true;
    return new Promise((resolve, reject) => {
      job.finish = (error) => (error ? reject(error) : resolve('done'));
    });
  };
  const onQueue = (queue: GateQueue): void => void job.queues.push(queue);
  job.done = gate
    .run(origin, work, { signal: controller.signal, onQueue, isBackground })
    .catch((error: unknown) => error);
  return job;
}

describe('RequestGate', () => {
  test('lets work in the background wait for all other work, in whichever order it came', async () => {
    const gate = new RequestGate(() => 1);
    const [first, background, person] = [enter(gate), enter(gate, 'o', true), enter(gate)];
    await settle();
    expect(background.queues.at(-1)).toEqual({ limit: 1, ahead: 1 });
    first.finish();
    await first.done;
    await settle();
    expect([person.hasBegun, background.hasBegun]).toEqual([true, false]);
    person.finish();
    await settle();
    expect(background.hasBegun).toBe(true);
  });

  test('starts work up to the limit, and reports the position in the queue to the rest', async () => {
    const gate = new RequestGate(() => 2);
    const [one, two, three, four] = [enter(gate), enter(gate), enter(gate), enter(gate)];
    await settle();
    expect([one, two, three, four].map((job) => job.hasBegun)).toEqual([true, true, false, false]);
    expect(one.queues).toEqual([]);
    expect(four.queues).toEqual([{ limit: 2, ahead: 1 }]);
    two.finish();
    await settle();
    expect([three.hasBegun, four.hasBegun]).toEqual([true, false]);
    expect(four.queues.at(-1)).toEqual({ limit: 2, ahead: 0 });
    expect(await two.done).toBe('done');
  });

  test('limits each origin separately', async () => {
    const gate = new RequestGate(() => 1);
    const [one, other] = [enter(gate, 'one'), enter(gate, 'other')];
    await settle();
    expect([one.hasBegun, other.hasBegun]).toEqual([true, true]);
  });

  test('continues after failed work, and passes on its error', async () => {
    const gate = new RequestGate(() => 1);
    const [one, two] = [enter(gate), enter(gate)];
    await settle();
    const failure = new Error('failed');
    one.finish(failure);
    expect(await one.done).toBe(failure);
    await settle();
    expect(two.hasBegun).toBe(true);
  });

  test('removes aborted work from the queue without starting it', async () => {
    const gate = new RequestGate(() => 1);
    const [one, two, three] = [enter(gate), enter(gate), enter(gate)];
    await settle();
    const reason = new Error('stopped');
    two.controller.abort(reason);
    expect(await two.done).toBe(reason);
    expect(three.queues.at(-1)).toEqual({ limit: 1, ahead: 0 });
    one.finish();
    await settle();
    expect([two.hasBegun, three.hasBegun]).toEqual([false, true]);
  });

  test('does not queue work that is aborted already', async () => {
    const gate = new RequestGate(() => 1);
    const signal = AbortSignal.abort(new Error('before'));
    const work = (): Promise<void> => Promise.reject(new Error('begun'));
    await expect(gate.run('o', work, { signal, onQueue: () => undefined })).rejects.toThrow('before');
    const next = enter(gate);
    await settle();
    expect(next.hasBegun).toBe(true);
  });

  test('leaves the abort of running work to that work', async () => {
    const gate = new RequestGate(() => 1);
    const [one, two] = [enter(gate), enter(gate)];
    await settle();
    one.controller.abort();
    await settle();
    expect(two.hasBegun).toBe(false);
    one.finish();
    await settle();
    expect(two.hasBegun).toBe(true);
  });

  test('applies a raised limit to waiting work at once', async () => {
    let limit = 1;
    const gate = new RequestGate(() => limit);
    const jobs = [enter(gate), enter(gate), enter(gate, 'p'), enter(gate, 'p'), enter(gate)];
    limit = 3;
    gate.refresh();
    await settle();
    expect(jobs.map(({ hasBegun }) => hasBegun)).toEqual([true, true, true, true, true]);
  });

  test.each([0, -1, Number.NaN, 0.5, Number.NEGATIVE_INFINITY])(
    'uses a limit of 1 for an invalid one: %f',
    async (limit) => {
      const gate = new RequestGate(() => limit);
      const [one, two] = [enter(gate), enter(gate)];
      await settle();
      expect([one.hasBegun, two.hasBegun]).toEqual([true, false]);
    },
  );

  const anyStep = fc.record({
    do: fc.constantFrom(
      'enter' as const,
      'enter' as const,
      'finish' as const,
      'abort' as const,
      'limit' as const,
    ),
    at: fc.nat(20),
  });

  test('never exceeds its limit, keeps the order, and starts all work', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
        let limit = 2;
        let highest = 2;
        const gate = new RequestGate(() => limit);
        const jobs: Job[] = [];
        const ended = new Set<Job>();
        const isWaiting = (job: Job): boolean => !job.hasBegun && !ended.has(job);
        const isRunning = (job: Job): boolean => job.hasBegun && !ended.has(job);
        for (const { do: what, at } of steps) {
          if (what === 'enter') jobs.push(enter(gate));
          if (what === 'limit') {
            limit = 1 + (at % 4);
            gate.refresh();
          }
          const inside = jobs.filter(isRunning);
          const finishing = inside[at % Math.max(1, inside.length)];
          if (what === 'finish' && finishing) {
            ended.add(finishing);
            finishing.finish();
          }
          const waiting = jobs.filter(isWaiting);
          const leaving = waiting[at % Math.max(1, waiting.length)];
          if (what === 'abort' && leaving) {
            ended.add(leaving);
            leaving.controller.abort(new Error('left'));
          }
          await settle();
          const now = jobs.filter(isRunning).length;
          // A lowered limit does not stop running work.
          highest = Math.max(limit, Math.min(highest, now));
          expect(now).toBeLessThanOrEqual(highest);
          const line = jobs.filter(isWaiting);
          if (line.length > 0) expect(now).toBeGreaterThanOrEqual(limit);
          expect(line.map(({ queues }) => queues.at(-1)?.ahead)).toEqual(line.map((_guest, index) => index));
        }
        for (const job of jobs) {
          job.finish();
          ended.add(job);
          await settle();
        }
        expect(jobs.every(({ hasBegun, controller }) => hasBegun || controller.signal.aborted)).toBe(true);
        await Promise.all(jobs.map(({ done }) => done));
      }),
      { numRuns: runs(200) },
    );
  });
});
