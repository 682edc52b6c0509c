// Asks for a place and writes a playground file there.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { chooseFile } from '../../choose-file';

/** Not a literal, for the same reason as the pattern in visible-text.ts. */
const NO_NAME = String.raw`[^\p{L}\p{N}]+`;

/** @returns a name without blanks and punctuation, for a title of any kind. */
export const toFileName = (title: string): string =>
  title.replace(new RegExp(NO_NAME, 'gu'), '-').replace(/^-|-$/g, '') || 'playground';

/**
 * @param readText Called after the dialog, during which the text may change.
 * @returns undefined when the user cancelled.
 */
export async function saveAsFile(
  title: string,
  readText: () => Promise<string>,
): Promise<vscode.Uri | undefined> {
  const uri = await chooseFile({
    title: t('Save As Playground File'),
    name: toFileName(title).toLowerCase(),
    kind: 'playground',
    label: t('Playground'),
  });
  if (!uri) return undefined;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await readText()));
  return uri;
}
