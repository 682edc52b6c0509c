import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkAgainstSchema } from '../../../../../src/session';
import { CheckBudget } from '../../../../../src/session/tools/schema/check-budget';
import type { JsonSchema } from '../../../../../src/types';

/** Stops the clock, so that only the number of steps counts. */
const stopClock = (): unknown => vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
afterEach(() => void vi.restoreAllMocks());

const errorOf = (value: unknown, schema: JsonSchema): string | undefined =>
  checkAgainstSchema(value, schema).schemaError;

describe('a check of a schema', () => {
  test('ends after a number of steps for an exponential schema, however fast the machine is', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = { $ref: `#/$defs/a${at + 1}` };
        return [`a${at}`, { allOf: [next, next] }];
      }),
    );
    stopClock();
    expect(errorOf({}, { $ref: '#/$defs/a0', $defs: { ...$defs, a60: {} } })).toMatch(/too large/);
  });

  test('limits several checks with a shared budget to the steps of one', () => {
    stopClock();
    const items = Array.from({ length: 20_000 }, () => 1);
    const schema = { items: { type: 'integer' } };
    const budget = new CheckBudget();
    const checks = Array.from({ length: 8 }, () => checkAgainstSchema(items, schema, budget));
    expect(checks.map(({ schemaError }) => schemaError === undefined)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((index) => index < 4),
    );
    expect(checkAgainstSchema(items, schema).schemaError).toBeUndefined();
  });

  test('also ends by computing time, because steps do not cover everything', () => {
    const computed = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    const budget = new CheckBudget();
    const now = performance.now();
    const elapsed = vi.spyOn(performance, 'now').mockReturnValue(now + 1_000);
    const check = (): string | undefined =>
      checkAgainstSchema(['x'], { items: { pattern: '^x' } }, budget).schemaError;
    // A busy machine: the time has passed, but others had it.
    expect(check()).toBeUndefined();
    computed.mockReturnValue({ user: 501_000, system: 0 });
    expect(check()).toMatch(/too large/);
    elapsed.mockReturnValue(now);
    // Nobody looks at the CPU time before that much time has passed at all.
    expect(check()).toBeUndefined();
  });

  test('counts the members of a long list in the schema', () => {
    stopClock();
    const schema = { items: { enum: Array.from({ length: 50_000 }, (_, at) => `y${at}`) } };
    const texts = Array.from({ length: 200 }, () => 'x');
    expect(checkAgainstSchema(texts.slice(0, 50), schema).issues).toHaveLength(50);
    expect(errorOf(texts, schema)).toMatch(/too large/);
  });

  test('refuses to try many patterns on many names, which is one step', () => {
    stopClock();
    const names = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${'a'.repeat(20)}${at}`, 1]));
    const patterns = (count: number): JsonSchema => ({
      patternProperties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`^b${at}`, {}])),
    });
    expect(errorOf(names(5_000), patterns(20))).toBeUndefined();
    expect(errorOf(names(5_000), patterns(2_000))).toMatch(/too large/);
    // One of them may need many steps.
    expect(errorOf(names(5_000), { patternProperties: { '^a*a*a*b$': {} } })).toMatch(/too large/);
    expect(errorOf(names(50), { patternProperties: { '^a*a*a*b$': {} } })).toBeUndefined();
  });
});
