import { describe, expect, test } from 'vitest';
import { lastPick, pickMessages, printPicks, readPicks } from '../../../../src/session/rows/message-picks';

const LETTERS = ['a', 'b', 'c', 'd', 'e'];

describe('readPicks', () => {
  test.each([
    ['1-3', ['a', 'b', 'c'], 3],
    ['2', ['b'], 2],
    [' 1 , 4 - 5', ['a', 'd', 'e'], 5],
    ['5, 1-2, 1', ['e', 'a', 'b', 'a'], 5],
  ])('picks %s in the order of the text', (text, picked, last) => {
    const ranges = readPicks(text) ?? [];
    expect(pickMessages(LETTERS, ranges)).toEqual(picked);
    expect(lastPick(ranges)).toBe(last);
    expect(readPicks(printPicks(ranges))).toEqual(ranges);
  });

  test.each([
    '',
    '0',
    '0-2',
    '3-2',
    '1-',
    '-1',
    '1,',
    '1.5',
    'a',
    '1 2',
    '1-2001',
    '1-2000, 1',
    '9999999',
    5,
    null,
    ['1'],
    '1,'.repeat(20_000),
  ])('does not read %j', (value) => {
    expect(readPicks(value)).toBeUndefined();
  });
});
