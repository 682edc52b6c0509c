// The ids that the manifest contributes, typed. A test compares them with package.json in both directions.

export const COMMANDS = {
  openPlayground: 'providerPlayground.openPlayground',
  setApiKey: 'providerPlayground.setApiKey',
  forgetApiKey: 'providerPlayground.forgetApiKey',
  loadCustomProviders: 'providerPlayground.loadCustomProviders',
  showLog: 'providerPlayground.showLog',
} as const;
export type CommandName = keyof typeof COMMANDS;

export const CONFIGURATION = 'providerPlayground';
export const SETTINGS = { connections: 'connections', customProviders: 'customProviders' } as const;

export const PLAYGROUND_VIEW_TYPE = 'providerPlayground.playground';
