// Reads what the window says about the extension host of the editor's chat. The rules are in chat-host.
import * as vscode from 'vscode';
import type { HostPlaces } from './chat-host';
import { CHAT_ID } from './chat-host';

/** @param ownId Id of this extension. */
export function readHostPlaces(ownId: string): HostPlaces {
  return {
    // In a browser all extensions of the window's machine share one host.
    isRemote: vscode.env.remoteName !== undefined && vscode.env.uiKind === vscode.UIKind.Desktop,
    affinity: vscode.workspace.getConfiguration('extensions').get('experimental.affinity'),
    ownId,
    hasChat: vscode.extensions.getExtension(CHAT_ID) !== undefined,
  };
}
