// Starts the VS Code server behind its front, and gives it folders and sockets of its own: nothing under the home folder.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { keepKeyHalf, originName, prepareDataFolder } from './data-folder.mjs';
import { startFront } from './front.mjs';
import { codeServer, hostDir } from './paths.mjs';
import { run } from './run.mjs';
import { nodeBin } from './setup.mjs';

const entry = join(codeServer, 'out', 'node', 'entry.js');
const logLimit = 4_000_000; // characters; `npm start` may run for days

/** A new user's editor, but for what talks to the network or covers the view. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  'remote.autoForwardPorts': false, // the demo listens on a port of this machine: nobody needs to be told
};

// XDG: else it writes under the home folder, as it would without --config
const environment = (dataDir) => ({
  ...process.env,
  EXTENSIONS_GALLERY: '{}', // no marketplace requests
  XDG_DATA_HOME: join(dataDir, 'xdg'),
  XDG_CACHE_HOME: join(dataDir, 'cache'),
});

function folders(dataDir) {
  const config = join(dataDir, 'config.yaml');
  return ['--user-data-dir', dataDir, '--extensions-dir', join(dataDir, 'extensions'), '--config', config];
}

function prepare(dataDir, settings) {
  prepareDataFolder(dataDir, settings);
  writeFileSync(join(dataDir, 'config.yaml'), '{}\n');
}

/** Installs packed extensions as a person would; the same version again replaces what is there. */
export async function installVsix(files, dataDir) {
  prepare(dataDir);
  const args = files.flatMap((file) => ['--install-extension', resolve(file)]);
  const options = { cwd: hostDir, env: environment(dataDir), quiet: true };
  await run(nodeBin(), [entry, ...folders(dataDir), ...args, '--force'], options);
}

/** Mode 0700 and short: the path of a socket may have 107 characters, and the extension hosts put theirs there too. */
function socketFolder() {
  const parent = tmpdir().length > 40 ? '/tmp' : tmpdir();
  return mkdtempSync(join(parent, 'vscode-host-'));
}

function spawnServer(dataDir, sockets, dev) {
  const quiet = ['telemetry', 'update-check', 'workspace-trust', 'getting-started-override', 'proxy'];
  const socket = ['--socket', join(sockets, 'server.sock'), '--socket-mode', '600'];
  const session = ['--session-socket', join(sockets, 'session.sock'), '--ignore-last-opened'];
  const off = quiet.map((name) => `--disable-${name}`);
  const development = dev ? ['--vscode-option', 'enable-smoke-test-driver'] : [];
  const args = ['--auth', 'none', ...socket, ...session, ...folders(dataDir), ...off, ...development];
  return spawn(process.execPath, [join(hostDir, 'leash.mjs'), sockets, nodeBin(), entry, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true, // a process group: extension hosts are grandchildren and look for their parent every 5 s only
    env: { ...environment(dataDir), XDG_RUNTIME_DIR: sockets, TMPDIR: sockets }, // removed in the end, with what is in it
  });
}

/** Kills what is left of the server's process group: the leash cannot do that when it was killed or does not answer. */
function killGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // nothing is left
  }
}

/** Resolves when the server is gone, and its output read: for a second at most, since what it has started may hold it. */
async function serverEnd(child) {
  const isClosed = new Promise((done) => child.once('close', done));
  await new Promise((done) => child.once('exit', done));
  killGroup(child);
  await Promise.race([isClosed, new Promise((done) => setTimeout(done, 1000).unref())]);
}

/** Ends the server and all that it started, whether the leash still answers or not. */
async function stopServer(child, ended) {
  child.stdin.end(); // the leash does the rest
  const limit = setTimeout(() => killGroup(child), 5000);
  await ended;
  clearTimeout(limit);
}

/** True when it listens, false when it ended before or took longer than a minute. */
function isListening(child, log) {
  return new Promise((done) => {
    const look = () => log().includes('server listening on') && done(true);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
    child.once('exit', () => done(false));
    setTimeout(() => done(false), 60_000).unref();
  });
}

/**
 * `settings` are written when the data folder has none yet. `home`: where the bare address leads. `dev`: honour development
 * and test paths; for the in-host suite only, because it also hides notifications and dialogs. `logFile`: gets what the server
 * prints as well, for other processes.
 */
export async function startServer({
  dataDir,
  dev = false,
  port = 0,
  home = '/',
  settings = quietSettings,
  logFile,
}) {
  prepare(dataDir, settings);
  keepKeyHalf(dataDir);
  const sockets = socketFolder();
  const child = spawnServer(dataDir, sockets, dev);
  child.stdin.on('error', () => {}); // the leash may be gone first
  const ended = serverEnd(child).then(() => rmSync(sockets, { recursive: true, force: true }));
  let output = '';
  if (logFile) writeFileSync(logFile, '');
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output = (output + data).slice(-logLimit);
      if (logFile) appendFileSync(logFile, data);
    });
  const log = () => output;
  let front;
  const stop = async () => {
    front?.close();
    await stopServer(child, ended);
  };
  try {
    if (!(await isListening(child, log))) throw new Error(`the VS Code server did not start:\n${output}`);
    const socketPath = join(sockets, 'server.sock');
    front = await startFront({ socketPath, name: originName(dataDir), port, home });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: front.url, token: front.token, log, ended, stop };
}

/** What the workbench reads from its address: the folder, and a payload of start-up options. */
export function workbenchQuery({ folder, payload = [] }) {
  const all = [['skipWelcome', 'true'], ['skipReleaseNotes', 'true'], ...payload];
  return `?${new URLSearchParams({ folder: resolve(folder), payload: JSON.stringify(all) })}`;
}

/** The address that opens the workbench on a folder. */
export function workbenchUrl({ url, token }, { folder, developmentPaths = [], testsPath }) {
  const remote = (path) => `vscode-remote://${new URL(url).host}${resolve(path)}`; // the authority is location.host
  const payload = developmentPaths.map((path) => ['extensionDevelopmentPath', remote(path)]);
  if (testsPath) payload.push(['extensionTestsPath', remote(testsPath)]);
  return `${url}/${workbenchQuery({ folder, payload })}&tkn=${token}`;
}
