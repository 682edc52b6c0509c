// The lazily loaded part of the extension: the provider library, the demo back end and the analysis of finished runs.
// Nothing of it is loaded at activation. Knows no vscode.
export {
  checkArguments,
  closeConnections,
  CONNECT_TIMEOUT_MS,
  createRedactor,
  PROVIDER_CATALOG,
  ProviderError,
  RETRY_DEFAULTS,
  rescueFormatInfo,
} from '../library';
export { startDemoServer } from '../demo';
export { diagnose, judgeTurn } from '../inspect';
