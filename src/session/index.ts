// Public interface of the session layer: what a playground is and does, for any front end. Names neither vscode nor DOM.
export { editDocument } from './document/edit-document';
export type { EditedDocument } from './document/edit-document';
export { readJson } from './document/text/json-text';
export { lineFinder } from './document/place';
export { editsBetween } from './document/text/edits-between';
export { findSecrets } from './document/find-secrets';
export { emptyPlaygroundText, NEW_PLAYGROUND_TEXT } from './document/new-playground';
export { parseDocument } from './document/parse-document';
export type { ParsedDocument } from './document/parse-document';
export type { DocumentProblem } from './document/place';
export { parseTool } from './document/parse-tool';
export type { ParsedTool } from './document/parse-tool';
export { findToolOffset, parseToolLibrary } from './document/tool-library';
export type { ToolLibrary } from './document/tool-library';
export type { BlobEnd, BlobHead, BlobSample, Shard, WrittenChoice } from './evaluation/blob/blob-lines';
export { BLOB_FORMAT, toBlobSampleLine } from './evaluation/blob/blob-lines';
export type { BlobPlayground } from './evaluation/blob/blob-playground';
export { toBlobPlayground, viewsOf } from './evaluation/blob/blob-playground';
export type { JoinedBlobs } from './evaluation/blob/join-blobs';
export { joinBlobs } from './evaluation/blob/join-blobs';
export type { Blob } from './evaluation/blob/read-blob';
export { readBlobLines } from './evaluation/blob/read-blob';
export { storeBlob } from './evaluation/blob/store-blob';
export type { WrittenBatchChoice } from './evaluation/blob/written-choice';
export { toBatchChoice } from './evaluation/blob/written-choice';
export { Batch, readBatch } from './evaluation/batch';
export type { BatchChoice, BatchEnd, BatchPlaces, BatchSource, ReadBatch } from './evaluation/batch';
export type { EarlyEnd } from './evaluation/evaluation-head';
export type { EvaluationPlaces } from './evaluation/find-places';
export { EvaluationStore, MAX_PINNED_EVALUATIONS } from './evaluation/evaluation-store';
export { findEvaluationPlaces, isReadable } from './evaluation/find-places';
export { storedEvaluations } from './evaluation/stored-evaluations';
export { isJudged } from './evaluation/plan-samples';
export type { SampleEntry } from './evaluation/sample-entry';
export { readSampleLine } from './evaluation/sample-entry';
export type { PlannedSample } from './evaluation/setting';
export { Spending } from './evaluation/spending';
export type { SpendingLimits } from './evaluation/spending';
export type {
  Clock,
  ConnectionRequest,
  ConnectionSource,
  DocumentBacking,
  Journal,
  JournalLine,
  LogSink,
  OpenConnection,
  RowsFile,
  RunStore,
  TextEdit,
  ToolSource,
} from './ports';
export { EditRefusedError } from './editing/editable-document';
export { createSessionHandlers } from './handlers';
export type { SessionMethod } from './handlers';
export { LAB_FILE_END, labOfText, parseLabFile, printLabFile } from './lab/lab-file';
export { compareFormats, readLab } from './lab/read-lab';
export type { NamedText, TextPair } from './run/record/compare-runs';
export { compareRuns } from './run/record/compare-runs';
export { RefusalError } from './refusal';
export { deleteRuns, MAX_RUN_NAME, nameRun, pinRun } from './history/change-runs';
export { playgroundOfRun } from './history/playground-of-run';
export type { Replay } from './history/replay-run';
export { replayRun } from './history/replay-run';
export type { RunFacets, RunFilter } from './history/run-filter';
export { facetsOf, isFiltering, isMatch, NO_FILTER } from './history/run-filter';
export type { StoredRun } from './history/stored-runs';
export { storedRuns } from './history/stored-runs';
export type { FoundKey, FoundRequest, OpenedRequest } from './open-request';
export { findRequests, keepReply, MAX_SOURCE, openedText, openRequest, UnreadRequest } from './open-request';
export type { BookOptions, RecordedServer, RowStart, StoredExchanges } from './recording';
export {
  clientResponse,
  clientWire,
  compareRecorded,
  createReadingHandlers,
  readingTexts,
  RecordingBook,
  toHar,
  toRecordedView,
  toRow,
  toRowStart,
} from './recording';
export type { RecordedConversation, ReplayLane, SessionReplay } from './replay';
export { recordedConversations, replaySession } from './replay';
export { RequestGate } from './request-gate';
export { readRun, readWire } from './journal/run-lines';
export type { ReadRun } from './journal/run-lines';
export { exportedRun } from './run/record/exported-run';
export type { Asked, Setup } from './run/setup';
export { openRun } from './run/setup';
export type { AgentServices } from './run/agent-run';
export { MemorySink } from './run/memory-sink';
export type { ReplyPiece } from './journal/journal-lines';
export type { RunRecord } from './run/record/run-record';
export { runOnce } from './run/run-once';
export type { ProgressSource } from './run/run-sink';
export { isRelativePath } from './rows/rows-path';
export { Session } from './session';
export type { SessionOptions } from './session';
export { SessionView } from './session-view';
export { SYSTEM_CLOCK } from './system-clock';
export type { WireAttempt, WireRecord } from './run/record/wire-record';
export type { StepServices } from './run/chat-step';
export { kindOf, textOf, toWireView } from './run/record/wire-view';
export type { SchemaCheck } from './tools/schema/check-against-schema';
export { checkAgainstSchema } from './tools/schema/check-against-schema';
export { checkSchema } from './tools/schema/check-schema';
export type { ImportedTools, SkippedTool } from './tools/import-tools';
export { importTools, importToolsFromText } from './tools/import-tools';
export { answerOfMock, describeUnmatched, pickMock } from './tools/pick-mock';
export type { SchemaIssue } from './tools/schema/prepare-schema';
export type { ResolvedTool } from './tools/resolve-tools';
export { resolveTools } from './tools/resolve-tools';
export { toolNameProblem } from './tools/tool-name-problem';
export { undoOrRedo } from './editing/undo';
export type { FileRunStoreOptions, HistoryLimits } from './store/file-run-store';
export type { DeliveredCalls } from './served/deliver-calls';
export type { ServedChat, ServedReply } from './served/serve-chat';
export { serveChat } from './served/serve-chat';
export { FileRunStore } from './store/file-run-store';
export type { HistoryStore, StoredLines, StoredSession } from './store/history-store';
export { MemoryRunStore } from './store/memory-run-store';
