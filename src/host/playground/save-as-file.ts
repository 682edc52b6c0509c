// Asks where a playground is to lie, and writes it there.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';

/**
 * @param readText Asked after the dialog, while which the text may change.
 * @returns undefined when nothing was chosen
 */
export async function saveAsFile(
  title: string,
  readText: () => Promise<string>,
): Promise<vscode.Uri | undefined> {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'playground';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const proposed = `${name.toLowerCase()}.playground.json`;
  const chosen = await vscode.window.showSaveDialog({
    title: t('Save As Playground File'),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, proposed) }),
    filters: { [t('Playground')]: ['playground.json'] },
  });
  if (!chosen) return undefined;
  const uri = withExtension(chosen);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await readText()));
  return uri;
}

/** A dialog may leave the extension away, take only the last part of it, or add it to one that is there. */
function withExtension(uri: vscode.Uri): vscode.Uri {
  return uri.with({ path: `${uri.path.replace(/((\.playground)?\.json)+$/, '')}.playground.json` });
}
