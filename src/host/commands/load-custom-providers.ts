import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { showMessage } from '../dialogs';
import type { CommandServices } from './command-services';

/** Reloads the modules of custom providers; asks again about modules that were declined. */
export async function loadCustomProviders(services: CommandServices): Promise<void> {
  const { connections } = await services.connections.get();
  if (await connections.reload()) return connections.refresh();
  const open = t('Open Settings');
  const answer = await showMessage(
    'information',
    t('The settings name no module of custom providers.'),
    {},
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand(
      'workbench.action.openSettings',
      `${CONFIGURATION}.${SETTINGS.customProviders}`,
    );
  }
}
