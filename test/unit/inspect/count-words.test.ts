import { describe, expect, test } from 'vitest';
import { formatDuration } from '../../../src/inspect';

describe('formatDuration', () => {
  test.each([
    [0, '0 ms'],
    [740.4, '740 ms'],
    [999.6, '1.0 s'],
    [3_880, '3.9 s'],
    [75_000, '75.0 s'],
  ])('writes %d ms as %s', (durationMs, text) => expect(formatDuration(durationMs)).toBe(text));
});
