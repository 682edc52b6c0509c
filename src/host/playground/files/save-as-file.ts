// Asks for a place and writes a playground file there.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { chooseFile } from '../../choose-file';

/** Not a literal, for the same reason as the pattern in visible-text.ts. */
const NO_NAME = String.raw`[^\p{L}\p{N}]+`;

/**
 * @param readText Called after the dialog, during which the text may change.
 * @returns undefined when the user cancelled.
 */
export async function saveAsFile(
  title: string,
  readText: () => Promise<string>,
): Promise<vscode.Uri | undefined> {
  const name = title.replace(new RegExp(NO_NAME, 'gu'), '-').replace(/^-|-$/g, '') || 'playground';
  const uri = await chooseFile({
    title: t('Save As Playground File'),
    name: name.toLowerCase(),
    kind: 'playground',
    label: t('Playground'),
  });
  if (!uri) return undefined;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await readText()));
  return uri;
}
