// The project's own files, as paths from its root.
import { readdirSync } from 'node:fs';

/**
 * Files below a folder with one of the endings. Installed packages are never looked into: on a fresh clone they are being
 * installed meanwhile, and what is listed is gone before it is read.
 */
export function filesUnder(folder: string, ...endings: string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(path, ...endings);
    return endings.some((ending) => path.endsWith(ending)) ? [path] : [];
  });
}
