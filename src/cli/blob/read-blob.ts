// Reads blobs line by line: one has up to 100,000 samples. A last line that is not whole is that of a process that was killed.
import { t } from '@vscode/l10n';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Blob } from '../../session';
import { BLOB_FORMAT, readBlobLines } from '../../session';
import { CommandError } from '../command';
import { describeReadError } from '../files/read-errors';

/** @throws CommandError when it is no blob */
export async function readBlob(folder: string, path: string): Promise<Blob> {
  const input = createReadStream(resolve(folder, path), 'utf8');
  try {
    const { blob, problem } = await readBlobLines(path, createInterface({ input, crlfDelay: Infinity }));
    if (blob) return blob;
    throw refuse(path, problem.format);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(describeReadError(path, error), t('Correct the path.'));
  } finally {
    input.destroy();
  }
}

/** What could be read, and why the rest could not, in sentences. */
export interface ReadBlobs {
  blobs: Blob[];
  unreadable: readonly string[];
}

/**
 * A file of a machine that died may be empty, broken or not there at all: it does not take those of the others with it.
 * @throws CommandError when none can be read, or one is of another format
 */
export async function readBlobs(folder: string, paths: readonly string[]): Promise<ReadBlobs> {
  const blobs: Blob[] = [];
  const failures: CommandError[] = [];
  for (const path of paths)
    try {
      blobs.push(await readBlob(folder, path));
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof FormatError) throw error;
      failures.push(error);
    }
  const [first] = failures;
  if (first && blobs.length === 0) throw first;
  return { blobs, unreadable: failures.map(({ message }) => message) };
}

/** The other machines have another version of the program. */
class FormatError extends CommandError {}

const refuse = (path: string, format: number | undefined): CommandError =>
  format === undefined
    ? new CommandError(t('{0} is no blob of an evaluation.', path), t('Write one with eval --blob.'))
    : new FormatError(
        t('{0} has the format {1}; this program reads {2}.', path, format, BLOB_FORMAT),
        format > BLOB_FORMAT
          ? t('Update this program to the version that has written it.')
          : t('Evaluate again with this version.'),
      );

const ENDING = '.jsonl';

/** @param operands Blobs, and folders of blobs. @throws CommandError */
export async function findBlobs(operands: readonly string[], folder: string): Promise<string[]> {
  const found = await Promise.all(
    operands.map(async (operand) => {
      const isFolder = await stat(resolve(folder, operand)).then(
        (state) => state.isDirectory(),
        () => false,
      );
      if (!isFolder) return [operand];
      const names = await readdir(resolve(folder, operand), { recursive: true }).catch((error: unknown) => {
        throw new CommandError(
          describeReadError(operand, error),
          t('Change its permissions, or name the blobs themselves.'),
        );
      });
      return names
        .filter((name) => name.endsWith(ENDING))
        .toSorted()
        .map((name) => join(operand, name));
    }),
  );
  const paths = found.flat();
  if (paths.length > 0) return paths;
  throw new CommandError(
    t('There is no blob in {0}.', operands.join(', ') || t('the arguments')),
    t('Name blobs that eval --blob has written, or a folder with them.'),
  );
}
