// Gives the active playground a name of its own: a scratch in its text, a file as its file name.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { askForText, showMessage } from '../dialogs';
import { toFileName } from '../playground/files/save-as-file';
import { activeSession } from '../playground/active-session';
import type { Session } from '../../session';
import { DOCUMENT_LIMIT } from '../../protocol';
import type { CommandServices } from './command-services';
import { reportNoActivePlayground } from './playground-files';

const END = '.playground.json';

export async function renamePlayground(services: CommandServices): Promise<void> {
  const { editor, panels, pool, history } = services;
  const session = await activeSession(services);
  const { active: document } = editor;
  if (!session) return reportNoActivePlayground();
  if (!panels.active && document) return renameFile(document.uri);
  if (!(await renameScratch(session))) return;
  // the history reads the written text
  await pool.flush(session.id);
  history.runsChanged();
}

/** @returns whether the playground has a new name */
async function renameScratch(session: Session): Promise<boolean> {
  const name = await askForText({
    title: t('Rename Playground'),
    prompt: t('Shown in its tab and in the history. Empty: the first words of its first message.'),
    value: session.editable.document.name ?? '',
    validate: (typed) =>
      typed.length > DOCUMENT_LIMIT.name ? t('At most {0} characters.', DOCUMENT_LIMIT.name) : undefined,
  });
  if (name === undefined) return false;
  const value = name.trim() === '' ? {} : { value: name.trim() };
  try {
    await session.command(() => session.editable.edit([{ path: ['name'], ...value }]));
    return true;
  } catch (error) {
    void showMessage('error', t('The playground was not renamed. {0}', (error as Error).message));
    return false;
  }
}

/** Renamed by the editor, so that its runs move with it. */
async function renameFile(uri: vscode.Uri): Promise<void> {
  const before = uri.path.split('/').at(-1)?.replace(END, '') ?? '';
  const typed = await askForText({
    title: t('Rename Playground File'),
    prompt: t('Name of the file, without {0}', END),
    value: before,
    validate: (name) => (name.trim() === '' ? t('Type a name.') : undefined),
  });
  const name = typed && toFileName(typed.replace(END, ''));
  if (!name || name === before) return;
  const target = vscode.Uri.joinPath(uri, '..', name + END);
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(uri, target);
  if (await vscode.workspace.applyEdit(edit)) return;
  void showMessage('error', t('The file was not renamed. Is there already a {0}?', name + END));
}
