// Summarizes the JSON report of vitest for `npm test`: the counts, and the failed tests.
import { relative } from 'node:path';
import { root } from './host/paths.mjs';

const MAX_NAMED = 30;

/** @param files `testResults` of vitest's JSON report. */
export function countTests(files) {
  const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const of = (wanted) => statuses.filter((status) => status === wanted).length;
  const failures = files.flatMap(failuresOf);
  // A file that cannot be loaded, or whose hook fails, has no failed test.
  const broken = files.filter((file) => file.status === 'failed' && failedTests(file).length === 0).length;
  return { passed: of('passed'), failed: of('failed') + broken, failures };
}

const failedTests = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed');

/** Names of the failed tests with their file, as vitest accepts them to run a single one. */
function failuresOf(file) {
  if (file.status !== 'failed') return [];
  const path = relative(root, file.name).replaceAll('\\', '/');
  const failed = failedTests(file);
  const nameOf = ({ ancestorTitles, title }) => [path, ...ancestorTitles, title].join(' > ');
  if (failed.length > 0) return failed.map(nameOf);
  const [reason] = (file.message ?? '').split('\n');
  // The report does not contain the error of a hook in a `describe`, only the tests that were skipped.
  const skipped = file.assertionResults.find(({ status }) => status === 'skipped');
  return [reason || !skipped ? `${path}: ${reason}` : `${nameOf(skipped)} (skipped, because a hook failed)`];
}

/** Lines before the final count, so that nobody has to search for failures in the output of the legs. */
export function listFailures(results) {
  const all = results.flatMap(({ name, failures = [] }) => failures.map((failure) => `${name}: ${failure}`));
  if (all.length === 0) return [];
  const more = all.length > MAX_NAMED ? [`and ${all.length - MAX_NAMED} more`] : [];
  return ['', 'Failed:', ...all.slice(0, MAX_NAMED), ...more, ''];
}
