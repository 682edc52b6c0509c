// Runs the suite in an extension host: of a desktop VS Code if VSCODE_EXECUTABLE (its path) or VSCODE_VERSION
// (downloaded) is set, otherwise of the browser-served one. The suite is the same.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserDir, root } from '../support/host/paths.mjs';
import { run } from '../support/host/run.mjs';

const { VSCODE_EXECUTABLE, VSCODE_VERSION } = process.env;
export const wantsDesktop = Boolean(VSCODE_EXECUTABLE || VSCODE_VERSION);

/** What `runTests` starts, and arguments that must come first. */
function executable() {
  if (VSCODE_EXECUTABLE) return { where: { vscodeExecutablePath: VSCODE_EXECUTABLE }, first: [] };
  if (VSCODE_VERSION) return { where: { version: VSCODE_VERSION }, first: [] };
  return { where: { vscodeExecutablePath: process.execPath }, first: [join(browserDir, 'vscode-shim.mjs')] };
}

/**
 * Reads the counts from the suite's report. Without a report it was not completed: a host that crashes still exits
 * with code 0.
 */
function readReport(file, error) {
  if (!existsSync(file)) throw error ?? new Error('the extension host ended before the suite did');
  const { host, kind, passes, failures, failed } = JSON.parse(readFileSync(file, 'utf8'));
  if (wantsDesktop && kind !== 'desktop')
    throw new Error(`a desktop VS Code was asked for, this was: ${host}`);
  if (error && !failures) throw error;
  return { passed: passes, failed: failures, failures: failed, note: `in ${host}` };
}

export async function runHostSuite(env) {
  await run(process.execPath, [join(root, 'esbuild.mjs'), '--tests'], { cwd: root, env });
  const { runTests } = await import('@vscode/test-electron'); // imported here, because it may have to be installed first
  const { where, first } = executable();
  const scratch = mkdtempSync(join(tmpdir(), 'host-test-'));
  const workspace = join(scratch, 'workspace');
  const report = join(scratch, 'report.json');
  const certificate = join(root, 'test', 'fixtures', 'tls', 'localhost-cert.pem');
  mkdirSync(workspace);
  const dirs = ['--user-data-dir', join(scratch, 'data'), '--extensions-dir', join(scratch, 'extensions')];
  try {
    const error = await runTests({
      ...where,
      extensionDevelopmentPath: root,
      extensionTestsPath: join(root, 'dist', 'test', 'index.js'),
      launchArgs: [...first, workspace, ...dirs],
      // A certificate that the machine trusts, for the tests of certificates.
      extensionTestsEnv: { HOST_TEST_REPORT: report, NODE_EXTRA_CA_CERTS: certificate },
    }).then(
      () => undefined,
      (reason) => reason,
    );
    return readReport(report, error);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
