// The project's own files, as paths relative to its root.
import { readdirSync } from 'node:fs';

/**
 * Files below a folder that have one of the endings. Skips installed packages: on a fresh clone they are being
 * installed meanwhile, and a listed file may be gone before it is read.
 */
export function filesUnder(folder: string, ...endings: string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(path, ...endings);
    return endings.some((ending) => path.endsWith(ending)) ? [path] : [];
  });
}
