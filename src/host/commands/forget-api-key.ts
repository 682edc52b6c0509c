import * as vscode from 'vscode';
import type { CommandServices } from './index';
import { tellForgotten } from './key-dialogs';

/** Offers every connection that a key is stored for: one that is gone or needs none any more can still be forgotten. */
export async function forgetApiKey({ keys, connections }: CommandServices): Promise<void> {
  await connections.refresh();
  const labels = new Map(
    connections.list().map(({ id, label, provided }) => [provided?.key?.id ?? id, label]),
  );
  const ids = await keys.storedFor();
  if (ids.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No API key is stored.'));
    return;
  }
  const items = ids.map((id) => ({
    label: labels.get(id) ?? id,
    description: labels.has(id) ? '' : vscode.l10n.t('no such connection any more'),
    id,
  }));
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Forget the API key of') });
  if (!picked) return;
  await keys.forget(picked.id);
  tellForgotten(picked.label);
}
