// The lazily loaded chunk with the provider library, the sessions, the demo back end and the analysis of runs.
// None of it is loaded at activation. Independent of vscode.
export { config as translate } from '@vscode/l10n';
export {
  checkArguments,
  closeConnections,
  createRedactor,
  HOST_PLACEHOLDER,
  PROVIDER_CATALOG,
  rescueFormatInfo,
  rescueFormats,
} from '../library';
export { startDemoServer } from '../demo';
export { isKnownEmbedder } from '../inspect';
export { DOCUMENT_LIMIT, RpcServer } from '../protocol';
export {
  compareFormats,
  compareRuns,
  createSessionHandlers,
  EditRefusedError,
  emptyPlaygroundText,
  exportedRun,
  FileRunStore,
  findEvaluationPlaces,
  findToolOffset,
  importToolsFromText,
  isHosted,
  isReadable,
  importTools,
  LAB_FILE_END,
  labOfText,
  MemoryRunStore,
  NEW_PLAYGROUND_TEXT,
  parseDocument,
  parseLabFile,
  parseTool,
  parseToolLibrary,
  printLabFile,
  readLab,
  readRun,
  readWire,
  RefusalError,
  replayRun,
  RequestGate,
  Session,
  SessionView,
  undoOrRedo,
  toolNameProblem,
} from '../session';
export { editorFace } from './connections/editor-face';
export {
  createConnectionSource,
  diagnoseConnection,
  findEntry,
  findLocalServers,
  findPlace,
  isKeyRefused,
  library,
  listModels,
  localServersOf,
  openConnections,
  pickModel,
  ToolLibraries,
  writeReport,
} from '../connections';
