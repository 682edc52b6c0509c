// The commands: one line each. A command that the manifest names and this list does not does not compile.
import type * as vscode from 'vscode';
import type { CommandName } from '../contributions';
import type { CustomProviders } from '../custom-providers/custom-providers';
import type { DocumentEditor } from '../playground/document-editor';
import type { PlaygroundPanels } from '../playground/playground-panels';
import type { Scratches } from '../playground/scratches';
import type { SessionPool } from '../playground/session-pool';
import type { PlaygroundTools } from '../tools/playground-tools';
import { clearHistory } from './clear-history';
import { duplicatePlayground, openAsText, saveAsPlaygroundFile } from './playground-files';
import { forgetApiKey } from './forget-api-key';
import type { KeyServices } from './key-dialogs';
import { loadCustomProviders } from './load-custom-providers';
import { openExample } from './open-example';
import { openScratch } from './open-scratch';
import { setApiKey } from './set-api-key';

export interface CommandServices extends KeyServices {
  panels: PlaygroundPanels;
  editor: DocumentEditor;
  scratches: Scratches;
  tools: PlaygroundTools;
  pool: SessionPool;
  customProviders: CustomProviders;
  log: vscode.LogOutputChannel;
  extensionUri: vscode.Uri;
}

export const COMMAND_HANDLERS: Record<CommandName, (services: CommandServices) => unknown> = {
  openPlayground: ({ panels }) => panels.open(),
  openScratch,
  openExample,
  saveAsFile: saveAsPlaygroundFile,
  duplicatePlayground,
  openAsText,
  editUserTools: ({ tools }) => tools.editUserLibrary(),
  setApiKey,
  forgetApiKey,
  loadCustomProviders,
  clearHistory,
  showLog: ({ log }) => log.show(),
};
