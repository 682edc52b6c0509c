// The files that a playground names: its rows and its tool libraries. Only those in the current folder or below that of the
// playground are read, links followed: a playground from someone else must not read distant files.
import { t } from '@vscode/l10n';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { LibraryFiles } from '../../connections';
import { LIBRARY_PATH, ToolLibraries } from '../../connections';
import type { RowsFile, ToolSource } from '../../session';
import { describeReadError } from './read-errors';

const MAX_BYTES = 8_000_000;

const never = (): (() => void) => () => undefined;

/** @param path Of the playground. @param folder The current one. */
export function rowsFileBeside(path: string, folder: string): RowsFile {
  const beside = dirname(resolve(folder, path));
  return {
    read: async (segments) => {
      const named = segments.join('/');
      const file = join(beside, ...segments);
      try {
        if (!(await isNear(file, [folder, beside])))
          return t('{0} is neither in the current folder nor below that of the playground.', named);
        return { text: await readText(file) };
      } catch (error) {
        return describeReadError(named, error);
      }
    },
    onDidChange: never,
  };
}

/** The tools that playgrounds refer to. Files are read once. */
export function toolsFrom(folder: string): (path: string) => ToolSource {
  const files: LibraryFiles<string> = {
    // Only the editor has one.
    user: '',
    near: (path, playground) => {
      const bases = [dirname(resolve(folder, playground)), folder];
      return [...new Set(bases.map((base) => join(base, path)))].filter((file) =>
        bases.some((base) => isBelow(file, base)),
      );
    },
    keyOf: (file) => file,
    state: async (file) => {
      try {
        const { mtimeMs, size } = await stat(file);
        return { mtime: mtimeMs, size };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    read: readText,
    describe: (file) => relative(folder, file),
  };
  const libraries = new ToolLibraries(files);
  return (path) => ({
    resolve: async (reference) => {
      if (reference.startsWith('user#'))
        return t(
          'The tool library of the user is kept by the editor: copy the tool to {0} and refer to it there.',
          LIBRARY_PATH,
        );
      const found = await libraries.find(reference, path);
      return found.problem ?? found.tool;
    },
    invoke: () => Promise.reject(new Error('an evaluation runs no tools of the editor')),
    onDidChange: never,
  });
}

async function isNear(file: string, folders: readonly string[]): Promise<boolean> {
  const real = await realpath(file);
  const bases = await Promise.all(folders.map((folder) => realpath(folder)));
  return bases.some((base) => isBelow(real, base));
}

const isBelow = (file: string, folder: string): boolean =>
  file.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** @throws when it cannot be read or is too large, with the reason for the end of a sentence */
export async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new Error(t('it is larger than {0} MB', MAX_BYTES / 1_000_000));
  return readFile(file, 'utf8');
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
