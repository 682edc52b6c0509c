// Entry point for the extension host, which calls run(). Runs every *.test.ts in this folder, recursively; none is
// listed.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import * as vscode from 'vscode';

function testFiles(): string[] {
  return readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .toSorted()
    .map((file) => join(__dirname, file));
}

/** Proves that the suite was completed: an extension host that crashes midway still exits with code 0. */
function writeReport(file: string, stats: Mocha.Stats, failed: readonly string[]): void {
  const kind = vscode.env.uiKind === vscode.UIKind.Web ? 'browser-served' : 'desktop';
  const host = `${vscode.env.appName}, VS Code ${vscode.version}, ${kind}`;
  const { passes, failures } = stats;
  writeFileSync(file, JSON.stringify({ passes, failures, failed, kind, host }));
}

export async function run(): Promise<void> {
  const report = process.env['HOST_TEST_REPORT'];
  if (!report) throw new Error('HOST_TEST_REPORT names no file to report to');
  const files = testFiles();
  if (files.length === 0) throw new Error(`no test files in ${__dirname}`);
  // Long enough for a busy machine; it only ends tests that hang.
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, color: false });
  for (const file of files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => {
    const failed: string[] = [];
    const runner = mocha.run((count) => {
      if (runner.stats) writeReport(report, runner.stats, failed);
      resolve(count);
    });
    runner.on('fail', (test) => failed.push(test.titlePath().join(' > ')));
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}
