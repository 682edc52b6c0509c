// Asks where to write a file whose name ends in two parts, such as `.playground.json`.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { showMessage } from './dialogs';

export interface NewFile {
  /** Title of the dialog. */
  title: string;
  /** Proposed name, without its end. */
  name: string;
  /** The part of the end before `.json`. */
  kind: 'playground' | 'toolcall';
  /** The kind in words. */
  label: string;
}

/** @returns undefined when the user cancelled, or does not want to replace a file. */
export async function chooseFile({ title, name, kind, label }: NewFile): Promise<vscode.Uri | undefined> {
  const end = `.${kind}.json`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showSaveDialog({
    title,
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name + end) }),
    filters: { [label]: [end.slice(1)] },
  });
  if (!chosen) return undefined;
  // A dialog may drop the end, keep only its last part, or add it twice.
  const uri = chosen.with({ path: chosen.path.replace(new RegExp(`((\\.${kind})?\\.json)+$`), '') + end });
  // The dialog has asked only whether a file of the chosen name may be replaced.
  return uri.path === chosen.path || (await mayWrite(uri)) ? uri : undefined;
}

async function mayWrite(uri: vscode.Uri): Promise<boolean> {
  const isThere = await Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
  if (!isThere) return true;
  const replace = t('Replace');
  const name = uri.path.split('/').at(-1) ?? '';
  const detail = t('Its contents would be lost.');
  const answer = await showMessage(
    'warning',
    t('{0} already exists.', name),
    { modal: true, detail },
    replace,
  );
  return answer === replace;
}
