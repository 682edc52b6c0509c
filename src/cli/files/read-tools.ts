// Reads tools from a file that the command line names: a tool library, or what other programs send and declare.
import { t } from '@vscode/l10n';
import { resolve } from 'node:path';
import type { DocumentTool } from '../../protocol';
import { importToolsFromText } from '../../session';
import { CommandError } from '../command';
import { readText } from './near-files';
import { describeReadError } from './read-errors';

/** @returns at least one tool. @throws CommandError */
export async function readTools(folder: string, path: string): Promise<readonly DocumentTool[]> {
  let text: string;
  try {
    text = await readText(resolve(folder, path));
  } catch (error) {
    throw new CommandError(describeReadError(path, error), t('Correct --tools.'));
  }
  const { tools, skipped, problem } = importToolsFromText(text);
  const [first] = skipped;
  const why = problem ?? (first && `${first.what} ${first.why}.`);
  // A tool that is left out would be missing among the offered ones, which changes what is read and sent.
  if (why !== undefined || tools.length === 0)
    throw new CommandError(
      t('The tools in {0} cannot be used.', path),
      t('Write a list of tools, each with a name and the JSON Schema of its parameters.'),
      why,
    );
  return tools;
}
