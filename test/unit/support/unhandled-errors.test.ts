import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../support/host/paths.mjs';
import { describeUnhandled } from '../../support/unhandled-errors.mjs';

it('names an error outside of all tests, and the file that ran at that moment, in one line', () => {
  const file = join(root, 'test', 'unit', 'a.test.ts');
  expect(describeUnhandled({ name: 'TypeError', message: 'lost\nat x', VITEST_TEST_PATH: file })).toBe(
    'TypeError while test/unit/a.test.ts ran: lost',
  );
  expect(describeUnhandled({})).toBe('Error outside of all test files: ');
});
