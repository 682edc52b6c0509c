// Finds the playground files that a command line means: files as they are named, and those of folders that expect something.
import { t } from '@vscode/l10n';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { parseDocument } from '../../session';
import type { ParsedDocument } from '../../session';
import { CommandError } from '../command';
import { isMissing, readText } from './near-files';
import { describeReadError } from './read-errors';

export interface PlaygroundFile {
  /** From the current folder, with /. */
  path: string;
  text: string;
}

export interface FoundPlayground extends PlaygroundFile {
  /** What is odd in it, such as an unknown key, each with its place. */
  warnings: readonly string[];
}

const ENDING = '.playground.json';
/** Folders of other people's files. */
const SKIPPED = new Set(['node_modules', 'dist', 'out']);

/** @param operands Files and folders; none: the current folder. @throws CommandError */
export async function findPlaygrounds(
  operands: readonly string[],
  folder: string,
): Promise<FoundPlayground[]> {
  const found = new Map<string, FoundPlayground>();
  for (const operand of operands.length > 0 ? operands : ['.']) {
    const at = resolve(folder, operand);
    const isFolder = await isDirectory(at, operand);
    for (const file of isFolder ? await filesBelow(at, folder) : [at]) {
      const path = relative(folder, file).split(sep).join('/');
      const parsed = parseDocument(await read(file, path));
      if (isExpecting(parsed)) found.set(path, toFile(path, parsed));
      else if (!isFolder)
        throw new CommandError(
          t('{0} expects nothing and has no rows.', path),
          t('Add `expect` or `evaluate.rows`. One message is sent by `provider-playground run`.'),
          t('Nothing was sent.'),
        );
    }
  }
  if (found.size > 0) return [...found.values()].toSorted((one, other) => compare(one.path, other.path));
  throw new CommandError(
    operands.length > 0
      ? t('No playground with expectations was found in {0}.', operands.join(', '))
      : t('No playground with expectations was found in this folder.'),
    t('Name a file that ends in {0} and has `expect`, or a folder with one.', ENDING),
  );
}

/** By code units, which is the same on every machine. */
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

async function isDirectory(path: string, operand: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const what = isMissing(error)
      ? t('There is no file or folder {0}.', operand)
      : describeReadError(operand, error);
    throw new CommandError(what, t('Correct the path.'));
  }
}

/** @param base What a folder that cannot be read is named from. @throws CommandError */
async function filesBelow(folder: string, base: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new CommandError(
      describeReadError(relative(base, folder) || '.', error),
      t('Change its permissions, or name the files and folders to evaluate.'),
      t('Nothing was sent.'),
    );
  });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path, base);
      return entry.name.endsWith(ENDING) ? [path] : [];
    }),
  );
  return found.flat();
}

async function read(file: string, path: string): Promise<string> {
  try {
    return await readText(file);
  } catch (error) {
    throw new CommandError(describeReadError(path, error), t('Correct the path.'));
  }
}

const toFile = (path: string, { text, warnings = [] }: ParsedDocument): FoundPlayground => ({
  path,
  text,
  warnings: warnings.map(({ line, message }) => `${path}:${line}: ${message}`),
});

/** Whether there is something to judge. What cannot be read may have; it is reported later. */
function isExpecting({ document }: ParsedDocument): boolean {
  if (!document) return true;
  const { expect, evaluate } = document;
  return expect.length > 0 || evaluate.rows !== undefined;
}
