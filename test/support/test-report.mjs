// What vitest reports of a run, and what `npm test` says of it: the counts, and the tests that failed.
import { relative } from 'node:path';
import { root } from './host/paths.mjs';

const MAX_NAMED = 30;

/** @param files `testResults` of vitest's JSON report */
export function countTests(files) {
  const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const of = (wanted) => statuses.filter((status) => status === wanted).length;
  const failures = files.flatMap(failuresOf);
  // a file that does not even load fails without a failed test
  const broken = files.filter((file) => file.status === 'failed' && failedTests(file).length === 0).length;
  return { passed: of('passed'), failed: of('failed') + broken, failures };
}

const failedTests = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed');

/** Each by its file and its name, as vitest is given them to run it alone. */
function failuresOf(file) {
  if (file.status !== 'failed') return [];
  const path = relative(root, file.name).replaceAll('\\', '/');
  const failed = failedTests(file);
  if (failed.length === 0) return [`${path}: ${(file.message ?? '').split('\n')[0]}`];
  return failed.map(({ ancestorTitles, title }) => [path, ...ancestorTitles, title].join(' > '));
}

/** The lines that come last but for the count: nobody has to look for a failure in what the legs have printed. */
export function listFailures(results) {
  const all = results.flatMap(({ name, failures = [] }) => failures.map((failure) => `${name}: ${failure}`));
  if (all.length === 0) return [];
  const more = all.length > MAX_NAMED ? [`and ${all.length - MAX_NAMED} more`] : [];
  return ['', 'Failed:', ...all.slice(0, MAX_NAMED), ...more, ''];
}
