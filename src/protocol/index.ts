// The contract of the two sides. Types for both; `rpc` and the request schemas are its only runtime code.
export type {
  DocumentEdit,
  DocumentLane,
  DocumentMessage,
  DocumentTool,
  LaneLimits,
  PlaygroundDocument,
  ToolChoice,
  ToolMock,
  ToolReference,
} from './document';
export {
  DOCUMENT_LIMIT,
  DocumentLaneSchema,
  DocumentMessageSchema,
  DocumentSchema,
  DocumentToolSchema,
  MockSchema,
  SamplingSchema,
  ToolReferenceSchema,
} from './document';
export type { HostEventName, HostEvents } from './events';
export type {
  AgentForm,
  EmbeddingForm,
  RequestMethod,
  RequestParams,
  RequestResults,
  RunForm,
} from './requests';
export { MessageSchema, REQUEST_PARAMS, RunFormSchema } from './requests';
export type { ClientFrame, HostFrame, RequestHandlers, RpcServerOptions } from './rpc';
export { RequestError, RpcClient, RpcServer } from './rpc';
export type {
  AgentEnding,
  AgentOutcome,
  AgentStepView,
  CallAnswer,
  ConnectionView,
  EmbeddingOutcome,
  ErrorInfo,
  Finding,
  InspectorTab,
  ModelList,
  PlaygroundSnapshot,
  RunOutcome,
  RunProgress,
  ToolSampleView,
  VectorView,
  Verdict,
} from './view-models';
