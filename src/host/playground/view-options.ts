// What a webview with a playground is given.
import type * as vscode from 'vscode';
import type { Connection, Connections } from '../../connections';
import type { ErrorInfo, GivenDocument, ShownPlace } from '../../protocol';
import type { Lazy } from '../lazy';
import type { Log } from '../log';
import type { PlaygroundTools } from '../tools/playground-tools';
import type { PlaygroundWire } from '../wire/playground-wire';
import type { OwnedBacking, SessionPool } from './session-pool';

export interface ViewServices {
  connections: Lazy<Connections>;
  /** Describes an error for the user; the result contains no secret. */
  explain: (error: unknown, connection?: Connection) => Promise<ErrorInfo>;
  log: Log;
  extensionUri: vscode.Uri;
  pool: SessionPool;
  tools: PlaygroundTools;
  wire: PlaygroundWire;
  /** The format lab. */
  lab: { openText: (given: Omit<GivenDocument, 'id'>) => Promise<void> };
}

export interface ViewOptions {
  webview: vscode.Webview;
  backing: OwnedBacking;
  services: Omit<ViewServices, 'pool'> & { pool: Pick<SessionPool, 'acquire' | 'wanted'> };
  /** Id of the scratch, which the page saves with its own state. */
  scratchId?: string | undefined;
  /**
   * Opens the text of the playground.
   * @param shown What its view shows if the playground has to become a file for that. @default its lanes
   */
  openText: (line: number | undefined, shown?: ShownPlace) => Promise<void>;
  saveAs: () => Promise<void>;
  /** Whether messages reach the page: a hidden one drops them. */
  isVisible: () => boolean;
}
