// Offers the models of a connection to the editor's chat, and takes that back. Only in the user's own settings.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection, ConnectionService } from '../../connections';
import { showMessage } from '../dialogs';
import { toLabel } from '../../inspect';
import type { ChatWindow } from '../language-model/chat-offer';
import { chatOffer, hasChatSwitch, isOffered } from '../language-model/chat-offer';
import { writeChatSwitch } from './own-settings';
import { pickTarget } from './pick-target';

export interface SwitchServices {
  connections: Pick<ConnectionService, 'find' | 'list' | 'refresh' | 'keyTarget' | 'hasKey'>;
  chatWindow: () => ChatWindow;
}

const canOffer = (connection: Connection): boolean => hasChatSwitch(connection) && !isOffered(connection);

export async function offerToChat(services: SwitchServices, given: unknown): Promise<void> {
  const { connections } = services;
  const title = t('Connection to offer to the chat of VS Code');
  const none = t(
    'Every connection of your user settings is offered already, or there is none. Add one first.',
  );
  const target = await pickTarget(connections, given, { title, isFit: canOffer, none });
  if (!target) return;
  const { connection } = target;
  const label = toLabel(connection.label);
  if (!hasChatSwitch(connection)) {
    const only = t('Only connections of your user settings are offered to the chat of VS Code.');
    return void showMessage('information', `${only} ${t('Duplicate {0} into them first.', label)}`);
  }
  const offer = t('Offer');
  const detail = t(
    'They can be chosen there, also in agent mode, and other extensions can use them after you were asked. Requests are sent with your key, which none of them sees, and may cost money. Each is stored in the history, under VS Code chat. Titles, summaries and other helper requests of the chat may still go to models of its own.',
  );
  const question = t('Offer the models of {0} to the chat of VS Code?', label);
  if ((await showMessage('information', question, { modal: true, detail }, offer)) !== offer) return;
  await writeChatSwitch(connection.id, true);
  const switched = { ...connection, setting: { ...connection.setting, offerToChat: true } };
  const state = chatOffer(switched, services.chatWindow(), await isKeyMissing(connections, connection));
  if (state.kind === 'blocked')
    void showMessage('warning', `${t('Nothing of {0} is offered yet.', label)} ${state.reason}`);
}

export async function withdrawFromChat({ connections }: SwitchServices, given: unknown): Promise<void> {
  const title = t('Connection that the chat of VS Code no longer gets');
  const none = t('No connection of your user settings is offered to the chat of VS Code.');
  const target = await pickTarget(connections, given, { title, isFit: isOffered, none });
  if (!target) return;
  await writeChatSwitch(target.connection.id, false);
  const label = toLabel(target.connection.label);
  vscode.window.setStatusBarMessage(t('The chat of VS Code no longer gets the models of {0}.', label), 5_000);
}

export async function isKeyMissing(
  connections: Pick<ConnectionService, 'keyTarget' | 'hasKey'>,
  connection: Connection,
): Promise<boolean> {
  return (await connections.keyTarget(connection)) !== undefined && !(await connections.hasKey(connection));
}
