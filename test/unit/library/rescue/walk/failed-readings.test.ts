import { describe, expect, it } from 'vitest';
import { FailedReadings } from '../../../../../src/library/rescue/walk/failed-readings';

const READER = {};
const ROUND = '<a>some words</a>\n'.length;
const LOOP = '<a>some words</a>\n'.repeat(1000);

describe('FailedReadings', () => {
  it('knows the same place of later rounds, and no other', () => {
    const failed = new FailedReadings(LOOP);
    failed.add(READER, 2 * ROUND);
    const known = Array.from({ length: 6 * ROUND }, (_, at) => at).filter((at) => failed.has(READER, at));
    expect(known).toEqual([0, 1, 2, 3, 4, 5].map((round) => round * ROUND));
    expect(failed.has({}, 3 * ROUND)).toBe(false);
  });

  it('lets the last rounds be read, because other text follows them', () => {
    const failed = new FailedReadings(`${LOOP}The end.`);
    failed.add(READER, 2 * ROUND);
    expect(failed.has(READER, 800 * ROUND)).toBe(true);
    expect(failed.has(READER, 999 * ROUND)).toBe(false);
  });

  it.each([
    ['other text before the first round', `Sure. ${LOOP}`, 6],
    ['no loop', Array.from({ length: 3000 }, (_, line) => `line ${line}\n`).join(''), 40],
  ])('forgets what may come from elsewhere: %s', (_, text, at) => {
    const failed = new FailedReadings(text);
    failed.add(READER, at);
    expect(failed.has(READER, at + ROUND)).toBe(false);
  });
});
