// The data of an exported run: everything that happened, JSON-safe and already redacted. Types only.
import type {
  AttemptRecord,
  AttemptResponse,
  ExchangeRequest,
  Finding,
  ParameterWay,
  RawAssistant,
  RescueReport,
  ToolType,
} from '../../types';

export interface ExportedRun {
  /** Such as `Lane 1`. */
  title: string;
  connectionId: string;
  /** Label of the connection. */
  connection: string;
  model: string;
  /** In ISO 8601. */
  startedAt: string;
  durationMs: number;
  verdict: { kind: string; detail: string };
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
  setup?: object | undefined;
  parameters: ParameterWay[];
  ledger: AttemptRecord[];
  /** Absent when nothing was sent. */
  request?: ExchangeRequest | undefined;
  /** In order, as many attempts as are stored. */
  attempts: { name: string; response?: AttemptResponse | undefined }[];
}

/** Information about the export itself. */
export interface ExportInfo {
  /** Such as `Provider Playground 0.1.0`. */
  madeBy: string;
  /** In ISO 8601. */
  madeAt: string;
}
