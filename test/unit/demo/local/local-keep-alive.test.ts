import { describe, expect, test } from 'vitest';
import { readKeepAlive } from '../../../../src/demo/local/local-keep-alive';

const FOREVER_MS = 9_223_372_036_854;

describe('readKeepAlive', () => {
  test.each([
    [undefined, 300_000],
    [null, 300_000],
    [0, 0],
    ['0', 0],
    ['0s', 0],
    [1.5, 1500],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['250ms', 250],
    ['+2s', 2000],
    [-1, FOREVER_MS],
    ['-1m', FOREVER_MS],
    [1e300, FOREVER_MS],
  ])('reads %j as %d ms', (keepAlive, durationMs) => {
    expect(readKeepAlive(keepAlive)).toBe(durationMs);
  });

  test.each([
    ['soon', 'time: invalid duration "soon"'],
    ['5', 'time: invalid duration "5"'],
    ['', 'time: invalid duration ""'],
    [true, "Unsupported type: 'bool'"],
    [[1], "Unsupported type: '[]interface {}'"],
    [{}, "Unsupported type: 'map[string]interface {}'"],
  ])('refuses %j', (keepAlive, message) => {
    expect(() => readKeepAlive(keepAlive)).toThrow(
      expect.objectContaining({ status: 400, message }) as Error,
    );
  });
});
