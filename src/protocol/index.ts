// The contract of the two sides. Types for both; `rpc` and the request schemas are its only runtime code.
export type { HostEventName, HostEvents } from './events';
export type { RequestMethod, RequestParams, RequestResults, RunForm } from './requests';
export { MessageSchema, REQUEST_PARAMS, RunFormSchema, SamplingSchema } from './requests';
export type { ClientFrame, HostFrame, RequestHandlers, RpcServerOptions } from './rpc';
export { RequestError, RpcClient, RpcServer } from './rpc';
export type {
  ConnectionView,
  ErrorInfo,
  Finding,
  InspectorTab,
  ModelList,
  PlaygroundSnapshot,
  RunOutcome,
  RunProgress,
  ToolSampleView,
  Verdict,
} from './view-models';
