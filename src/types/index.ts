// The nouns of the product: JSON-safe types without runtime code. Has no imports from other layers.
export type { SamplingParams } from './sampling';
export type { ParameterWay } from './parameter-way';
export type { JsonSchema, ProviderToolCall, ToolCall, ToolChoice, ToolType } from './tool';
export type { Message, ReplayData, Role } from './message';
export type { FormNote, NeutralRequest } from './neutral-request';
export type { Finding, FindingCause, FindingEvidence, InspectorTab, Remedy } from './finding';
export type { TokenCost, TokenRates, TokenUsage } from './cost';
export type { RescueEvidence, RescueRejection, RescueRepair, RescueReport, RescuedCall } from './rescue';
export type {
  AttemptEvidence,
  AttemptRecord,
  AttemptResponse,
  CallProgress,
  Exchange,
  ExchangeRequest,
  ExchangeResponse,
  ExchangeToolCall,
  RateLimit,
  RetryAttempt,
  SentToolChoice,
} from './exchange';
export type { ExchangeEnd, RecordedExchange, RepairedCall, RepairHindrance } from './recorded-exchange';
export type { ChatDelta, ChatTurn, PartialReply, RawAssistant } from './assistant';
export type { AgentStep, RunReport, StopReason, ToolObservation, ToolResult } from './report';
export type { ModelInfo, ServerInfo, ServerName, ServerProduct } from './server';
export type { FoundWords, MessageRule, WordsCause } from './server-words';
export type { RenderedPrompt } from './rendered-prompt';
export type {
  AgentStop,
  CallDeparture,
  CallPattern,
  Expectation,
  ExpectationVerdict,
  JudgedExpectation,
  OutcomeKind,
  Range,
  ReplyLimits,
  SampleCall,
  SampleFacts,
} from './expectation';
export type {
  Billing,
  CaseSummary,
  EvaluationLane,
  EvaluationRow,
  EvaluationSummary,
  EvaluationWarning,
  GateState,
  Gates,
  Interval,
  JudgedSample,
  LaneComparison,
  LaneDepartures,
  LaneFlips,
  LaneSummary,
  NoVerdictReason,
  OutcomeCounts,
  RowFilter,
  SampleKind,
  SamplePart,
  SampleCounts,
  SampleVerdict,
  Sentence,
  SentencePart,
} from './evaluation';
