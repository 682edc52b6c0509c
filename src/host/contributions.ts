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
  loadCustomProviders: 'providerPlayground.loadCustomProviders',
  clearHistory: 'providerPlayground.clearHistory',
  showLog: 'providerPlayground.showLog',
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
/** The tools of open playgrounds, each as a file. */
export const TOOL_SCHEME = 'providerplayground-tool';
