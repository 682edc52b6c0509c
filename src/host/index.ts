// What the composition root puts together.
export { ApiKeys } from './connections/api-keys';
export { ConnectionService } from './connections/connection-service';
export { CustomProviders } from './custom-providers/custom-providers';
export type { ProviderPlaygroundApi } from './custom-providers/api';
export { DemoBackEnd } from './connections/demo-back-end';
export { COMMAND_HANDLERS } from './commands';
export { COMMANDS } from './contributions';
export type { CommandName } from './contributions';
export { loadedEngine } from './load-engine';
export { PlaygroundPanels } from './playground/playground-panels';
