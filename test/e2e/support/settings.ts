// Settings of the open folder: a running workbench follows a change within a second. It does not follow one in the user's
// settings file, because the server reports that file under another address than the one the workbench watches.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../support/host/server.mjs';

/** Adds these to the folder's `.vscode/settings.json`; a setting of `undefined` is taken out. */
export function updateSettings(folder: string, changes: Settings): void {
  const file = join(folder, '.vscode', 'settings.json');
  const current: Settings = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...current, ...changes }, null, 2));
}
