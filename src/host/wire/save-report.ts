// Saves an HTML report where the user wants it, and opens it in the browser where that can read the file.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { showMessage } from '../dialogs';

/** @param name Proposed name of the file, without its end. */
export async function saveReport(name: string, html: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: t('Save Report'),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.html`) }),
    filters: { [t('HTML page')]: ['html'] },
  });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(html));
  const isHere = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  if (isHere && (await vscode.env.openExternal(uri))) return;
  // The browser is on another machine than the file.
  void showMessage(
    'information',
    t('The report was saved as {0}. Download it to open it in a browser.', uri.path),
  );
}
