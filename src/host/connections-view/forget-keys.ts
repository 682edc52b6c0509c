// Forgets stored keys and secret headers: a single one, or all of them.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { StoredSecret } from '../../connections';
import { describeGiven } from '../../connections';
import { connectionOf } from './connection-of';
import { pickOne, showMessage } from '../dialogs';
import type { KeyServices } from '../commands/key-dialogs';

/**
 * Offers all stored secrets, including those of connections that no longer exist.
 * @param given The connection it was called on; then all of its secrets are forgotten.
 */
export async function forgetApiKey(services: KeyServices, given?: unknown): Promise<void> {
  const { keys } = services;
  const { forgetKey, reportForgotten } = await import('../commands/key-dialogs');
  const connection = connectionOf(services, given);
  if (connection) return forgetKey(services, connection);
  const labels = await readLabels(services);
  const stored = await keys.list();
  if (stored.length === 0) return reportNoStoredKey();
  const items = await Promise.all(stored.map((secret) => toItem(services, labels, secret)));
  const picked = await pickOne(items, { title: t('Forget the API key or the secret header of') });
  if (!picked) return;
  const { connectionId, kind } = picked.secret;
  await keys.forget(connectionId, kind);
  if (kind === 'key') reportForgotten(picked.label);
  else void showMessage('information', t('The header {0} of {1} is forgotten.', kind.header, picked.label));
}

/** Forgets the secrets of every connection after a confirmation. */
export async function forgetAllKeys(services: KeyServices): Promise<void> {
  const { keys } = services;
  const labels = await readLabels(services);
  const ids = await keys.storedFor();
  if (ids.length === 0) return reportNoStoredKey();
  const forget = t('Forget All');
  const answer = await showMessage(
    'warning',
    t('Forget all API keys and secret headers?'),
    { modal: true, detail: ids.map((id) => labels.get(id) ?? id).join('\n') },
    forget,
  );
  if (answer !== forget) return;
  await keys.forgetAll();
  void showMessage('information', t('All API keys and secret headers are forgotten.'));
}

function reportNoStoredKey(): void {
  void showMessage('information', t('No API key is stored.'));
}

/** Labels by the id that a key is stored under. */
async function readLabels({ connections }: KeyServices): Promise<Map<string, string>> {
  await connections.refresh();
  return new Map(connections.list().map(({ id, label, provided }) => [provided?.key?.id ?? id, label]));
}

async function toItem(
  { keys }: KeyServices,
  labels: ReadonlyMap<string, string>,
  secret: StoredSecret,
): Promise<vscode.QuickPickItem & { secret: StoredSecret }> {
  const { connectionId, binding, kind } = secret;
  const given = await keys.find(connectionId, binding, kind);
  const what = kind === 'key' ? given && describeGiven(given) : t('header {0}', kind.header);
  const isGone = !labels.has(connectionId);
  return {
    label: labels.get(connectionId) ?? connectionId,
    description: [what, isGone && t('the connection no longer exists')].filter(Boolean).join(' · '),
    secret,
  };
}
