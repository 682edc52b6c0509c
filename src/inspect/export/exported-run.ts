// The data of an exported run: everything that happened, JSON-safe and already redacted. Types only.
import type {
  AttemptRecord,
  AttemptResponse,
  ExchangeRequest,
  Finding,
  Message,
  ParameterWay,
  RawAssistant,
  RescueReport,
  SamplingParams,
  TokenRates,
  TokenUsage,
  ToolChoice,
  ToolType,
} from '../../types';

export interface ExportedRun {
  /** Such as `Lane 1`. */
  title: string;
  connectionId: string;
  /** Label of the connection. */
  connection: string;
  model: string;
  /** The program or extension that asked for it; absent for a run of a playground. */
  askedBy?: string | undefined;
  /** In ISO 8601. */
  startedAt: string;
  durationMs: number;
  /** Milliseconds from the start of the last attempt to the first piece of the reply. */
  firstTokenMs?: number | undefined;
  rates?: TokenRates | undefined;
  usage?: Usage | undefined;
  verdict: { kind: string; detail: string };
  /**
   * The runs that led to this one, in order: the steps of its agent run before it, or the chats whose calls were given
   * results. Absent when there are none.
   */
  steps?: ExportedRun[] | undefined;
  /** Totals of the agent run; present in its last step. */
  ending?:
    { stopReason: string; durationMs: number; usage: TokenUsage; costUsd?: number | undefined } | undefined;
  findings: Pick<Finding, 'severity' | 'what' | 'evidence' | 'next'>[];
  /** Present when the run failed. */
  error?: { title: string; what: string; why: string; next: string } | undefined;
  /** The reply as the server sent it; absent when there was none. */
  raw?: RawAssistant | undefined;
  /** The calls that are used: the native ones or, if there are none, the rescued ones. */
  calls: { name: string; arguments: unknown; source: string; format?: string | undefined }[];
  rescue?: RescueReport | undefined;
  tools: Pick<ToolType, 'name' | 'description' | 'parameters'>[];
  /** What the run was set to, in the form in which it is stored; absent when that is not known. */
  setup?: ExportedSetup | undefined;
  parameters: ParameterWay[];
  ledger: AttemptRecord[];
  /** Absent when nothing was sent. */
  request?: ExchangeRequest | undefined;
  /** In order, as many attempts as are stored. */
  attempts: { name: string; response?: AttemptResponse | undefined }[];
}

/** The part of a stored setup that is printed; the JSON has all of it. */
export interface ExportedSetup {
  readonly system: string;
  readonly sampling: SamplingParams;
  readonly rescueToolCalls: boolean;
  readonly toolChoice?: ToolChoice | undefined;
  readonly raw?: Readonly<Record<string, unknown>> | undefined;
  readonly limits: object;
  readonly tools: readonly Pick<ToolType, 'name' | 'description' | 'parameters'>[];
  readonly messages: readonly Message[];
}

type Usage = TokenUsage & { costUsd?: number | undefined };

/** Information about the export itself. */
export interface ExportInfo {
  /** Such as `Provider Playground 0.1.0`. */
  madeBy: string;
  /** In ISO 8601. */
  madeAt: string;
}
