// Contract between the host and its front ends. Mostly types; the only runtime code is the RPC client and server, the
// schemas, the limits and lists, and the table of parameters.
export { billingOf, isHosted, isLocal } from './billing';
export type {
  DocumentEdit,
  DocumentLane,
  DocumentMessage,
  DocumentTool,
  LaneLimits,
  PlaygroundDocument,
  ToolMock,
  ToolReference,
} from './document/document';
export { DEFAULT_STEPS, DOCUMENT_LIMIT } from './document/document-limit';
export {
  DocumentLaneSchema,
  DocumentMessageSchema,
  DocumentSchema,
  DocumentToolSchema,
  MockSchema,
  SamplingSchema,
  ToolReferenceSchema,
} from './document/document';
export type { EvaluateOptions } from './document/evaluate-schema';
export {
  CallPatternSchema,
  EvaluateSchema,
  ExpectationSchema,
  ExpectationsSchema,
  FilledExpectationsSchema,
} from './document/evaluate-schema';
export { ONE_PLACEHOLDER, PLACEHOLDER, PlaceholderSchema } from './document/placeholder';
export type {
  DescribedComparison,
  DescribedWarning,
  EvaluationCaseView,
  EvaluationForm,
  EvaluationPlan,
  EvaluationProblem,
  EvaluationProgress,
  EvaluationResult,
  EvaluationRowView,
  EvaluationRowsView,
  EvaluationSampleView,
  EvaluationSnapshot,
  SampleUnderWay,
  ShownRows,
  StoredEvaluation,
} from './evaluation';
export { EVALUATION_FORMS, SAMPLE_KINDS, SHOWN_ROWS } from './evaluation';
export type { HostEventName, HostEvents, PanelAction, ShownPlace } from './events';
export type {
  FormatCount,
  GivenDocument,
  LabDocument,
  LabFormat,
  LabMethod,
  LabOpening,
  LabParams,
  LabReading,
  LabResults,
} from './lab/lab';
export { LabDocumentSchema } from './lab/lab';
export { LAB_LIMIT } from './lab/lab-limit';
export type {
  AgentEnding,
  CutText,
  LaneEntry,
  LaneSnapshot,
  LaneStanding,
  LiveReplyView,
  MessageEntry,
  NextRun,
  ReplyView,
  RunEntry,
  RunKind,
  RunLimits,
  RunOutcome,
  RunProgress,
  RunState,
  SentSettings,
  SentView,
  SetupPart,
  ToolResultView,
} from './lanes';
export type { ErrorInfo, Verdict } from './outcome';
export type { ParameterRow, ParameterType } from './document/parameters-table';
export { fromParametersTable, isRecord, parametersTable } from './document/parameters-table';
export type { ReadingCall, Reading, ReadingOptions, ReadingPair } from './lab/readings';
export type {
  AskedView,
  RecordableClient,
  RecordedConnection,
  RecordedRow,
  RecordedView,
  RecordingChange,
  RecordingMethod,
  RecordingParams,
  RecordingResults,
  RecordingSnapshot,
  RepairView,
  RunReadingMethod,
  SideView,
} from './recording';
export type { RecordingForm, RecordingSide } from './recording-limit';
export { RECORDING_FORMS, RECORDING_LIMIT, RECORDING_SIDES } from './recording-limit';
export type { RequestMethod, RequestParams, RequestResults } from './requests';
export { REQUEST_PARAMS } from './requests';
export { LabClient, RecordingClient, RequestError, RpcClient } from './rpc/rpc-client';
export type { RpcRequestOptions } from './rpc/rpc-client';
export { RemedySchema } from './remedy';
export type { ClientFrame, HostFrame } from './rpc/rpc-frames';
export type { LabHandlers, RecordingHandlers, RequestHandlers, RpcServerOptions } from './rpc/rpc-server';
export { RpcServer } from './rpc/rpc-server';
export { isSecretMember, looksLikeSecret, maskSecrets, SECRET_NAME } from './document/secrets';
export type {
  ConnectionView,
  DocumentProblemView,
  DocumentSnapshot,
  EmbeddingOutcome,
  EmbeddingSnapshot,
  EnvironmentSnapshot,
  ModelList,
  SessionSnapshot,
  ToolCheck,
  ToolView,
  VectorView,
} from './view-models';
export type {
  CompareForm,
  ComparePart,
  ExportForm,
  WireAttemptView,
  WireCopyForm,
  WireFileName,
  WireResponseView,
  PromptPlace,
  PromptView,
  WireView,
} from './wire';
export { COMPARE_FORMS, COMPARE_PARTS, COPY_FORMS, EXPORT_FORMS, WIRE_FILES } from './wire';
