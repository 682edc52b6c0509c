// The lazily loaded part of the extension: the provider library, the demo back end and the analysis of finished runs.
// Nothing of it is loaded at activation. Knows no vscode.
export {
  checkArguments,
  closeConnections,
  CONNECT_TIMEOUT_MS,
  createRedactor,
  PROVIDER_CATALOG,
  RETRY_DEFAULTS,
  rescueFormatInfo,
} from '../library';
/** The whole public face, for other people's providers. */
export * as library from '../library';
export { startDemoServer } from '../demo';
export { diagnose, isKnownEmbedder, judgeTurn } from '../inspect';
export { AgentRun } from './runs/agent-run';
export { createFeed } from './runs/chat-job';
export { runChat } from './runs/chat-run';
export { runEmbedding } from './runs/embedding-run';
export { describeProviderError } from './runs/provider-error-info';
