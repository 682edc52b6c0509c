// What a playground is and does, for any front end. Names neither vscode nor the DOM.
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
