// The host's exports for the composition root.
export { COMMAND_HANDLERS } from './commands';
export { composeHost } from './compose-host';
export { COMMANDS } from './contributions';
export type { CommandName } from './contributions';
export type { ProviderPlaygroundApi } from '../connections';
export { translateEngine } from './load-engine';
