// The folder of a VS Code's user data: for this user alone, as are the keys in it. Knows no server.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes what is not there yet, and takes away from others what is. Returns what the file holds. */
function keepPrivate(file, make) {
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  return readFileSync(file);
}

/** `settings` are written when the folder has none yet. A folder of an earlier version, which others could read, is mended. */
export function prepareDataFolder(dataDir, settings) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  mkdirSync(join(dataDir, 'User'), { recursive: true });
  const file = join(dataDir, 'User', 'settings.json');
  if (settings && !existsSync(file)) writeFileSync(file, JSON.stringify(settings, null, 2));
}

/**
 * The half of the key of VS Code's secret storage that the server keeps, in the server's own format; the other half is the
 * browser's. The server would write it for everyone to read.
 */
export const keepKeyHalf = (dataDir) =>
  keepPrivate(join(dataDir, 'serve-web-key-half'), () => randomBytes(32));

/**
 * The name of the origin, the same as long as the folder lives: a browser keeps secrets by origin. Random, so that no other
 * page can guess where the cookie goes.
 */
export const originName = (dataDir) =>
  String(keepPrivate(join(dataDir, 'origin-name'), () => `vscode-${randomBytes(8).toString('hex')}`));
