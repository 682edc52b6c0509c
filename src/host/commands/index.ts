// The commands, one line each. A command of the manifest that is missing here does not compile.
import type * as laterCommands from './scratch-commands';
import type { CommandName, HistoryCommand } from '../contributions';
import { HISTORY_COMMANDS } from '../contributions';
import type { CommandServices } from './command-services';
import type { ConnectionAction } from '../connections-view/connections-view';

/** `target` is what a command was called on, such as a tree item. */
type CommandHandler = (services: CommandServices, target?: unknown) => unknown;

const act =
  (action: ConnectionAction): CommandHandler =>
  ({ view }, target) =>
    view.act(action, target);

type LaterCommands = typeof laterCommands;

const later =
  (choose: (commands: LaterCommands) => CommandHandler): CommandHandler =>
  async (services, target) =>
    choose(await import('./scratch-commands'))(services, target);

const ofHistory = Object.fromEntries(
  HISTORY_COMMANDS.map((name): [HistoryCommand, CommandHandler] => [
    name,
    ({ history }, target) => history.act(name, target),
  ]),
) as Record<HistoryCommand, CommandHandler>;

export const COMMAND_HANDLERS: Record<CommandName, CommandHandler> = {
  openPlayground: ({ panels }) => panels.open(),
  newPlayground: later(({ newPlayground }) => newPlayground),
  renamePlayground: later(({ renamePlayground }) => renamePlayground),
  runPlayground: later(({ runPlayground }) => runPlayground),
  runAgent: later(({ runAgent }) => runAgent),
  stopRuns: later(({ stopRuns }) => stopRuns),
  addLane: later(({ addLane }) => addLane),
  exportLanes: later(({ exportLanes }) => exportLanes),
  toggleInspector: later(({ toggleInspector }) => toggleInspector),
  openScratch: later(({ openScratch }) => openScratch),
  openExample: later(({ openExample }) => openExample),
  openRequest: async (services, target) => (await import('../open-request')).openRequest(services, target),
  replayRecordedSession: async (services, target) =>
    (await import('../open-request')).replayRecordedSession(services, target),
  recordProgram: ({ recordings }, target) => recordings.record(target),
  openRecording: ({ recordings }, target) => recordings.openFile(target),
  saveAsFile: later(({ saveAsPlaygroundFile }) => saveAsPlaygroundFile),
  duplicatePlayground: later(({ duplicatePlayground }) => duplicatePlayground),
  openAsText: later(({ openAsText }) => openAsText),
  editUserTools: ({ tools }) => tools.editUserLibrary(),
  setApiKey: act('setKey'),
  forgetApiKey: act('forgetKey'),
  forgetAllKeys: act('forgetAllKeys'),
  setSecretHeader: act('setSecretHeader'),
  useEditorModels: later(({ useEditorModels }) => useEditorModels),
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
  offerToChat: act('offerToChat'),
  withdrawFromChat: act('withdrawFromChat'),
  useLocalServer: act('useLocalServer'),
  openGuide: later(({ openGuide }) => openGuide),
  showRuns: ({ runs }) => runs.choose(),
  openFormatLab: ({ lab }) => lab.open(),
  diagnoseText: ({ lab }) => lab.diagnose(),
  chooseChatCallers: ({ chatModels }) => chatModels.chooseCallers(),
  evaluatePlayground: later(({ evaluatePlayground }) => evaluatePlayground),
  copyTerminalCommand: later(({ copyTerminalCommand }) => copyTerminalCommand),
  evaluateInTerminal: later(({ evaluateInTerminal }) => evaluateInTerminal),
  openEvaluationBlob: ({ blobs }) => blobs.choose(),
  showInPlayground: ({ evaluations }, target) => evaluations.showItem(target),
  openFailingSample: ({ evaluations }, target) => evaluations.act('open', target),
  compareWithPassingSample: ({ evaluations }, target) => evaluations.act('compare', target),
  copyAsExpectation: ({ evaluations }, target) => evaluations.act('copy', target),
  ...ofHistory,
};
