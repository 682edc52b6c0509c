// Changes the settings of the open folder, which a running workbench applies within a second. It does not notice
// changes of the user's settings file, because the server reports that file under a URI other than the one it
// watches.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../support/host/server.mjs';

/** Merges the changes into the folder's `.vscode/settings.json`; `undefined` removes a setting. */
export function updateSettings(folder: string, changes: Settings): void {
  const file = join(folder, '.vscode', 'settings.json');
  const current: Settings = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...current, ...changes }, null, 2));
}
