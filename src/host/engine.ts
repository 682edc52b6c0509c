// The lazily loaded part of the extension: the provider library, the sessions, the demo back end and the analysis of runs.
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
export { isKnownEmbedder } from '../inspect';
export { DOCUMENT_LIMIT } from '../protocol';
export {
  createSessionHandlers,
  EditRefusedError,
  FileRunStore,
  findToolOffset,
  importToolsFromText,
  importTools,
  MemoryRunStore,
  NEW_PLAYGROUND_TEXT,
  parseDocument,
  parseTool,
  parseToolLibrary,
  RefusalError,
  RequestGate,
  Session,
  SessionView,
  toolNameProblem,
} from '../session';
export { describeProviderError } from './connections/provider-error-info';
