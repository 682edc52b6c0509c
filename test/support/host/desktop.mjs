// Runs an installed desktop VS Code, always with separate folders and never with the user's own settings and
// extensions.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { prepareDataFolder } from './data-folder.mjs';
import { quietSettings } from './server.mjs';

const isWindows = process.platform === 'win32';

function code(executable, args, options = {}) {
  const quote = (text) => (isWindows ? `"${text}"` : text); // code.cmd can only be started through a shell
  return spawnSync(quote(executable), args.map(quote), { encoding: 'utf8', shell: isWindows, ...options });
}

function usualPlaces() {
  const { LOCALAPPDATA = '', ProgramFiles = '' } = process.env;
  const app = 'Visual Studio Code.app/Contents/Resources/app/bin/code';
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', join(homedir(), 'Applications')].map((dir) => join(dir, app));
    case 'win32':
      return [join(LOCALAPPDATA, 'Programs'), ProgramFiles].map((dir) =>
        join(dir, 'Microsoft VS Code', 'bin', 'code.cmd'),
      );
    default:
      return ['/usr/share/code/bin/code', '/snap/bin/code'];
  }
}

/**
 * The first `code` command that responds, or undefined. PATH is tried first. In a remote terminal `code` is a
 * different program.
 */
export function findDesktop() {
  if (process.env.VSCODE_IPC_HOOK_CLI) return undefined;
  const candidates = ['code', ...usualPlaces().filter((path) => existsSync(path))];
  return candidates.find((path) => code(path, ['--version'], { timeout: 15_000 }).status === 0);
}

export function openDesktop(executable, { dataDir, folder, files }) {
  prepareDataFolder(dataDir, quietSettings);
  const dirs = ['--user-data-dir', dataDir, '--extensions-dir', join(dataDir, 'extensions')];
  const install = [...files.flatMap((file) => ['--install-extension', file]), '--force'];
  for (const args of [install, ['--new-window', '--disable-workspace-trust', folder]]) {
    const { status } = code(executable, [...dirs, ...args], { stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`${executable} ${args.join(' ')} ended with ${status}`);
  }
}
