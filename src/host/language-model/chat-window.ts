// Reads what the window says about the editor's chat. The rules are in chat-offer.
import * as vscode from 'vscode';
import type { ChatWindow } from './chat-offer';
import { CHAT_ID, findSplit } from './chat-offer';

/** @param ownId Id of this extension. */
export function readChatWindow(ownId: string): ChatWindow {
  return {
    isTrusted: vscode.workspace.isTrusted,
    split: findSplit({
      // In a browser all extensions of the window's machine share one host.
      isRemote: vscode.env.remoteName !== undefined && vscode.env.uiKind === vscode.UIKind.Desktop,
      affinity: vscode.workspace.getConfiguration('extensions').get('experimental.affinity'),
      ownId,
      hasChat: vscode.extensions.getExtension(CHAT_ID) !== undefined,
    }),
  };
}
