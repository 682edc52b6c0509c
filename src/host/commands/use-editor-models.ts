// Lists the models of VS Code, because a person asks for them, and opens one in a playground. From then on their connection is listed.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { EDITOR_MODELS_ID } from '../../connections';
import { toLabel } from '../../inspect';
import { COMMANDS } from '../contributions';
import { pickOne, showMessage } from '../dialogs';
import type { CommandServices } from './command-services';

/** How long VS Code may take to start the extensions that offer models, in milliseconds. */
const LIST_MS = 30_000;

export async function useEditorModels(services: CommandServices): Promise<void> {
  const { connections } = await services.connections.get();
  const connection = connections.find(EDITOR_MODELS_ID);
  const { label, provided } = connection;
  try {
    const { models } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: t('Asking VS Code for its models …') },
      () =>
        connections.describeServer(connection, { signal: AbortSignal.timeout(LIST_MS), timeoutMs: LIST_MS }),
    );
    const items = models.map(({ id, maxContextLength }) => ({
      label: toLabel(id),
      description: maxContextLength === undefined ? '' : t('{0} tokens', maxContextLength),
      model: { id },
    }));
    const picked = await pickOne(items, { title: label, placeHolder: provided?.privacy ?? '' });
    if (!picked) return;
    const target = { kind: 'model', connectionId: EDITOR_MODELS_ID, model: picked.model };
    await vscode.commands.executeCommand(COMMANDS.openConnection, target);
  } catch (error) {
    const { what, why, next } = await connections.explain(error, connection);
    await showMessage('warning', [what, why, next].filter(Boolean).join(' '));
  }
}
