// What a playground is and does, for any front end. Names neither vscode nor the DOM.
export { editDocument } from './document/edit-document';
export type { EditedText } from './document/edit-document';
export { NEW_PLAYGROUND_TEXT, newPlayground } from './document/new-playground';
export { parseDocument } from './document/parse-document';
export type { ParsedDocument } from './document/parse-document';
export type { DocumentProblem } from './document/place';
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
