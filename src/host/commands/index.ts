// The commands, one line each. A command of the manifest that is missing here does not compile.
import type * as vscode from 'vscode';
import type * as laterCommands from './scratch-commands';
import type { CommandName, HistoryCommand } from '../contributions';
import { HISTORY_COMMANDS } from '../contributions';
import type { CustomProviders } from '../custom-providers/custom-providers';
import type { DocumentEditor } from '../playground/document-editor';
import type { PlaygroundPanels } from '../playground/playground-panels';
import type { Scratches } from '../playground/scratches';
import type { SessionPool } from '../playground/session-pool';
import type { Log } from '../log';
import type { PlaygroundTools } from '../tools/playground-tools';
import type { ConnectionAction, ConnectionsView } from '../connections-view/connections-view';
import type { FormatLab } from '../lab/format-lab';
import type { HistoryView } from '../history-view/history-view';
import type { RunsItem } from '../playground/runs-item';
import type { KeyServices } from './key-dialogs';

export interface CommandServices extends KeyServices {
  panels: PlaygroundPanels;
  editor: DocumentEditor;
  scratches: Scratches;
  tools: PlaygroundTools;
  pool: SessionPool;
  customProviders: CustomProviders;
  log: Log;
  extensionUri: vscode.Uri;
  view: ConnectionsView;
  runs: RunsItem;
  lab: FormatLab;
  history: HistoryView;
}

/** `target` is what a command was called on, such as a tree item. */
type Handler = (services: CommandServices, target?: unknown) => unknown;

const act =
  (action: ConnectionAction): Handler =>
  ({ view }, target) =>
    view.act(action, target);

type LaterCommands = typeof laterCommands;

const later =
  (choose: (commands: LaterCommands) => (services: CommandServices) => unknown): Handler =>
  async (services) =>
    choose(await import('./scratch-commands'))(services);

const ofHistory = Object.fromEntries(
  HISTORY_COMMANDS.map((name): [HistoryCommand, Handler] => [
    name,
    ({ history }, target) => history.act(name, target),
  ]),
) as Record<HistoryCommand, Handler>;

export const COMMAND_HANDLERS: Record<CommandName, Handler> = {
  openPlayground: ({ panels }) => panels.open(),
  openScratch: later(({ openScratch }) => openScratch),
  openExample: later(({ openExample }) => openExample),
  saveAsFile: later(({ saveAsPlaygroundFile }) => saveAsPlaygroundFile),
  duplicatePlayground: later(({ duplicatePlayground }) => duplicatePlayground),
  openAsText: later(({ openAsText }) => openAsText),
  editUserTools: ({ tools }) => tools.editUserLibrary(),
  setApiKey: act('setKey'),
  forgetApiKey: act('forgetKey'),
  forgetAllKeys: act('forgetAllKeys'),
  setSecretHeader: act('setSecretHeader'),
  loadCustomProviders: later(({ loadCustomProviders }) => loadCustomProviders),
  clearHistory: later(({ clearHistory }) => clearHistory),
  showLog: ({ log }) => log.show(),
  addConnection: act('add'),
  refreshConnections: act('refresh'),
  openConnection: act('open'),
  addConnectionLane: act('addLane'),
  testConnection: act('test'),
  diagnoseConnection: act('diagnose'),
  editConnection: act('edit'),
  duplicateConnection: act('duplicate'),
  deleteConnection: act('remove'),
  copyConnectionCode: act('copyCode'),
  useLocalServer: act('useLocalServer'),
  showRuns: ({ runs }) => runs.choose(),
  openFormatLab: ({ lab }) => lab.open(),
  diagnoseText: ({ lab }) => lab.diagnose(),
  ...ofHistory,
};
