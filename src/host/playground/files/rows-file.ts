// Reads the data file that a playground names as its rows: beside it, or in the workspace, and nowhere else.
import { posix } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DocumentBacking, RowsFile } from '../../../session';
import { showMessage } from '../../dialogs';
import { isNear } from '../../tools/is-near';
import { LibraryWatch } from '../../tools/library-watch';
import { readTextFile } from '../../tools/read-text-file';
import { uriOfSession } from './file-backing';

/** Opens the rows of a playground in the text editor at this line, counted from 1; nothing if they can be nowhere. */
export async function openRowsFile(sessionId: string, path: string, line = 1): Promise<void> {
  const uri = uriOfRows(sessionId, path);
  if (typeof uri === 'string') return;
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: new vscode.Range(position, position),
  });
}

/** @returns the path of the chosen file, relative to the playground; undefined when the user cancelled, or it may not be read */
export async function chooseRowsFile(sessionId: string): Promise<string | undefined> {
  const base = folderOf(sessionId);
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: t('Choose Rows File'),
      ...(base && { defaultUri: base }),
      filters: { [t('Rows')]: ['csv', 'jsonl', 'json'] },
    })) ?? [];
  if (!chosen) return undefined;
  const path = base ? posix.relative(base.path, chosen.path) : posix.basename(chosen.path);
  const uri = uriOfRows(sessionId, path);
  if (typeof uri !== 'string') return path.startsWith('../') ? path : `./${path}`;
  void showMessage('warning', uri);
  return undefined;
}

/** The folder to which the path of the rows is relative. */
function folderOf(sessionId: string): vscode.Uri | undefined {
  const file = uriOfSession(sessionId);
  // Query and fragment of the URI belong to the playground file itself.
  const beside = file && vscode.Uri.joinPath(file, '..').with({ query: '', fragment: '' });
  return beside ?? vscode.workspace.workspaceFolders?.[0]?.uri;
}

/** @returns where the rows of a playground are; or one sentence that says why they can be nowhere */
function uriOfRows(sessionId: string, path: string): vscode.Uri | string {
  const base = folderOf(sessionId);
  if (!base) return t('There is no folder in which {0} could be: save the playground as a file.', path);
  const uri = vscode.Uri.joinPath(base, path);
  return isNear(uri, uriOfSession(sessionId) && base)
    ? uri
    : t('{0} is neither in the workspace nor below the folder of the playground.', path);
}

export function rowsFileFor({ id }: Pick<DocumentBacking, 'id'>): RowsFile {
  const listeners = new Set<() => void>();
  let watch: LibraryWatch | undefined;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    read: async (segments) => {
      const path = segments.join('/');
      const uri = uriOfRows(id, path);
      if (typeof uri === 'string') return uri;
      watch ??= new LibraryWatch(notify);
      watch.add(uri);
      try {
        return { text: await readTextFile(uri) };
      } catch (error) {
        const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
        if (isMissing) return t('There is no file {0}.', path);
        return t('{0} cannot be read: {1}.', path, error instanceof Error ? error.message : '');
      }
    },
    onDidChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) watch?.dispose();
      };
    },
  };
}
