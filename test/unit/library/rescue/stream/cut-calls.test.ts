import { describe, expect, it } from 'vitest';
import { cutCalls } from '../../../../../src/library/rescue/stream/cut-calls';

describe('cutCalls', () => {
  it('returns the text of the stretches without the calls, or parts of calls, in them', () => {
    const stretches = [
      { start: 1, end: 4 },
      { start: 5, end: 10 },
    ];
    const calls = [
      { start: 0, end: 2 },
      { start: 3, end: 6 },
      { start: 7, end: 8 },
    ];
    expect(cutCalls('0123456789', stretches, calls)).toBe('2689');
  });
});
