// Starts the VS Code server behind its front, with folders and sockets of its own; nothing is written to the home
// folder.
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
const logLimit = 4_000_000; // in characters; `npm start` may run for days

/** A new user's settings, except for features that use the network or cover the view. */
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
  'remote.autoForwardPorts': false, // the demo listens on a local port, which needs no notification
  'remote.autoForwardPortsSource': 'output', // otherwise each extension host searches /proc for ports every two seconds
};

// Without the XDG variables and --config, it would write to the home folder.
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

/** Installs packaged extensions as a user would; the same version is replaced. */
export async function installVsix(files, dataDir) {
  prepare(dataDir);
  const args = files.flatMap((file) => ['--install-extension', resolve(file)]);
  const options = { cwd: hostDir, env: environment(dataDir), quiet: true };
  await run(nodeBin(), [entry, ...folders(dataDir), ...args, '--force'], options);
}

/** Mode 0700 and short: a socket path is limited to 107 characters, and the extension hosts create theirs here, too. */
function socketFolder() {
  const parent = tmpdir().length > 40 ? '/tmp' : tmpdir();
  return mkdtempSync(join(parent, 'vscode-host-'));
}

function spawnServer(dataDir, sockets, { dev, builtinDir }) {
  const quiet = ['telemetry', 'update-check', 'workspace-trust', 'getting-started-override', 'proxy'];
  const socket = ['--socket', join(sockets, 'server.sock'), '--socket-mode', '600'];
  const session = ['--session-socket', join(sockets, 'session.sock'), '--ignore-last-opened'];
  const off = quiet.map((name) => `--disable-${name}`);
  const development = dev ? ['--vscode-option', 'enable-smoke-test-driver'] : [];
  const builtin = builtinDir ? ['--builtin-extensions-dir', builtinDir] : [];
  const outside = ['--auth', 'none', ...socket, ...session, ...folders(dataDir)];
  const args = [...outside, ...off, ...development, ...builtin];
  return spawn(process.execPath, [join(hostDir, 'leash.mjs'), sockets, nodeBin(), entry, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true, // its own process group: extension hosts are grandchildren and check for their parent only every 5 s
    env: { ...environment(dataDir), XDG_RUNTIME_DIR: sockets, TMPDIR: sockets }, // removed at the end with its contents
  });
}

/** Kills the rest of the server's process group, which the leash cannot do if it was killed or hangs. */
function killGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // nothing is left
  }
}

/**
 * Resolves when the server has ended and its output has been read; waits at most a second for that, as child
 * processes may keep the pipes open.
 */
async function serverEnd(child) {
  const isClosed = new Promise((done) => child.once('close', done));
  await new Promise((done) => child.once('exit', done));
  killGroup(child);
  await Promise.race([isClosed, new Promise((done) => setTimeout(done, 1000).unref())]);
}

/** Ends the server and everything it started, whether or not the leash still responds. */
async function stopServer(child, ended) {
  child.stdin.end(); // the leash does the rest
  const limit = setTimeout(() => killGroup(child), 5000);
  await ended;
  clearTimeout(limit);
}

/** Resolves with true once it listens, with false if it has ended or a minute has passed. */
function isListening(child, log) {
  return new Promise((done) => {
    const look = () => log().includes('server listening on') && done(true);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
    child.once('exit', () => done(false));
    setTimeout(() => done(false), 60_000).unref();
  });
}

/**
 * `settings` are written if the data folder has none yet. `home`: where the bare URL leads. `dev`: accepts
 * development and test paths; only for the in-host suite, because it also hides notifications and dialogs.
 * `builtinDir`: folder of the extensions that replace all built-in ones. `logFile`: receives a copy of the server's
 * output for other processes.
 */
export async function startServer({
  dataDir,
  dev = false,
  port = 0,
  home = '/',
  settings = quietSettings,
  builtinDir,
  logFile,
}) {
  prepare(dataDir, settings);
  keepKeyHalf(dataDir);
  const sockets = socketFolder();
  const child = spawnServer(dataDir, sockets, { dev, builtinDir });
  child.stdin.on('error', () => {}); // the leash may already have ended
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

/** The query that the workbench reads: the folder, and a payload of start-up options. */
export function workbenchQuery({ folder, payload = [] }) {
  const all = [['skipWelcome', 'true'], ['skipReleaseNotes', 'true'], ...payload];
  return `?${new URLSearchParams({ folder: resolve(folder), payload: JSON.stringify(all) })}`;
}

/** The URL that opens the workbench on a folder. */
export function workbenchUrl({ url, token }, { folder, developmentPaths = [], testsPath }) {
  const remote = (path) => `vscode-remote://${new URL(url).host}${resolve(path)}`; // the authority is location.host
  const payload = developmentPaths.map((path) => ['extensionDevelopmentPath', remote(path)]);
  if (testsPath) payload.push(['extensionTestsPath', remote(testsPath)]);
  return `${url}/${workbenchQuery({ folder, payload })}&tkn=${token}`;
}
