// Typed ids of the manifest's contributions. A test compares them with package.json in both directions.

/** Commands of the history view. */
export const HISTORY_COMMANDS = [
  'refreshHistory',
  'filterHistory',
  'clearHistoryFilter',
  'openRun',
  'openRunPlayground',
  'openRunInNewPlayground',
  'replayRun',
  'compareRuns',
  'openEvaluation',
  'compareEvaluations',
  'exportRuns',
  'showChatRuns',
  'pinRun',
  'unpinRun',
  'nameRun',
  'deleteRuns',
] as const;
export type HistoryCommand = (typeof HISTORY_COMMANDS)[number];

const NAMES = [
  'openPlayground',
  'newPlayground',
  'renamePlayground',
  'runPlayground',
  'runAgent',
  'stopRuns',
  'addLane',
  'exportLanes',
  'toggleInspector',
  'openScratch',
  'openExample',
  'openRequest',
  'replayRecordedSession',
  'recordProgram',
  'openRecording',
  'saveAsFile',
  'duplicatePlayground',
  'openAsText',
  'editUserTools',
  'setApiKey',
  'forgetApiKey',
  'forgetAllKeys',
  'setSecretHeader',
  'loadCustomProviders',
  'clearHistory',
  'showLog',
  'addConnection',
  'refreshConnections',
  'openConnection',
  'addConnectionLane',
  'testConnection',
  'diagnoseConnection',
  'editConnection',
  'duplicateConnection',
  'deleteConnection',
  'copyConnectionCode',
  'offerToChat',
  'withdrawFromChat',
  'useLocalServer',
  'useEditorModels',
  'openGuide',
  'showRuns',
  'openFormatLab',
  'diagnoseText',
  'chooseChatCallers',
  'evaluatePlayground',
  'copyTerminalCommand',
  'evaluateInTerminal',
  'openEvaluationBlob',
  'showInPlayground',
  'openFailingSample',
  'compareWithPassingSample',
  'copyAsExpectation',
  ...HISTORY_COMMANDS,
] as const;
export type CommandName = (typeof NAMES)[number];

export const COMMANDS = Object.fromEntries(NAMES.map((name) => [name, `providerPlayground.${name}`])) as {
  readonly [Name in CommandName]: `providerPlayground.${Name}`;
};

export const CONFIGURATION = 'providerPlayground';
export const SETTINGS = {
  connections: 'connections',
  customProviders: 'customProviders',
  maxConcurrentRequests: 'maxConcurrentRequests',
  historyEnabled: 'history.enabled',
  historyMaxRuns: 'history.maxRuns',
  historyMaxBytes: 'history.maxBytes',
} as const;

/** Tools for agents in the editor's chat, which it shares with those of all other extensions. */
export const AGENT_TOOLS = {
  readReply: 'provider_playground_read_reply',
  evaluateFile: 'provider_playground_evaluate_file',
  explainRun: 'provider_playground_explain_run',
} as const;
export type AgentToolName = keyof typeof AGENT_TOOLS;

/** Id under which the requests of the editor's chat are stored, as if it were a playground. */
export const CHAT_SESSION_ID = 'vscode-chat';
/** Webview panel of a scratch. */
export const PLAYGROUND_VIEW_TYPE = 'providerPlayground.playground';
/** Custom editor of a playground file. */
export const EDITOR_VIEW_TYPE = 'providerPlayground.editor';
/** Panel of a format lab, and the custom editor of a lab file. */
export const LAB_VIEW_TYPE = 'providerPlayground.lab';
export const LAB_EDITOR_VIEW_TYPE = 'providerPlayground.labEditor';
/** Panel of a recording, and the custom editor of a recorded file. */
export const RECORDING_VIEW_TYPE = 'providerPlayground.recording';
export const RECORDING_EDITOR_VIEW_TYPE = 'providerPlayground.recordingEditor';
/** Custom editor of a blob of an evaluation. */
export const BLOB_VIEW_TYPE = 'providerPlayground.blob';
/** File system of the tools of open playgrounds, each as a file. */
export const TOOL_SCHEME = 'providerplayground-tool';
/** Read-only file system of the diagnoses of connections. */
export const DIAGNOSIS_SCHEME = 'providerplayground-diagnosis';
/** Read-only file system of what went over the wire in runs. */
export const RUN_SCHEME = 'playground-run';
/** Read-only texts for comparisons; they exist until the window is closed. */
export const TEXT_SCHEME = 'playground-text';
/** Type of tasks, and the name of their problem matcher. */
export const TASK_TYPE = 'provider-playground';
/** Tree view of the connections, in a view container of its own. */
export const CONNECTIONS_VIEW = 'providerPlayground.connectionsView';
/** Tree view of the stored runs, in the same container. */
export const HISTORY_VIEW = 'providerPlayground.historyView';
/** Context keys used by `when` clauses of the manifest. */
export const CONTEXT_KEYS = {
  /** Followed by a dot and the product: whether a server of it answers that no connection uses; `key` if it needs a key. */
  found: 'providerPlayground.found',
  /** Whether the history view is filtered. */
  historyFiltered: 'providerPlayground.historyFiltered',
} as const;
