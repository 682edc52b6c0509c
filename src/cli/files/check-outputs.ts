// Refuses a command that would write over a file that it reads, or write twice into one.
import { t } from '@vscode/l10n';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError } from '../command';

/** A file that is written, and the option that names it, such as `--blob`. */
export interface OutputFile {
  path: string;
  option: string;
}

/** @param inputs Paths of what is read. @throws CommandError */
export async function checkOutputs(
  folder: string,
  outputs: readonly OutputFile[],
  inputs: readonly string[],
): Promise<void> {
  const read = new Set(await Promise.all(inputs.map((path) => placeOf(folder, path))));
  const written = new Map<string, string>();
  for (const { path, option } of outputs) {
    const place = await placeOf(folder, path);
    const other = written.get(place);
    if (read.has(place) || other !== undefined)
      throw new CommandError(
        other === undefined
          ? t('{0} would overwrite {1}, which this command reads.', option, path)
          : t('{0} and {1} both write {2}.', other, option, path),
        t('Name another file.'),
        t('Nothing was sent or written.'),
      );
    written.set(place, option);
  }
}

/** Links are followed; a file that is not there yet is where its path says. */
const placeOf = async (folder: string, path: string): Promise<string> => {
  const place = resolve(folder, path);
  return realpath(place).catch(() => place);
};
