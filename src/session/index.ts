// What a playground is and does, for any front end. Names neither vscode nor the DOM.
export { editDocument } from './document/edit-document';
export type { EditedText } from './document/edit-document';
export { findSecrets } from './document/find-secrets';
export { NEW_PLAYGROUND_TEXT, newPlayground } from './document/new-playground';
export { parseDocument } from './document/parse-document';
export type { ParsedDocument } from './document/parse-document';
export type { DocumentProblem } from './document/place';
export { parseToolLibrary } from './document/tool-library';
export type { ToolLibrary } from './document/tool-library';
export type {
  Clock,
  ConnectionRequest,
  ConnectionSource,
  DocumentBacking,
  Journal,
  JournalLine,
  LogSink,
  OpenConnection,
  RunStore,
  TextEdit,
  ToolSource,
} from './ports';
