import { describe, expect, it } from 'vitest';
import { Meter } from '../../../../../src/library/rescue/core/rescue-context';
import type { CallsReading } from '../../../../../src/library/rescue/core/rescue-format';
import { findCompleteness } from '../../../../../src/library/rescue/walk/completeness';

const CALLS: CallsReading = { kind: 'calls', start: 0, end: 4, calls: [], repairs: [], isOpen: false };
const DAMAGED: CallsReading = { ...CALLS, repairs: [{ kind: 'missing-close-tag', at: 4 }] };

function createMeter(note: (meter: Meter) => void = () => undefined): Meter {
  const meter = new Meter(10);
  meter.begin(0);
  note(meter);
  return meter;
}

const searched = (): Meter => createMeter((meter) => (meter.hasSearchedToEnd = true));
const read = (): Meter => createMeter((meter) => meter.spend(0, 10));

describe('findCompleteness', () => {
  it('returns “truncated” when the text ends inside open calls', () => {
    expect(findCompleteness({ ...CALLS, isOpen: true }, '<a>', createMeter())).toBe('truncated');
  });

  it('returns “complete” for undamaged calls, however far the parser looked', () => {
    expect(findCompleteness(CALLS, '<a>', read())).toBe('complete');
  });

  it('returns “needs-more” for undamaged calls that the parser doubts', () => {
    expect(
      findCompleteness(
        CALLS,
        '<a>',
        createMeter((meter) => (meter.isDoubtful = true)),
      ),
    ).toBe('needs-more');
  });

  it('returns “needs-more” for damaged calls when the parser reached the end', () => {
    expect(findCompleteness(DAMAGED, '<a>', createMeter())).toBe('complete');
    expect(findCompleteness(DAMAGED, '<a>', searched())).toBe('needs-more');
    expect(findCompleteness(DAMAGED, '<a>', read())).toBe('needs-more');
  });

  it('returns “needs-more” without a reading when a search after an opener reached the end', () => {
    expect(findCompleteness(null, '<a>', searched())).toBe('needs-more');
    expect(findCompleteness(null, '', searched())).toBe('complete');
    expect(findCompleteness(null, '', read())).toBe('needs-more');
  });

  it('ignores what the parser did before this place', () => {
    const meter = read();
    meter.begin(3);
    expect(findCompleteness(null, '<a>', meter)).toBe('complete');
  });
});
