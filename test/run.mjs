// npm test: runs the named legs, or all, even if some fail, and all at the same time, except that the two in VS Code follow
// each other. The last line of output is `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runHostSuite, wantsDesktop } from './host/run.mjs';
import { setUpChromium } from './support/browser/chromium.mjs';
import { checkBrowserHost, checkNode, Refusal } from './support/host/check.mjs';
import { npm } from './support/host/npm.mjs';
import { packageVsix } from './support/host/package-vsix.mjs';
import { root } from './support/host/paths.mjs';
import { run } from './support/host/run.mjs';
import { setUpRoot, setUpServer } from './support/host/setup.mjs';
import { countTests, listFailures } from './support/test-report.mjs';
import { v8Options } from './support/v8-options.mjs';

const legs = ['types', 'lint', 'build', 'unit', 'webview', 'contract', 'browser', 'host', 'e2e'];
/** Leg of `npm run test:long`: tests that take long and change seldom, most of them in VS Code. */
const long = 'long';
/** Leg of `npm run test:properties`: the tests in plain Node with more and new cases for each property. */
const properties = 'properties';
const folders = {
  unit: 'test/unit/',
  webview: 'test/unit/webview/',
  contract: 'test/contract/',
  browser: 'test/browser/',
  e2e: 'test/e2e/',
  long: 'test/long/',
};
const inPlainNode = ['unit', 'webview', 'contract'];

const env = { ...process.env };
if (env.CI || !process.stdout.isTTY) {
  env.NO_COLOR = '1'; // vitest colours its output under CI
  delete env.FORCE_COLOR;
}

/**
 * A leg that passes or fails as a whole and counts as one. Its output is printed in one piece and only on failure,
 * because other legs run at the same time.
 */
async function script(name) {
  const { CI: _, ...plain } = env; // oxlint colours its output whenever CI is set, whatever NO_COLOR says
  await npm(['run', '-s', name], { cwd: root, env: plain, quiet: true });
  return { passed: 1, failed: 0 };
}

/** The project of a test file: the longest folder that contains it. */
function projectOf(file) {
  const path = relative(root, file).replaceAll('\\', '/');
  const matches = Object.keys(folders).filter((name) => path.startsWith(folders[name]));
  return matches.toSorted((a, b) => folders[b].length - folders[a].length)[0];
}

const NOTHING_FOUND = { note: 'no tests were found', failures: ['no tests were found'] };

/** Runs all projects in one vitest, because starting it costs seconds; counts them separately. */
async function runVitest(projects, { extra = {}, isBackground = false } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'vitest-report-'));
  const report = join(scratch, 'report.json');
  const unhandled = join(scratch, 'unhandled.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  // A leg may consist of several projects, such as unit and unit-mocking.
  const named = projects.flatMap((name) => ['--project', `${name}*`]);
  const ours = join(root, 'test', 'support', 'unhandled-errors.mjs');
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    `--reporter=${ours}`,
  ];
  const args = [...v8Options, vitest, 'run', '--config', 'test/vitest.config.mts', ...named, ...reporters];
  try {
    const error = await run(process.execPath, args, {
      cwd: root,
      env: { ...env, ...extra, UNHANDLED_ERRORS: unhandled },
      isBackground,
    }).then(
      () => undefined,
      (reason) => reason,
    );
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const results = projects.map((name) => {
      const result = countTests(testResults.filter(({ name: file }) => projectOf(file) === name));
      // A leg that found no tests has proved nothing.
      return result.passed + result.failed
        ? { name, ...result }
        : { name, passed: 0, failed: 1, ...NOTHING_FOUND };
    });
    // An error outside of all tests.
    if (error && results.every(({ failed }) => failed === 0)) {
      const outside = JSON.parse(readFileSync(unhandled, 'utf8'));
      const failures = outside.length > 0 ? outside : [error.message];
      Object.assign(results[0], { failed: 1, note: failures[0], failures });
    }
    return results;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function main(chosen) {
  const unknown = chosen.find((name) => ![...legs, long, properties].includes(name));
  if (unknown) throw new Refusal(`npm test has no leg ${unknown}; it has ${legs.join(', ')}.`);
  const wants = (...names) => names.some((name) => chosen.includes(name));
  const needsVscode = wants('e2e', long) || (wants('host') && !wantsDesktop);
  const needsBrowser = needsVscode || wants('browser');
  checkNode();
  if (needsBrowser) {
    const instead =
      'npm run test:unit runs anywhere; VSCODE_EXECUTABLE=/path/to/VS Code npm run test:host in a desktop VS Code.';
    checkBrowserHost({ chromium: true, instead });
  }
  // They run while the first legs do; the legs that need them wait for them.
  const chromium = needsBrowser ? setUpChromium() : Promise.resolve();
  const server = needsVscode ? setUpServer() : Promise.resolve();
  for (const setUp of [chromium, server]) setUp.catch(() => {});
  await setUpRoot();

  let packing;
  const pack = () => (packing ??= packageVsix({ env }));
  const results = [];
  const runLeg = async (names, work) => {
    const selected = names.filter((name) => wants(name));
    if (!selected.length) return;
    console.log(`\n== ${selected.join(', ')}`);
    const started = Date.now();
    const outcome = await work(selected).catch((error) => {
      console.error(error.message);
      const note = error.message.split('\n').at(-1);
      return selected.map((name) => ({ name, passed: 0, failed: 1, note, failures: [note] }));
    });
    const seconds = (Date.now() - started) / 1000;
    results.push(...[outcome].flat().map((result) => ({ name: selected[0], seconds, ...result })));
  };
  const inVscode = (work) => async (selected) => {
    await Promise.all([chromium, server, pack()]);
    return work(selected);
  };

  const runTypesAndBuild = async () => {
    await runLeg(['types'], () => script('typecheck'));
    await runLeg(['build'], async () => {
      await pack();
      return { passed: 1, failed: 0 };
    });
  };
  // The pictures are for people to look at, who run this leg alone.
  const pictures = chosen.length > 1 ? { E2E_PICTURES: 'off' } : {};
  // One after the other: a VS Code and its browser use nearly two cores.
  const runInVscode = async () => {
    await runLeg(
      ['host'],
      inVscode(() => runHostSuite(env)),
    );
    await runLeg(
      ['e2e'],
      inVscode((selected) => runVitest(selected, { extra: pictures })),
    );
  };
  const runInBrowser = () =>
    runLeg(['browser'], async (selected) => {
      await Promise.all([chromium, pack()]);
      return runVitest(selected, { extra: pictures, isBackground });
    });
  // The tests in VS Code take longest and often wait, so the others get what those leave of the processor.
  const isBackground = wants('e2e');
  await Promise.all([
    runLeg(['lint'], () => script('lint')),
    runTypesAndBuild(),
    runLeg(inPlainNode, (selected) => runVitest(selected, { isBackground })),
    runInBrowser(),
    runInVscode(),
    runLeg(
      [long],
      inVscode(() => runVitest([long], { extra: { E2E_PICTURES: 'off' } })),
    ),
    runLeg([properties], () => runVitest(inPlainNode, { extra: { MORE_CASES: '1' } })),
  ]);
  return results;
}

/** Prints the counts, followed by the failures, so that nobody has to search for them in the output of the legs. */
function print(results) {
  console.log('');
  const inOrder = results.toSorted((a, b) => legs.indexOf(a.name) - legs.indexOf(b.name));
  for (const { name, passed, failed, seconds, note } of inOrder) {
    const counts = `${passed} passed, ${failed} failed`.padEnd(24);
    console.log(`${name.padEnd(10)}${counts}${seconds.toFixed(1).padStart(6)} s${note ? `  ${note}` : ''}`);
  }
  for (const line of listFailures(inOrder)) console.log(line);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

let results;
try {
  const args = process.argv.slice(2);
  results = await main(args.length ? args : legs);
  print(results);
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  results = [{ passed: 0, failed: 1 }];
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') || !sum('passed') ? 1 : 0;
