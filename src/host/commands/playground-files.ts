// Saves or copies the active playground, or opens its text.
import { t } from '@vscode/l10n';
import { showMessage } from '../dialogs';
import { saveCopy } from '../playground/files/document-editor';
import { openText } from '../playground/files/open-text';
import { fileSessionId } from '../playground/files/file-backing';
import type { CommandServices } from './command-services';

export async function saveAsPlaygroundFile({ panels, editor, pool }: CommandServices): Promise<void> {
  const { active: scratch } = panels;
  const { active: document } = editor;
  if (scratch) await panels.saveAs(scratch);
  else if (document) await saveCopy(document, pool);
  else reportNoActivePlayground();
}

/** Copies the text of the playground, but not its runs, into a new scratch. */
export async function duplicatePlayground(services: CommandServices): Promise<void> {
  const { panels, editor, scratches, pool } = services;
  const { active: scratch } = panels;
  const { active: document } = editor;
  const id = scratch?.id ?? (document && fileSessionId(document.uri));
  if (id === undefined) return reportNoActivePlayground();
  await pool.flush(id);
  panels.openScratch(scratches.create(scratch?.read() ?? document?.getText()));
}

export async function openAsText({ editor }: CommandServices): Promise<void> {
  const uri = editor.active?.uri;
  if (uri) await openText(uri);
  else reportNoActivePlayground();
}

export function reportNoActivePlayground(): void {
  void showMessage('information', t('No playground is active. Open one first.'));
}
