// Lists the scratches of this workspace, latest first, to reopen those whose tab was closed.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { pickOne, showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import { describeScratch } from '../playground/scratches/describe-scratch';
import { scratchSessionId } from '../playground/scratches/scratches';
import { titleOf } from '../playground/scratches/title-of';
import type { CommandServices } from './command-services';

interface ScratchItem extends vscode.QuickPickItem {
  id: string;
}

export async function openScratch(services: CommandServices): Promise<void> {
  const items = await toItems(services);
  if (items.length === 0) {
    void showMessage(
      'information',
      t(
        'There are no scratches yet. A playground without a file is stored as a scratch once it was changed or run.',
      ),
    );
    return;
  }
  const picked = await pickOne(items, {
    title: t('Open Scratch'),
    placeHolder: t('Playgrounds without a file, newest first'),
  });
  if (picked) services.panels.openScratch(await services.scratches.open(picked.id));
}

/** Items for scratches with a stored text, and for those of which only runs are stored. */
async function toItems({ scratches, pool }: CommandServices): Promise<ScratchItem[]> {
  const { parseDocument } = await loadEngine();
  const changed = await scratches.list();
  const known = new Set(changed.map(({ id }) => scratchSessionId(id)));
  const stored = await (await pool.store()).list();
  const onlyRun = stored
    .filter(({ sessionId }) => sessionId.startsWith('scratch:') && !known.has(sessionId))
    .map(({ sessionId, modifiedAt }) => ({ id: sessionId.slice('scratch:'.length), text: '', modifiedAt }));
  return [...changed, ...onlyRun]
    .toSorted((one, other) => other.modifiedAt - one.modifiedAt)
    .map(({ id, text, modifiedAt }) => {
      const { document } = parseDocument(text);
      const description = describeScratch({ modifiedAt, lanes: document?.lanes ?? [] }, Date.now());
      return { id, label: titleOf(document), description };
    });
}
