// The public interface of the provider library. A test fixes this list of exports. Importing it changes no global.
export { Providers } from './providers/providers';
export type { ChatOptions, EmbedOptions, RenderOptions } from './providers/call-options';
export { LocalHostProvider } from './providers/local-host-provider';
export { HOSTED_API_DEFAULTS, HostedApiProvider } from './providers/hosted-api-provider';
export { MessagesApiProvider } from './providers/messages-api-provider';
export { ResponsesApiProvider } from './providers/responses-api-provider';
export type {
  HostedApiCredentials,
  LocalHostCredentials,
  MessagesApiCredentials,
  ResponsesApiCredentials,
  ProviderCredentials,
} from './providers/credentials';
export { PROVIDER_CATALOG } from './providers/catalog';
export type { AddressRules, CatalogEntry, ConnectionCredentials } from './providers/catalog';
export type { KeyHeader } from './providers/key-header';
export { HOST_PLACEHOLDER } from './providers/known-servers';
export type { KnownServer } from './providers/known-servers';
export { HttpTransport } from './transport/http-transport';
export { Forwarding } from './transport/forward';
export type { ForwardedRequest, ForwardHandler } from './transport/forward';
export type { RequestOptions } from './transport/prepare-request';
export type { ResponseHeaders, TransportResponse } from './transport/answer/response';
export type { CallContext } from './transport/call-context';
export type { ObservedAttempt } from './transport/wire-recorder';
export type { NetworkOptions, RecordedAnswer } from './transport/client/network-options';
export type { TransportCredentials } from './transport/credentials';
export { RETRY_DEFAULTS } from './transport/retry/retry-policy';
export type { RetryPolicy } from './transport/retry/retry-policy';
export { CONNECT_TIMEOUT_MS } from './transport/client/http-client';
export { closeConnections } from './transport/client/open-clients';
export { createRedactor, isSecretName } from './transport/redact/redact';
export type { Redactor } from './transport/redact/redact';
export { HttpError, InvalidOptionsError, NetworkError, ProviderError, RequestTimeoutError } from './errors';
export type { ErrorExplanation, ProviderErrorCode } from './errors';
export { explainNetworkError } from './transport/failure/failure';
export { Agent } from './agent/agent';
export type {
  AgentClass,
  AgentDefinition,
  AgentInstance,
  AgentOptions,
  AgentProvider,
  AgentSource,
} from './agent/agent';
export { runAgent } from './agent/run-agent';
export type { RunOptions } from './agent/run-agent';
export { answerCalls } from './agent/answer-calls';
export type { AnswerOptions } from './agent/answer-calls';
export type { AgentHooks, ToolContext } from './agent/hooks';
export type { AgentTool } from './agent/execute-tool';
export { checkBudget, findReachedLimit, measureSpending } from './agent/budget';
export type { Budget, Spending } from './agent/budget';
export { RunStoppedError } from './agent/report';
export {
  checkArguments,
  findMarkup,
  formatToolCalls,
  nearestTools,
  normalizeToolCallEnvelope,
  parser,
  rescueFormatInfo,
  rescueFormats,
  RescueScanner,
  rescueToolCalls,
} from './rescue';
export type { FoundMarkup, ScannerResult, WritableCall } from './rescue';
export { findServerWords } from './transport/server-words/find-server-words';
export { cameToNothing } from './usage/came-to-nothing';
export { isPaused } from './usage/is-paused';
export { sumKnown, sumUsage } from './usage/sum-usage';
export { findRefused, hasRefusedPart, reduceTool } from './tool-schemas/check-tool-schema';
export type { RefusedPart } from './tool-schemas/check-tool-schema';
export type { RefusedKind } from './tool-schemas/schema-rule';
export { hasMoreValues } from './util/count-values';
export { isRecord, isSame, parseJson } from './util/json';
export { nameJsonTypes } from './util/json-words';
export { pruneUndefined } from './util/prune-undefined';
export type * from '../types';
