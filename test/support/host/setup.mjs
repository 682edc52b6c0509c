// Makes a VS Code server out of what npm has: code-server, its own packages, and a Node 24 for it. Nothing is compiled.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, isInstalled, npm } from './npm.mjs';
import { hostDir, root, vscodeDir } from './paths.mjs';

// no install scripts: they would compile native modules, and nothing here needs what they do
const noScripts = '--ignore-scripts';
// code-server's engines name Node 24 alone, which runs the server later; npm may run on another one
const flags = [noScripts, '--engine-strict=false'];
const spdlog = join(hostDir, 'spdlog.cjs');

/** 75 MB to download and 190 MB of disk for VS Code's own chat agents, which nothing here starts. */
const unused = ['@github/copilot-sdk', '@microsoft/mxc-sdk'];

/**
 * Built-in extensions that load the TypeScript which VS Code's extensions share. It is not installed, so they raise errors for
 * HTML, JavaScript and TypeScript documents. The colours come from other extensions.
 */
const needTypeScript = ['html-language-features', 'typescript-language-features'];

async function finishServer() {
  const manifestFile = join(vscodeDir, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  for (const name of unused) delete manifest.dependencies[name];
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
  // not `npm ci`: it finds the shrinkwrap that comes with code-server out of sync
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];
  await npm(['install', '--no-save', '--omit=dev', ...flags, ...quiet], { cwd: vscodeDir, quiet: true });

  const modules = join(vscodeDir, 'node_modules', '@vscode');
  // without a working spdlog there are no log files and every output channel is empty
  cpSync(spdlog, join(modules, 'spdlog', 'index.js'));
  // never needed here, but each start prints a stack where it cannot be loaded
  writeFileSync(join(modules, 'native-watchdog', 'index.js'), 'exports.start = () => {};\n');
  for (const name of needTypeScript) {
    rmSync(join(vscodeDir, 'extensions', name), { recursive: true, force: true });
  }
}

const finish = { run: finishServer, files: [fileURLToPath(import.meta.url), spdlog] };

/** The extension's own development tools, as `npm ci` in the root installs them. */
export async function setUpRoot() {
  if (isInstalled(root)) return;
  console.error('[setup] installing the development tools from npm (about 110 MB)');
  await install(root, { args: [noScripts] });
}

export async function setUpServer() {
  if (isInstalled(hostDir, finish)) return;
  console.error('[setup] installing a VS Code server and its Node 24 from npm (about 170 MB, once)');
  const started = Date.now();
  await install(hostDir, { args: flags, finish });
  console.error(`[setup] the VS Code server is installed (${Math.round((Date.now() - started) / 1000)} s)`);
}

/** The server needs Node 24: this process's, if it is one, else the one that npm has as a bare executable. */
export function nodeBin() {
  const shipped = join(hostDir, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return !process.version.startsWith('v24.') && existsSync(shipped) ? shipped : process.execPath;
}
