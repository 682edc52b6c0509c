import { describe, expect, it } from 'vitest';
import { FailedReadings } from '../../../../../src/library/rescue/walk/failed-readings';

const READER = {};
const ROUND = '<a>some words</a>\n'.length;
const LOOP = '<a>some words</a>\n'.repeat(1000);

describe('FailedReadings', () => {
  it('recognizes the same place in other rounds of a loop, and no other place', () => {
    const failed = new FailedReadings(LOOP);
    failed.add(READER, 2 * ROUND);
    const known = Array.from({ length: 6 * ROUND }, (_, at) => at).filter((at) => failed.has(READER, at));
    expect(known).toEqual([0, 1, 2, 3, 4, 5].map((round) => round * ROUND));
    expect(failed.has({}, 3 * ROUND)).toBe(false);
  });

  it('does not apply to the last rounds, because other text follows them', () => {
    const failed = new FailedReadings(`${LOOP}The end.`);
    failed.add(READER, 2 * ROUND);
    expect(failed.has(READER, 800 * ROUND)).toBe(true);
    expect(failed.has(READER, 999 * ROUND)).toBe(false);
  });

  it.each([
    ['a place before the first round', `Sure. ${LOOP}`, 6],
    ['text without a loop', Array.from({ length: 3000 }, (_, line) => `line ${line}\n`).join(''), 40],
  ])('does not apply to text that may be different: %s', (_, text, at) => {
    const failed = new FailedReadings(text);
    failed.add(READER, at);
    expect(failed.has(READER, at + ROUND)).toBe(false);
  });
});
