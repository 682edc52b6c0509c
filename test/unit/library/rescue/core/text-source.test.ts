import { describe, expect, it } from 'vitest';
import { TextSource } from '../../../../../src/library/rescue/core/rescue-context';
import { createRandom } from '../../../../support/arbitrary/random';

const TEXT = 'one\ntwo\n\n  three four\n'.repeat(40);

const findLineStart = (at: number): number => (at === 0 ? 0 : TEXT.lastIndexOf('\n', at - 1) + 1);

describe('TextSource.findLineStart', () => {
  it('returns the start of the line for offsets in any order', () => {
    const source = new TextSource(TEXT);
    const random = createRandom(1);
    for (let count = 0; count < 500; count += 1) {
      const at = random.below(TEXT.length + 1);
      expect(source.findLineStart(at)).toBe(findLineStart(at));
    }
  });

  it('does not search any part of a long line twice', () => {
    const source = new TextSource('x'.repeat(10_000));
    for (let at = 0; at <= 10_000; at += 10) expect(source.findLineStart(at)).toBe(0);
    expect(source.meter.steps).toBeLessThanOrEqual(10_000);
  });
});
