// Asks for a place and writes a playground file there.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';

/**
 * @param readText Called after the dialog, during which the text may change.
 * @returns undefined when the user cancelled.
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

/** A dialog may drop the extension, keep only its last part, or add it twice. */
function withExtension(uri: vscode.Uri): vscode.Uri {
  return uri.with({ path: `${uri.path.replace(/((\.playground)?\.json)+$/, '')}.playground.json` });
}
