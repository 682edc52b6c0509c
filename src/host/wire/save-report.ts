// Saves what is exported where the user wants it; a report opens in the browser where that can read the file.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { showMessage } from '../dialogs';

interface ExportedFile {
  /** Proposed, without its end. */
  name: string;
  end: string;
  /** What the file is, for the dialog. */
  kind: string;
  title: string;
  text: string;
}

/** @returns undefined when the user cancelled */
async function save({ name, end, kind, title, text }: ExportedFile): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title,
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${end}`) }),
    filters: { [kind]: [end] },
  });
  if (uri) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** Saves a text that is too long to be opened. */
export async function saveExport(file: Omit<ExportedFile, 'title'>): Promise<void> {
  const uri = await save({ ...file, title: t('Export') });
  if (uri) void showMessage('information', t('The evaluation was saved as {0}.', uri.path));
}

/** @param name Proposed name of the file, without its end. */
export async function saveReport(name: string, html: string): Promise<void> {
  const uri = await save({ name, end: 'html', kind: t('HTML page'), title: t('Save Report'), text: html });
  if (!uri) return;
  const isHere = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  if (isHere && (await vscode.env.openExternal(uri))) return;
  // The browser is on another machine than the file.
  void showMessage(
    'information',
    t('The report was saved as {0}. Download it to open it in a browser.', uri.path),
  );
}
