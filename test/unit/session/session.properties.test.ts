// Any commands in any order, with providers that answer, call tools, fail, stall or answer late: document, conversations,
// store and views stay consistent.
import { afterEach, describe, expect, test } from 'vitest';
import type { Command } from '../../support/session/session-command';
import type { Reply } from '../../support/session/session-replies';
import { SessionWorld } from '../../support/session/session-world';
import { fc, runs } from '../../support/arbitrary/properties';

const lane = fc.nat(4);
const lanes = fc.array(lane, { minLength: 1, maxLength: 3 });
const kind = fc.constantFrom('chat' as const, 'agent' as const);
const flag = fc.boolean();
const rare = fc.integer({ min: 0, max: 3 }).map((at) => at === 0);

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      lanes,
      kind,
      hasText: fc.integer({ min: 0, max: 3 }).map((at) => at > 0),
      isStepMode: flag,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), lane, kind }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('stop' as const), lane: fc.option(lane, { freq: 2 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('give' as const),
      at: fc.nat(5),
      isAny: fc.integer({ min: 0, max: 3 }).map((at) => at === 0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('continue' as const), lane, isStepMode: flag, hasText: flag }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('step' as const), lane, times: fc.nat(3), hasText: flag }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resend' as const), lane, at: fc.nat(3), kind }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('clear' as const), lanes: fc.option(lanes) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('add-lane' as const), copyOf: fc.option(lane) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove-lane' as const), lane }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move-lane' as const), lane, to: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('draft' as const), isEmpty: flag }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), isGathered: flag }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('outside' as const),
      what: fc.constantFrom('system', 'broken', 'undo', 'no-messages', 'one-message', 'one-lane'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat(12) }) },
);

const anyReply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Reply>('answer') },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Reply>('call', 'two-calls', 'asking-call', 'unknown-call', 'rescued-call'),
  },
  { weight: 3, arbitrary: fc.constantFrom<Reply>('fail', 'break-off', 'hang', 'late', 'late-call') },
);

const worlds: SessionWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

describe('a session', () => {
  test('keeps document, conversations, store and views consistent for any commands in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ command: anyCommand, isAwaited: flag, isQuiet: rare }), {
          maxLength: 16,
          size: 'max',
        }),
        fc.array(anyReply, { minLength: 1, maxLength: 6, size: 'max' }),
        fc.constantFrom(1, 2, 100),
        async (steps, replies, limit) => {
          const world = await SessionWorld.open(replies, limit);
          worlds.push(world);
          for (const { command, isAwaited, isQuiet } of steps) {
            if (isQuiet) await world.doQuietly(command);
            else await world.do(command, isAwaited);
          }
          await world.finish();
          expect(world.problems).toEqual([]);
        },
      ),
      { numRuns: runs(250) },
    );
  });
});
