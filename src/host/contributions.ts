// The ids that the manifest contributes, typed. A test compares them with package.json in both directions.

/** Those of the history view. */
export const HISTORY_COMMANDS = [
  'refreshHistory',
  'filterHistory',
  'clearHistoryFilter',
  'openRun',
  'openRunPlayground',
  'openRunInNewPlayground',
  'replayRun',
  'compareRuns',
  'exportRuns',
  'pinRun',
  'unpinRun',
  'nameRun',
  'deleteRuns',
] as const;
export type HistoryCommand = (typeof HISTORY_COMMANDS)[number];

const NAMES = [
  'openPlayground',
  'openScratch',
  'openExample',
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
  'useLocalServer',
  'showRuns',
  'openFormatLab',
  'diagnoseText',
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

/** The panel of a scratch. */
export const PLAYGROUND_VIEW_TYPE = 'providerPlayground.playground';
/** The editor of a file. */
export const EDITOR_VIEW_TYPE = 'providerPlayground.editor';
/** A format lab, and the editor of a file of one. */
export const LAB_VIEW_TYPE = 'providerPlayground.lab';
export const LAB_EDITOR_VIEW_TYPE = 'providerPlayground.labEditor';
/** The tools of open playgrounds, each as a file. */
export const TOOL_SCHEME = 'providerplayground-tool';
/** What a diagnosis of a connection found, as a file that can only be read. */
export const DIAGNOSIS_SCHEME = 'providerplayground-diagnosis';
/** What went over the wire in runs, as files that can only be read. */
export const RUN_SCHEME = 'playground-run';
/** Texts that are made to be compared; they last as long as the window. */
export const TEXT_SCHEME = 'playground-text';
/** The tree of the connections, in a container of its own. */
export const CONNECTIONS_VIEW = 'providerPlayground.connectionsView';
/** The tree of the stored runs, in the same container. */
export const HISTORY_VIEW = 'providerPlayground.historyView';
/** What the conditions of the manifest look at. */
export const CONTEXT_KEYS = {
  /** Followed by a dot and the product: whether a server of it answers that no connection goes to. */
  found: 'providerPlayground.found',
  /** Whether the history view shows a part of the runs. */
  historyFiltered: 'providerPlayground.historyFiltered',
} as const;
