import { describe, expect, test } from 'vitest';
import { pruneUndefined } from '../../../../src/library';

describe('pruneUndefined', () => {
  test('removes only undefined, only at the top level, in a copy', () => {
    const record = { a: undefined, b: null, c: 0, d: false, e: '', f: { g: undefined } };
    expect(Object.entries(pruneUndefined(record))).toEqual([
      ['b', null],
      ['c', 0],
      ['d', false],
      ['e', ''],
      ['f', { g: undefined }],
    ]);
    expect(record).toHaveProperty('a');
  });
});
