// Lets the user choose among the connections that take a key.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection, ConnectionService } from '../../connections';
import { describeGiven } from '../../connections';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { pickOne, showMessage } from '../dialogs';

/** @returns undefined when nothing was chosen. If there is no such connection, the settings are offered instead. */
export async function pickKeyed(
  connections: ConnectionService,
  title: string,
): Promise<Connection | undefined> {
  await connections.refresh();
  const withTarget = await Promise.all(
    connections.list().map(async (connection) => {
      const keyed = connections.withKey(connection);
      return {
        connection,
        target: keyed && (await connections.keyTarget(keyed)),
        given: await connections.givenKey(connection),
      };
    }),
  );
  const items = withTarget
    .filter(({ target }) => target !== undefined)
    .map(({ connection, target, given }) => ({
      label: connection.label,
      description: target?.recipient ?? '',
      detail: given ? describeGiven(given) : t('no key yet'),
      connection,
    }));
  if (items.length > 0) return (await pickOne(items, { title }))?.connection;
  const open = t('Open Settings');
  const answer = await showMessage(
    'information',
    t('No connection needs an API key. Add a hosted one in the settings first.'),
    {},
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand(
      'workbench.action.openSettings',
      `${CONFIGURATION}.${SETTINGS.connections}`,
    );
  }
  return undefined;
}
