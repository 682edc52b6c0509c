// Reporter of vitest for the errors outside of all tests, which its JSON report leaves out: an unhandled rejection makes
// a run fail in which all tests passed. Writes one line for each to the file that UNHANDLED_ERRORS names.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './host/paths.mjs';

/** @param error As vitest serializes it, with the test file that ran at that moment. */
export function describeUnhandled({ name = 'Error', message = '', VITEST_TEST_PATH: file }) {
  const where = file
    ? `while ${relative(root, file).replaceAll('\\', '/')} ran`
    : 'outside of all test files';
  return `${name} ${where}: ${message.split('\n')[0]}`;
}

export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(errors.map(describeUnhandled)));
  }
}
