// Reads what the window says about the editor's chat. The rules are in chat-offer.
import * as vscode from 'vscode';
import { readHostPlaces } from '../read-host-places';
import type { ChatWindow } from './chat-offer';
import { splitReason } from './chat-offer';

/** @param ownId Id of this extension. */
export function readChatWindow(ownId: string): ChatWindow {
  return {
    isTrusted: vscode.workspace.isTrusted,
    split: splitReason(readHostPlaces(ownId)),
  };
}
