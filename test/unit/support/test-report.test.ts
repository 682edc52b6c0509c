import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/host/paths.mjs';
import { countTests, listFailures } from '../../support/test-report.mjs';

const file = (name: string, ...statuses: string[]) => ({
  name: join(root, name),
  status: statuses.every((status) => status === 'passed') ? 'passed' : 'failed',
  assertionResults: statuses.map((status, at) => ({ status, title: `does ${at}`, ancestorTitles: ['it'] })),
});
const broken = {
  name: join(root, 'test/b.test.ts'),
  status: 'failed',
  message: 'no such file\nat',
  assertionResults: [],
};

describe('countTests', () => {
  it('counts and names failed tests; a file that does not load counts as one', () => {
    const files = [
      file('test/a.test.ts', 'passed', 'failed'),
      broken,
      file('test/c.test.ts', 'passed', 'passed'),
    ];
    expect(countTests(files)).toEqual({
      passed: 3,
      failed: 2,
      failures: ['test/a.test.ts > it > does 1', 'test/b.test.ts: no such file'],
    });
  });

  it('names the first test that a failed hook of a describe has skipped', () => {
    expect(countTests([file('test/a.test.ts', 'passed', 'skipped', 'skipped')])).toEqual({
      passed: 1,
      failed: 1,
      failures: ['test/a.test.ts > it > does 1 (skipped, because a hook failed)'],
    });
  });
});

describe('listFailures', () => {
  it('returns nothing for a successful run', () => {
    expect(listFailures([{ name: 'unit', failures: [] }, { name: 'types' }])).toEqual([]);
  });

  it('names each failure with its leg, and only counts those beyond the limit', () => {
    expect(
      listFailures([
        { name: 'unit', failures: ['a'] },
        { name: 'host', failures: ['b'] },
      ]),
    ).toEqual(['', 'Failed:', 'unit: a', 'host: b', '']);
    const many = listFailures([{ name: 'unit', failures: Array.from({ length: 35 }, String) }]);
    expect(many).toHaveLength(34);
    expect(many.at(-2)).toBe('and 5 more');
  });
});
