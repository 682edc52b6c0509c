import * as vscode from 'vscode';
import type { CommandServices } from './index';
import { askForKey } from './key-dialogs';
import { pickConnection } from './pick-connection';

export async function setApiKey(services: CommandServices): Promise<void> {
  const connection = await pickConnection(services.connections, vscode.l10n.t('Set the API key of'));
  if (connection) await askForKey(services, connection);
}
