// The folder of VS Code's user data. It contains keys, so only this user can read it. Independent of the server.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates the file if it is missing and restricts it to this user. Returns its contents. */
function keepPrivate(file, make) {
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  return readFileSync(file);
}

/** Writes `settings` if the folder has none yet. Restricts a folder of an earlier version that other users could read. */
export function prepareDataFolder(dataDir, settings) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  mkdirSync(join(dataDir, 'User'), { recursive: true });
  const file = join(dataDir, 'User', 'settings.json');
  if (settings && !existsSync(file)) writeFileSync(file, JSON.stringify(settings, null, 2));
}

/**
 * The server's half of the key of VS Code's secret storage, in the server's own format; the browser keeps the
 * other half. Created here, because the server would make it readable for everyone.
 */
export const keepKeyHalf = (dataDir) =>
  keepPrivate(join(dataDir, 'serve-web-key-half'), () => randomBytes(32));

/**
 * Host name of the origin, constant for the life of the folder because browsers keep secrets by origin. Random, so
 * that no other page can guess where the cookie is sent.
 */
export const originName = (dataDir) =>
  String(keepPrivate(join(dataDir, 'origin-name'), () => `vscode-${randomBytes(8).toString('hex')}`));
