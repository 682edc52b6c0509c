import { describe, expect, test } from 'vitest';
import { Attempts } from '../../../../src/demo/model/attempts';

function tryOnce(attempts: Attempts, isSuccess: boolean, scope = 'local', body = '{}'): number {
  const ticket = attempts.begin(scope, body);
  ticket.end(isSuccess);
  return ticket.attempt;
}

describe('Attempts', () => {
  test('counts from 1 and starts again after a success', () => {
    const attempts = new Attempts();
    expect([false, false, true, false].map((isSuccess) => tryOnce(attempts, isSuccess))).toEqual([
      1, 2, 3, 1,
    ]);
  });

  test('counts bodies and protocols separately', () => {
    const attempts = new Attempts();
    tryOnce(attempts, false);
    expect(tryOnce(attempts, false, 'hosted')).toBe(1);
    expect(tryOnce(attempts, false, 'local', '{"a":1}')).toBe(1);
    expect(tryOnce(attempts, false)).toBe(2);
  });

  test('counts concurrent requests separately, and the success of one does not reset the other', () => {
    const attempts = new Attempts();
    const [left, right] = [attempts.begin('local', '{}'), attempts.begin('local', '{}')];
    left.end(false);
    right.end(false);
    expect([left.attempt, right.attempt]).toEqual([1, 1]);
    const rest = [false, false, true, true].map((isSuccess) => tryOnce(attempts, isSuccess));
    expect(rest).toEqual([2, 2, 3, 3]);
    expect(tryOnce(attempts, true)).toBe(1);
  });

  test('forgets a caller after a minute without a request', () => {
    let nowMs = 0;
    const attempts = new Attempts(() => nowMs);
    tryOnce(attempts, false);
    nowMs = 60_000;
    expect(tryOnce(attempts, false)).toBe(2);
    nowMs = 120_001;
    expect(tryOnce(attempts, false)).toBe(1);
  });

  test('remembers the 200 most recent bodies', () => {
    const attempts = new Attempts();
    for (let count = 0; count <= 200; count += 1) tryOnce(attempts, false, 'local', String(count));
    expect(tryOnce(attempts, false, 'local', '200')).toBe(2);
    expect(tryOnce(attempts, false, 'local', '0')).toBe(1);
  });
});
