// Takes every stored run away, after a question.
import * as vscode from 'vscode';
import { showMessage } from '../dialogs';
import type { CommandServices } from './index';

export async function clearHistory({ pool }: CommandServices): Promise<void> {
  const clear = vscode.l10n.t('Clear History');
  const answer = await showMessage(
    'warning',
    vscode.l10n.t('All stored runs of this workspace will be deleted.'),
    { modal: true, detail: vscode.l10n.t('Playground files and scratches stay. This cannot be undone.') },
    clear,
  );
  if (answer === clear) await pool.clearHistory();
}
