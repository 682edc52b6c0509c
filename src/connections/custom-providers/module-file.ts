// Reads a module once: the bytes that are hashed are the bytes that run. Independent of vscode.
import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ModuleSource } from './evaluate-module';
import { ModuleError } from './evaluate-module';

/** A module path from the settings; its scope determines which folders it may refer to. */
export interface ModuleReference {
  /** The path as written in the settings. */
  written: string;
  scope: 'user' | 'workspace';
  /** The first workspace folder, which relative paths start from. */
  folder: string;
  /** All workspace folders. */
  folders: readonly string[];
}

export interface ModuleFile extends ModuleSource {
  sha256: string;
}

/** In bytes; a larger file cannot be meant as a provider. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Resolves the path without accessing the disk. */
export const locate = ({ written, folder }: ModuleReference): string => resolve(folder, written);

/**
 * Reads a module. Only an absolute path in the user's own settings may leave the workspace; paths in workspace
 * settings must stay inside its trusted folders, symbolic links included.
 * @throws ModuleError
 */
export async function readModule(reference: ModuleReference): Promise<ModuleFile> {
  const { written, scope, folders } = reference;
  if (!/\.[cm]?js$/i.test(written)) {
    throw new ModuleError(
      t('It is not a JavaScript file: its name must end in .mjs, .cjs or .js. Compile TypeScript first.'),
    );
  }
  try {
    const path = await realpath(locate(reference));
    const roots = await Promise.all(folders.map((folder) => realpath(folder)));
    const isOwn = scope === 'user' && isAbsolute(written);
    if (!isOwn && !roots.some((root) => isInside(path, root))) throw new ModuleError(outside(path));
    const bytes = await readBytes(path);
    return { path, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    throw error instanceof ModuleError ? error : new ModuleError(explain(error), { cause: error });
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function readBytes(path: string): Promise<Uint8Array> {
  refuseOther(await stat(path));
  // A pipe may have replaced the file meanwhile, and opening one would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    refuseOther(found);
    if (found.size > MAX_BYTES)
      throw new ModuleError(t('It is larger than {0} MiB.', MAX_BYTES / 1024 / 1024));
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function refuseOther(found: Awaited<ReturnType<FileHandle['stat']>>): void {
  if (found.isDirectory()) throw new ModuleError(t('It is a folder: name the file.'));
  if (!found.isFile()) throw new ModuleError(t('It is not a regular file: name one.'));
}

const outside = (path: string): string =>
  t('{0} is outside the workspace. Only the user settings may name such a file, by its absolute path.', path);

function explain(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === 'ENOENT' || code === 'ENOTDIR') return t('There is no such file: correct the path.');
  if (code === 'EACCES' || code === 'EPERM') return t('The file cannot be read: change its permissions.');
  return t('The file could not be read ({0}).', typeof code === 'string' ? code : String(error));
}
