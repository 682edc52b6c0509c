// Deletes all stored runs after a confirmation.
import { t } from '@vscode/l10n';
import { showMessage } from '../dialogs';
import type { CommandServices } from './command-services';

export async function clearHistory({ pool, history }: CommandServices): Promise<void> {
  const clear = t('Clear History');
  const answer = await showMessage(
    'warning',
    t('All stored runs of this workspace will be deleted.'),
    { modal: true, detail: t('Playground files and scratches stay. This cannot be undone.') },
    clear,
  );
  if (answer !== clear) return;
  await pool.clearHistory();
  history.runsChanged();
}
