// The ids that the manifest contributes, typed. A test compares them with package.json in both directions.

export const COMMANDS = {
  openPlayground: 'providerPlayground.openPlayground',
  openScratch: 'providerPlayground.openScratch',
  openExample: 'providerPlayground.openExample',
  saveAsFile: 'providerPlayground.saveAsFile',
  duplicatePlayground: 'providerPlayground.duplicatePlayground',
  openAsText: 'providerPlayground.openAsText',
  editUserTools: 'providerPlayground.editUserTools',
  setApiKey: 'providerPlayground.setApiKey',
  forgetApiKey: 'providerPlayground.forgetApiKey',
  forgetAllKeys: 'providerPlayground.forgetAllKeys',
  setSecretHeader: 'providerPlayground.setSecretHeader',
  loadCustomProviders: 'providerPlayground.loadCustomProviders',
  clearHistory: 'providerPlayground.clearHistory',
  showLog: 'providerPlayground.showLog',
  addConnection: 'providerPlayground.addConnection',
  refreshConnections: 'providerPlayground.refreshConnections',
  openConnection: 'providerPlayground.openConnection',
  addConnectionLane: 'providerPlayground.addConnectionLane',
  testConnection: 'providerPlayground.testConnection',
  diagnoseConnection: 'providerPlayground.diagnoseConnection',
  editConnection: 'providerPlayground.editConnection',
  duplicateConnection: 'providerPlayground.duplicateConnection',
  deleteConnection: 'providerPlayground.deleteConnection',
  copyConnectionCode: 'providerPlayground.copyConnectionCode',
  useLocalServer: 'providerPlayground.useLocalServer',
  showRuns: 'providerPlayground.showRuns',
  openFormatLab: 'providerPlayground.openFormatLab',
  diagnoseText: 'providerPlayground.diagnoseText',
} as const;
export type CommandName = keyof typeof COMMANDS;

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
/** What the conditions of the manifest look at. */
export const CONTEXT_KEYS = {
  /** Followed by a dot and the product: whether a server of it answers that no connection goes to. */
  found: 'providerPlayground.found',
} as const;
