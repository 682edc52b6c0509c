// The commands: one line each. A command that the manifest names and this list does not does not compile.
import type * as vscode from 'vscode';
import type { CommandName } from '../contributions';
import type { CustomProviders } from '../custom-providers/custom-providers';
import type { PlaygroundPanels } from '../playground/playground-panels';
import { forgetApiKey } from './forget-api-key';
import type { KeyServices } from './key-dialogs';
import { loadCustomProviders } from './load-custom-providers';
import { setApiKey } from './set-api-key';

export interface CommandServices extends KeyServices {
  panels: PlaygroundPanels;
  customProviders: CustomProviders;
  log: vscode.LogOutputChannel;
}

export const COMMAND_HANDLERS: Record<CommandName, (services: CommandServices) => unknown> = {
  openPlayground: ({ panels }) => panels.open(),
  setApiKey,
  forgetApiKey,
  loadCustomProviders,
  showLog: ({ log }) => log.show(),
};
