// What a webview with a playground is given.
import type * as vscode from 'vscode';
import type { ApiKeys } from '../connections/api-keys';
import type { ConnectionService } from '../connections/connection-service';
import type { Log } from '../log';
import type { PlaygroundTools } from '../tools/playground-tools';
import type { PlaygroundWire } from '../wire/playground-wire';
import type { OwnedBacking, SessionPool } from './session-pool';

export interface ViewServices {
  connections: ConnectionService;
  keys: ApiKeys;
  log: Log;
  extensionUri: vscode.Uri;
  pool: SessionPool;
  tools: PlaygroundTools;
  wire: PlaygroundWire;
}

export interface ViewOptions {
  webview: vscode.Webview;
  backing: OwnedBacking;
  services: ViewServices;
  /** Id of the scratch, which the page saves with its own state. */
  scratchId?: string | undefined;
  /** Opens the text of the playground. */
  openText: (line: number | undefined) => Promise<void>;
  saveAs: () => Promise<void>;
  /** Whether messages reach the page: a hidden one drops them. */
  isVisible: () => boolean;
}
