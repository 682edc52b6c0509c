// The project's own files, as paths from its root.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files below a folder with one of the endings; installed packages are left out. */
export function filesUnder(folder: string, ...endings: string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/') && endings.some((ending) => path.endsWith(ending)));
}
